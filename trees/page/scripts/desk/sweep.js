// A sweep over one board by the core: sums over all layouts that satisfy some constraints.
//
// Of a placement, and of all layouts, the sum counts each layout 1, or the product of its placements'
// weights. `sweep.hpp` says how the core adds; here is what a game makes of it, as `sweep.py` does
// for Python: the shapes of ships, what every row allows, and what the sums mean. Whole numbers are
// exact as long as JavaScript can hold them, below 2^53.
//
// What takes long is a generator that yields now and then, so that it can be given up.

import { CONTACTS } from "../shared/games.js";
import { FULL, theCore } from "./core.js";
import { Refusal } from "./rules.js";

const WORDS = [1, 2, 8]; // of 64 bits, that a sum may have
const MOST_WIDTH = 16;
const AHEAD = 128; // cells from a ship's first to its last, at most
const ALLOWANCE = 20_000; // profiles followed in a call
const FIRST_BYTES = 1 << 22;
const MOST_BYTES = 2 ** 29; // of a sweep, and of a frontier while it is found
const MOST_FRONTIERS = 3;

// The board's cells in the order of the sweep, and with each placement where it begins: by rows, or
// by columns if these are shorter.
function gridOf(rules) {
  if (rules.grid) return rules.grid;
  const turned = rules.columns > rules.rows, width = Math.min(rules.rows, rules.columns), height = rules.cells / width;
  const place = Int32Array.from({ length: rules.cells }, (_, cell) => {
    const row = Math.floor(cell / rules.columns), column = cell % rules.columns;
    return turned ? column * width + row : row * width + column;
  });
  const begun = rules.placements.map(({ cells, type }) => {
    const places = Array.from(cells, (cell) => place[cell]).sort((a, b) => a - b), row = Math.floor(places[0] / width), column = places[0] % width;
    const shape = places.map((at) => [Math.floor(at / width) - row, (at % width) - column]);
    return { row, column, type, shape, key: `${type}:${shape.join(" ")}` };
  });
  const shapes = new Map();
  for (const { type, shape, key } of begun) if (!shapes.has(key)) shapes.set(key, { type, shape, number: 0 });
  const sorted = [...shapes.values()].sort((a, b) => a.type - b.type);
  sorted.forEach((shape, number) => { shape.number = number; });
  const codes = 1 + sorted.length * width;
  const starts = Int32Array.from(begun, ({ row, column, key }) => row * codes + 1 + shapes.get(key).number * width + column);
  const numbers = rules.typeCounts, reach = Math.max(...begun.map(({ shape }) => shape.at(-1)[0] * width + shape.at(-1)[1]));
  rules.grid = {
    width, height, place, codes, starts, numbers, shapes: sorted, sweepable: width <= MOST_WIDTH && reach < AHEAD,
    key: `${width} ${rules.contact} ${numbers} ${sorted.map(({ type, shape }) => `${type}:${shape.join(" ")}`).join("|")}`,
  };
  return rules.grid;
}

// Frontiers lie one above the other in the memory of the core, and the sums of sweeps above them.
const frontiers = new Map();
let bottom = 0, memory = null;

function forgetFrontiers() {
  if (frontiers.size) theCore().top = bottom;
  frontiers.clear();
  memory = null;
}

