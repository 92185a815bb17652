// How many layouts fit a position, and how many of them have each placement.
//
// Counts are whole numbers, exact below 2^53 and in floating point beyond, which `about` says. Under
// a prior a layout weighs the product of the weights of its placements, and chances are shares of
// the weight. Where a count would take more memory or time than a page may take, the map is estimated
// from layouts that are drawn (`estimated`).

import { estimate } from "./estimate.js";
import { constrain } from "./position.js";
import { placementWeights } from "./prior.js";
import { Refusal } from "./rules.js";
import { Sweep } from "./sweep.js";

const EXACT = 2 ** 53;
const MOST_WORK = 1.5e9; // additions of a map that take some ten seconds
const SURE = 1e-9; // chances that differ from 1 by less are taken for certain
const ALIKE = 1e-9; // chances that differ by less, as a part of the greatest, are taken for equal

export class CountedMap {
  // layouts: how many fit; whole, placements: their weight, and by placement the weight of those
  // that have it; weighed: whether under a prior; estimated: as `estimate` returns it;
  // parts: the maps of several fleets, of which it is the sum
  constructor(position, layouts, whole, placements, { weighed = false, estimated = null, parts = null } = {}) {
    Object.assign(this, { position, layouts, whole, placements, weighed, estimated, parts });
    this.whole_map = estimated && estimated.cells(() => true);
    this.cells = estimated ? this.whole_map.chances : this.sumByCell(() => true);
  }

  get about() { return !(this.layouts < EXACT); }

  get exact() { return !this.weighed && !this.estimated && !this.about; }

  sumByCell(counts) {
    const { rules } = this.position, cells = new Float64Array(rules.cells);
    for (const part of this.parts || []) part.sumByCell(counts).forEach((sum, cell) => { cells[cell] += sum; });
    if (this.parts) return cells;
    for (const placement of rules.placements) {
      if (counts(placement)) for (const cell of placement.cells) cells[cell] += this.placements[placement.number];
    }
    return cells;
  }

  // How good an estimate is.
  get accuracy() {
    if (!this.estimated) return {};
    const { samples, worth, layoutsError } = this.estimated, errors = Array.from(this.whole_map.errors);
    return { estimated: { samples, effective: Math.round(worth), layouts_error: layoutsError, error: Math.max(...errors) } };
  }

  ofLengths(lengths) {
    const counts = (placement) => lengths.includes(placement.length);
    return this.estimated ? this.estimated.cells(counts, false).chances : this.sumByCell(counts);
  }

  // Chance of a cell; 0 and 1 only where it is impossible or certain.
  chance(cell, cells = this.cells) { return cells[cell] / this.whole; }

  isCertain(cell, cells = this.cells) {
    return this.exact ? cells[cell] === this.whole : cells[cell] >= this.whole * (this.estimated ? 1 : 1 - SURE);
  }

  get certain() { return [...this.cells.keys()].filter((cell) => this.isCertain(cell)); }

  // Ships of which every cell was shot and that all layouts have, as numbers of placements.
  get wrecks() {
    const { rules: { placements }, order } = this.position;
    return this.estimated || this.parts ? [] : placements.filter(({ number, cells }) => this.placements[number] >= this.whole * (1 - SURE) && cells.every((cell) => order[cell] >= 0)).map(({ number }) => number);
  }

  // The likeliest cells among those not shot.
  likeliest(cells = this.cells) {
    if (this.estimated && cells === this.cells) return this.whole_map.best;
    const open = [...cells.keys()].filter((cell) => this.position.order[cell] < 0), most = open.reduce((max, cell) => Math.max(max, cells[cell]), 0);
    const least = this.exact ? most : most * (1 - ALIKE);
    return open.filter((cell) => cells[cell] > 0 && cells[cell] >= least);
  }

  rows(cells) {
    const { columns, rows } = this.position.rules, whole = this.weighed || this.estimated ? this.whole : 1;
    return Array.from({ length: rows }, (_, row) => Array.from(cells.subarray(row * columns, (row + 1) * columns), (sum) => sum / whole));
  }

