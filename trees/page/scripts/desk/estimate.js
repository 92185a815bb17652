// Maps of boards too large to count, estimated from layouts that the core draws, in batches.
//
// `estimate.hpp` says how layouts are drawn and weighed, and `estimate.py` what is made of them for
// Python; here is the same for the page. Every batch says about how many layouts there are, which is
// its weight, and in which share of them each placement is; a standard error comes from how the
// batches differ. The numbers are those of Python, drawn from the same seed.

import { HIT_SHIP, MISS, isSunk, lengthTold } from "../shared/codes.js";
import { FULL, theCore } from "./core.js";
import { constrain } from "./position.js";
import { Refusal } from "./rules.js";

const PARTICLES = 1024, LEAST_BATCHES = 32, MOST_BATCHES = 512;
const LEAST_EFFECTIVE = 200; // independent layouts, below which nothing is said
const SMALL_ERROR = 0.001, ALIKE = 2, UNSURE = 1e-9;
const FIRST_BYTES = 1 << 20;

// Ships turned in every way: {type, steps, at: placement by first cell}, in the order of Python.
function formsOf(rules) {
  if (rules.forms) return rules.forms;
  const found = new Map();
  for (const { number, cells, type } of rules.placements) {
    const steps = cells.map((cell) => cell - cells[0]), key = `${type}:${steps}`;
    if (!found.has(key)) found.set(key, { type, steps, at: new Int32Array(rules.cells).fill(-1) });
    found.get(key).at[cells[0]] = number;
  }
  const compare = (one, other) => { const i = one.findIndex((step, k) => step !== other[k]); return i < 0 ? one.length - other.length : one[i] - (other[i] ?? -1); };
  rules.forms = [...found.values()].sort((a, b) => a.type - b.type || compare(a.steps, b.steps));
  return rules.forms;
}

function logFactorial(many) {
  let sum = 0;
  for (let i = 2; i <= many; i++) sum += Math.log(i);
  return sum;
}

function masksOf(sets, words) {
  const masks = new BigUint64Array(sets.length * words);
  sets.forEach((cells, i) => { for (const cell of cells) masks[i * words + (cell >> 6)] |= 1n << BigInt(cell & 63); });
  return masks;
}

// Cells of ships that are known to be sunk: one of each.
function sunkCells({ shots }) {
  const named = new Map();
  for (const [cell, code] of shots) if (code >= HIT_SHIP) named.set(code, [...(named.get(code) || []), cell]);
  const whole = [...named].filter(([code, cells]) => cells.length === lengthTold(code)).map(([, cells]) => cells[0]);
  return [...shots.filter(([, code]) => isSunk(code)).map(([cell]) => cell), ...whole];
}

// Draws layouts batch by batch; returns {logs, effective, placements} with an entry a batch.
function* drawn(position, allowed) {
  const { rules } = position, forms = formsOf(rules), core = theCore(), words = Math.ceil(rules.cells / 64), { top } = core;
  const ships = rules.typeCounts, numbers = forms.flatMap(({ at }) => Array.from(at, (number) => (number >= 0 && allowed[number] ? number : -1)));
  const room = ships.map((_, type) => forms.reduce((sum, form, i) => sum + (form.type === type ? numbers.slice(i * rules.cells, (i + 1) * rules.cells).filter((number) => number >= 0).length : 0), 0));
  const logRoom = ships.reduce((sum, many, type) => sum + many * Math.log(room[type]) - logFactorial(many), 0);
  const found = { logs: [], effective: [], placements: [] };
  try {
    const laying = core.structure("laying", {
      cells: rules.cells, ships: core.array("int32_t", ships), form_kinds: core.array("int32_t", forms.map(({ type }) => type)),
      step_ends: core.array("int32_t", forms.map((_, i) => forms.slice(0, i + 1).reduce((sum, { steps }) => sum + steps.length, 0))),
      steps: core.array("int32_t", forms.flatMap(({ steps }) => steps)), numbers: core.array("int32_t", numbers),
      masks: core.array("uint64_t", masksOf(rules.placements.map(({ cells }) => cells), words)),
      halos: core.array("uint64_t", masksOf(rules.placements.map(({ halo }) => halo), words)),
      hits: core.array("uint64_t", masksOf([position.shots.filter(([, code]) => code !== MISS).map(([cell]) => cell)], words)),
      sunk: core.array("uint64_t", masksOf([sunkCells(position)], words)),
    });
    const means = core.array("double", ships.reduce((sum, many) => sum + many, 0)), chances = core.array("double", rules.placements.length), totals = core.array("double", 2);
    let size = FIRST_BYTES, scratch = core.memory_of(size);
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      let met = FULL;
      while (met === FULL) {
        met = core.estimate(laying, 0, batch, PARTICLES, scratch, means, chances, totals);
        if (met === FULL) {
          core.top = scratch.address;
          size *= 2;
          scratch = core.memory_of(size);
        }
      }
      const some = met > 0 && logRoom > -Infinity;
      found.logs.push(some ? logRoom + means.items.reduce((sum, mean) => sum + Math.log(mean), 0) : -Infinity);
      found.effective.push(some ? totals.items[0] : 0);
      found.placements.push(chances.items.slice());
      yield (batch + 1) / MOST_BATCHES;
      if ((batch + 1) % LEAST_BATCHES === 0 && isGood(position, allowed, found)) break;
    }
  } finally {
    core.top = top;
  }
  return found;
}