// Profiles and steps of the boards of this width, as an array that the core reads; found once.
// Where they are kept, room is left below the memory in which they are found. A generator, which may be
// given up.
function* findFrontier(rules) {
  const grid = gridOf(rules), known = frontiers.get(grid.key);
  if (known) return known;
  if (frontiers.size >= MOST_FRONTIERS) forgetFrontiers();
  const core = theCore();
  if (!frontiers.size) bottom = core.top;
  else if (memory) core.top = memory.address;
  memory = null;
  const from = core.top;
  let top = from; // in the end
  try {
    const cells = grid.shapes.flatMap(({ shape }, number) => shape.flatMap(([row, column]) => [number, row, column]));
    const counted = rules.contact === "sides" && grid.numbers.reduce((uses, number) => uses * (number + 1), 1) < 2 ** 28;
    let size = FIRST_BYTES;
    core.take(size);
    const ships = () => core.structure("ships", {
      width: grid.width, contact: CONTACTS.indexOf(rules.contact), counted: counted ? 1 : 0,
      cells: core.array("int32_t", cells), types: core.array("int32_t", grid.shapes.map(({ type }) => type)), ships: core.array("int32_t", grid.numbers),
    });
    let search = core.memory_of(size), left = core.begin_frontier(ships(), search) || 1;
    while (left) {
      if (left === FULL) {
        size *= 2;
        if (size > MOST_BYTES) throw new Refusal("this board is too large to be counted exactly");
        const larger = core.memory_of(size);
        core.move_frontier(search, larger);
        search = larger;
      }
      left = core.search_frontier(search, ALLOWANCE);
      yield 0;
    }
    const bytes = core.frontier_bytes(search);
    if (from + bytes + 64 > search.address) throw new Refusal("this board is too large to be counted exactly");
    core.top = from;
    const kept = core.memory_of(bytes), sizes = new BigInt64Array(4);
    core.top = search.address + search.length;
    core.scope(() => {
      const found = core.array("int64_t", 4);
      core.keep_frontier(search, kept, found);
      sizes.set(found.items);
    });
    top = kept.address + bytes;
    const made = { memory: kept, nodes: Number(sizes[0]), steps: Number(sizes[2]), counted };
    frontiers.set(grid.key, made);
    return made;
  } finally {
    core.top = top;
  }
}

// Zeros, or what the sweep before left there: above all frontiers.
function sweepMemory(bytes, frontier) {
  const core = theCore();
  if (memory && memory.of === frontier && memory.length >= bytes) return memory;
  if (memory) core.top = memory.address;
  memory = Object.assign(core.array("uint8_t", bytes), { of: frontier });
  return memory;
}

// Words of 64 bits that hold any possible number of layouts.
function wordsNeeded(rules, { allowed, left }) {
  const many = left.map(() => 0n);
  for (const { number, type } of rules.placements) if (allowed[number]) many[type]++;
  let bound = 1n;
  left.forEach((ships, type) => {
    for (let i = 0n; i < BigInt(ships); i++) bound = (bound * (many[type] > i ? many[type] - i : 0n)) / (i + 1n);
  });
  const needed = Math.max(1, Math.ceil(bound.toString(2).length / 64));
  return WORDS.find((words) => words >= needed) || 0;
}

export class Sweep {
  // weights: by placement, null where every layout counts 1
  constructor(rules, constraints, weights, frontier) {
    Object.assign(this, { rules, constraints, weights, frontier, grid: gridOf(rules) });
    this.words = weights ? 0 : wordsNeeded(rules, constraints);
    this.size = this.words || 1;
    this.entries = frontier.counted ? 1 : constraints.left.reduce((product, ships) => product * (ships + 1), 1);
  }