  // Of `count --json` what a page needs; `about` is its own. `ship`: a length or several, 0 for none.
  document(ship = 0) {
    const { rules } = this.position, kind = this.weighed || this.estimated ? "chances" : "occupancy", name = (cell) => rules.name(cell);
    const document = { layouts: this.layouts, about: this.about, ...this.accuracy, [kind]: this.rows(this.cells), best: this.likeliest().map(name) };
    if (ship) {
      const cells = this.ofLengths([ship].flat());
      document.ship = { length: ship, [kind]: this.rows(cells), best: this.likeliest(cells).map(name) };
    }
    return document;
  }
}

function nothingFits(position) {
  return new Refusal(position.shots.length ? "no layout fits these answers" : "the fleet has no layout on this board under this contact rule");
}

function withFixed(constraints, sums, total) {
  for (const number of constraints.fixed) sums[number] = total;
  return sums;
}

// Lets a generator work, whose rests say how far it is, as a part of something longer.
function* partly(work, from, to) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield typeof value === "number" ? from + (to - from) * value : from;
  }
}

// The map of a position; `prior` is "uniform" or "people". Its rests say how far it is.
export function* countMap(position, prior = "uniform") {
  const { rules } = position, constraints = constrain(position), weights = placementWeights(rules, prior);
  if (!constraints) throw nothingFits(position);
  if (constraints.left.every((ships) => ships === 0)) return onlyLayout(position, constraints);
  yield* Sweep.prepare(rules);
  const sweep = Sweep.of(rules, constraints);
  if (!sweep || sweep.work > MOST_WORK) return yield* estimatedMap(position);
  const layouts = yield* partly(sweep.total(), 0, 0.4);
  if (!(layouts > 0)) throw nothingFits(position);
  if (!weights) return new CountedMap(position, layouts, layouts, withFixed(constraints, yield* partly(sweep.placementSums(), 0.4, 1), layouts));
  const weighed = Sweep.of(rules, constraints, weights), whole = yield* partly(weighed.total(), 0.4, 0.6);
  return new CountedMap(position, layouts, whole, withFixed(constraints, yield* partly(weighed.placementSums(), 0.6, 1), whole), { weighed: true });
}

// The map where every ship can lie in one way only.
function onlyLayout(position, constraints) {
  if (constraints.required.some(Boolean)) throw nothingFits(position);
  return new CountedMap(position, 1, 1, withFixed(constraints, new Float64Array(position.rules.placements.length), 1));
}

// What counts the layouts of a position; null where it would take too much memory, or none can fit.
export function sweepOf(position) {
  const constraints = constrain(position);
  return constraints && Sweep.of(position.rules, constraints);
}

export function* countLayouts(position) {
  yield* Sweep.prepare(position.rules);
  const sweep = sweepOf(position);
  return sweep ? yield* sweep.total() : 0;
}

// The map of a board that is too large to count, from layouts drawn; chances are of one.
function* estimatedMap(position) {
  const estimated = yield* estimate(position);
  return new CountedMap(position, estimated.layouts, 1, estimated.placements, { estimated });
}

// All layouts that fit, each the numbers of its placements in increasing order, in their order.
export function* listLayouts(position) {
  const constraints = constrain(position);
  if (!constraints) return [];
  if (constraints.left.every((ships) => ships === 0)) return constraints.required.some(Boolean) ? [] : [constraints.fixed.slice().sort((a, b) => a - b)];
  const found = yield* Sweep.of(position.rules, constraints).walks(null);
  return found.map((ships) => [...ships, ...constraints.fixed].sort((a, b) => a - b)).sort((one, other) => {
    const at = one.findIndex((number, i) => number !== other[i]);
    return at < 0 ? 0 : one[at] - other[at];
  });
}

// A layout drawn by its weight, null where there is none or they cannot be counted.
export function* drawLayout(position, prior, random) {
  const { rules } = position, constraints = constrain(position), sweep = constraints && Sweep.of(rules, constraints, placementWeights(rules, prior));
  if (!sweep) return null;
  const [ships] = yield* sweep.walks(1, random);
  return ships ? [...ships, ...constraints.fixed].sort((a, b) => a - b) : null;
}