// What the batches say together: their weights, and means and errors weighed by them.
function summary({ logs, effective }) {
  const highest = Math.max(...logs), many = logs.length;
  const raw = logs.map((log) => (highest === -Infinity ? 0 : Math.exp(log - highest))), mean = raw.reduce((sum, each) => sum + each, 0) / many;
  const weights = raw.map((weight) => (mean ? weight / mean : 0)), sum = weights.reduce((total, each) => total + each, 0);
  const squares = weights.reduce((total, weight, i) => total + (weight > 0 ? weight ** 2 / effective[i] : 0), 0);
  const over = (value) => weights.reduce((total, weight, i) => total + weight * value(i), 0) / sum;
  return {
    layouts: highest === -Infinity ? 0 : Math.round(mean * Math.exp(highest)),
    worth: squares ? sum ** 2 / squares : 0,
    layoutsError: Math.sqrt(weights.reduce((total, weight) => total + (weight - 1) ** 2, 0) / (many - 1) / many),
    mean: over,
    error: (deviation) => Math.sqrt(weights.reduce((total, weight, i) => total + (weight * deviation(i)) ** 2, 0) * (many / (many - 1))) / sum,
  };
}

// Chances and errors of the cells, by the placements that count.
function cellChances(position, allowed, found, counts = () => true) {
  const { rules } = position, said = summary(found), possible = new Uint8Array(rules.cells);
  const batches = found.placements.map((placements) => {
    const cells = new Float64Array(rules.cells);
    for (const placement of rules.placements) if (placements[placement.number] && counts(placement)) for (const cell of placement.cells) cells[cell] += placements[placement.number];
    return cells;
  });
  for (const placement of rules.placements) if (allowed[placement.number] && counts(placement)) for (const cell of placement.cells) possible[cell] = 1;
  const means = Float64Array.from({ length: rules.cells }, (_, cell) => said.mean((i) => batches[i][cell]));
  const chances = means.map((mean, cell) => (possible[cell] ? Math.min(Math.max(mean, UNSURE), 1 - UNSURE) : 0));
  const errors = means.map((mean, cell) => said.error((i) => batches[i][cell] - mean));
  return { chances, errors, batches, means, said };
}

function isGood(position, allowed, found) {
  const { chances, errors, said } = cellChances(position, allowed, found);
  return said.worth >= LEAST_EFFECTIVE && errors.every((error, cell) => position.codeAt(cell) > MISS || !chances[cell] || error <= SMALL_ERROR);
}

// Of a position that `constrain` does not refuse:
// {layouts, layoutsError, worth, samples, placements, cells(counts): {chances, errors, best}}
export function* estimate(position) {
  const { allowed } = constrain(position, { propagate: false }), found = yield* drawn(position, allowed), said = summary(found), { rules } = position;
  if (said.worth < LEAST_EFFECTIVE) {
    throw new Refusal("this board is too large to be counted, and of {samples} layouts begun at random too few fit to estimate anything", { samples: found.logs.length * PARTICLES });
  }
  return {
    layouts: said.layouts, layoutsError: said.layoutsError, worth: said.worth, samples: found.logs.length * PARTICLES,
    placements: Float64Array.from(rules.placements, ({ number }) => Math.min(1, said.mean((i) => found.placements[i][number]))),
    cells(counts, hits = true) {
      const { chances, errors, batches, means } = cellChances(position, allowed, found, counts);
      if (hits) for (const [cell, code] of position.shots) if (code !== MISS) [chances[cell], errors[cell]] = [1, 0];
      const open = [...chances.keys()].filter((cell) => chances[cell] > 0 && position.order[cell] < 0);
      if (!open.length) return { chances, errors, best: [] };
      const first = open.reduce((most, cell) => (chances[cell] > chances[most] ? cell : most));
      const behind = (cell) => said.error((i) => batches[i][first] - batches[i][cell] - (means[first] - means[cell]));
      const best = open.filter((cell) => chances[first] - chances[cell] <= ALIKE * behind(cell)).sort((a, b) => chances[b] - chances[a]);
      return { chances, errors, best };
    },
  };
}