  // A sweep over a position's constraints; null where it would take too much memory.
  static of(rules, constraints, weights = null) {
    if (!gridOf(rules).sweepable) return null;
    try {
      const sweep = new Sweep(rules, constraints, weights, finish(findFrontier(rules)));
      return (sweep.words || weights) && theCore().scope(() => theCore().sweep_bytes(sweep.board(1))) <= MOST_BYTES ? sweep : null;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  // Makes the tables of a game, resting now and then, so that `of` finds them.
  static *prepare(rules) {
    try {
      if (gridOf(rules).sweepable) yield* findFrontier(rules);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  // Additions that a map takes, about.
  get work() { return 3 * this.grid.height * this.frontier.steps * this.entries; }

  board(kept) {
    const { rules, constraints, weights, grid, frontier } = this, { codes, starts, height, width } = grid, core = theCore();
    const allowed = new Uint8Array(height * codes), required = new Uint32Array(height), weighed = weights && new Float64Array(height * codes);
    starts.forEach((start, number) => {
      allowed[start] = constraints.allowed[number];
      if (weights) weighed[start] = constraints.allowed[number] * weights[number];
    });
    for (let row = 0; row < height; row++) {
      allowed[row * codes] = 1;
      if (weights) weighed[row * codes] = 1;
    }
    for (let cell = 0; cell < rules.cells; cell++) {
      if (constraints.required[cell]) required[Math.floor(grid.place[cell] / width)] |= 1 << (grid.place[cell] % width);
    }
    return core.structure("board", {
      frontier: frontier.memory, words: this.words, height, keeps: kept, left: core.array("int32_t", constraints.left),
      allowed: core.array("uint8_t", allowed), required: core.array("uint32_t", required), weights: weights ? core.array("double", weighed) : null,
    });
  }

  // Sums up all rows that are not summed up yet.
  *forward(kept) {
    const core = theCore(), bytes = core.scope(() => core.sweep_bytes(this.board(kept))), sums = sweepMemory(bytes, this.frontier);
    for (let row = core.scope(() => core.begin_sweep(this.board(kept), sums)); row < this.grid.height; row++) {
      core.sweep_forward(sums, row);
      yield (row + 1) / this.grid.height;
    }
    return sums;
  }

  // A sum from its words, the low one first: whole numbers, or a mass.
  number(words) {
    if (this.weights) return new Float64Array(words.slice(0, 1).buffer)[0];
    return Number(words.reduceRight((sum, word) => (sum << 64n) | word, 0n));
  }

  // The sum over all layouts.
  *total() {
    if (this.found === undefined) {
      const sums = yield* this.forward(1), core = theCore();
      this.found = core.scope(() => {
        const total = core.array("uint64_t", this.size);
        core.sweep_total(sums, total);
        return total.items.slice();
      });
    }
    return this.number(this.found);
  }

  // By placement, the sum over the layouts that have it.
  *placementSums() {
    const { grid: { height, codes, starts }, size } = this, sums = yield* this.forward(1), core = theCore();
    const begun = new BigUint64Array(height * codes * size);
    for (let row = height - 1; row >= 0; row--) {
      core.scope(() => {
        const mine = core.array("uint64_t", codes * size);
        core.sweep_backward(sums, row, mine);
        begun.set(mine.items, row * codes * size);
      });
      yield (height - row) / height;
    }
    return Float64Array.from(starts, (start) => this.number(begun.slice(start * size, (start + 1) * size)));
  }

  // Layouts, each an array of placement numbers: `count` drawn by their sums, or all of them.
  *walks(count, random) {
    const total = yield* this.total();
    if (!(total > 0)) return [];
    const { grid: { height, starts }, size } = this, many = count === null ? total : count, ships = this.constraints.left.reduce((sum, each) => sum + each, 0);
    const luck = new BigUint64Array(many * size), rank = () => this.rank(random);
    for (let walk = 0; walk < many; walk++) luck.set(count === null ? [BigInt(walk), ...Array(size - 1).fill(0n)] : rank(), walk * size);
    const sums = yield* this.forward(1), core = theCore();
    for (let row = height - 1; row >= 0; row--) {
      core.sweep_backward(sums, row, null);
      yield 0.5;
    }
    return core.scope(() => {
      const walks = core.array("int64_t", 3 * many), chance = core.array("uint64_t", luck), begun = core.array("int64_t", many * ships);
      for (let row = 0; row < height; row++) core.sweep_walk(sums, row, walks, chance, begun);
      const placementAt = new Map(Array.from(starts, (start, number) => [start, number])), found = Array.from(begun.items, (start) => placementAt.get(Number(start)));
      return Array.from({ length: many }, (_, i) => found.slice(i * ships, (i + 1) * ships).sort((a, b) => a - b));
    });
  }

  // The words of a random rank below the total; of masses, a seed.
  rank(random) {
    const word = () => (BigInt(Math.floor(random() * 2 ** 32)) << 32n) | BigInt(Math.floor(random() * 2 ** 32));
    if (this.weights) return [word()];
    const total = this.found.reduceRight((sum, each) => (sum << 64n) | each, 0n);
    let drawn = 0n;
    for (let i = 0; i <= this.size; i++) drawn = (drawn << 64n) | word();
    drawn = (drawn * total) >> (64n * BigInt(this.size + 1));
    return Array.from({ length: this.size }, (_, w) => (drawn >> (64n * BigInt(w))) & (2n ** 64n - 1n));
  }
}

// Runs a generator to its end and returns what it returns.
export function finish(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
