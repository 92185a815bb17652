// The endgame: exact play once few layouts are left, for the fewest misses on average, or to finish
// as often as can be with so many misses.
//
// A state is the layouts still possible and the cells hit. Where certain hits are free (all rules
// but sinkings of ships that may lie side by side) they are shot at once, and the layouts alone are
// the state. The least total of a state is the least, over all cells, of the layouts that miss it
// plus the least totals of the layouts after each answer.
//
// With a limit of misses the total is what is lost, the weight of the layouts not finished: all of it
// when more were missed than may be, and nothing for a miss by itself. What is finished with k misses
// was hit by one of the first k + 1 shots of the path on which every shot misses.
//
// Bounds. On the path where every shot misses, m cells leave at least n - (the m largest numbers of
// layouts with a ship on a cell) layouts, each of which misses once more. Where hits tell nothing
// else, k misses tell at most C(k + h, k) occupancies apart, h cells being hit after all [theory].
// Dominance. Where ships do not lie side by side, and where hits tell nothing else, a cell all of
// whose layouts occupy another cell as well is no better than that one. A ship that lies the same way
// in all layouts costs nothing and tells nothing, whenever it is shot: it is left out.

import { MISS } from "./rules.js";

const MOST_KNOWN = 1_000_000; // states

export class OutOfSteps extends Error {}

export class Endgame {
  // ships: layouts as arrays of placement numbers; weights: one per layout, all 1 by default
  // left: misses that may still be made, without end if they are counted instead
  // most: steps that the search may take, a step for each layout of a state or part that is looked
  // at; counted, so that the same is found on every machine
  constructor(position, ships, { weights = null, most = Infinity, left = Infinity } = {}) {
    const { rules } = position;
    Object.assign(this, { position, rules, left, most, steps: 0, known: new Map() });
    this.free = rules.contact !== "sides" || rules.answers !== "sunk";
    this.fleets = ships.map((numbers) => numbers.map((number) => rules.placements[number].cells));
    this.weights = weights || new Float64Array(ships.length).fill(1);
    this.uniform = weights === null;
    if (rules.answers === "hit") this.mergeOccupancies();
    this.all = this.fleets.map((_, layout) => layout);
    this.occupied = this.fleets.map((fleet) => Int16Array.from(fleet.flat()));
    this.shipAt = this.fleets.map((fleet) => {
      const at = new Int8Array(rules.cells).fill(-1);
      fleet.forEach((cells, ship) => { for (const cell of cells) at[cell] = ship; });
      return at;
    });
    this.hits = new Uint8Array(rules.cells);
    for (const [cell, code] of position.shots) if (code !== MISS) this.hits[cell] = 1;
  }

  // Hits and misses tell nothing of how ships lie on the same cells.
  mergeOccupancies() {
    const seen = new Map(), fleets = [], weights = [];
    this.fleets.forEach((fleet, layout) => {
      const key = fleet.flat().sort((a, b) => a - b).join();
      if (!seen.has(key)) {
        seen.set(key, fleets.length);
        fleets.push(fleet);
        weights.push(0);
      }
      weights[seen.get(key)] += this.weights[layout];
    });
    this.uniform = this.uniform && fleets.length === this.fleets.length;
    this.fleets = fleets;
    this.weights = Float64Array.from(weights);
  }

  weigh(layouts) {
    let sum = 0;
    for (const layout of layouts) sum += this.weights[layout];
    return sum;
  }

  // What a layout answers to a shot, so that different answers differ.
  answer(layout, cell, hits) {
    const ship = this.shipAt[layout][cell];
    if (ship < 0) return -1;
    if (this.rules.answers === "hit") return 0;
    const cells = this.fleets[layout][ship];
    if (this.rules.answers === "ship") {
      // A ship is named by its length and by the first of its cells that were hit before.
      const first = cells.find((other) => other !== cell && hits[other]);
      return 1 + cells.length * (this.rules.cells + 1) + (first === undefined ? this.rules.cells : first);
    }
    for (const other of cells) if (other !== cell && !hits[other]) return 0;
    return this.rules.tellsLength ? 1 + cells.length : 1;
  }

  split(layouts, cell, hits) {
    const parts = new Map();
    for (const layout of layouts) {
      const answer = this.answer(layout, cell, hits), part = parts.get(answer);
      if (part) part.push(layout);
      else parts.set(answer, [layout]);
    }
    return parts;
  }

  // The cells not hit that some layout occupies, those of most weight first: {cell, weight, count}.
  columns(layouts, hits) {
    this.steps += layouts.length;
    if (this.steps > this.most) throw new OutOfSteps();
    const weight = new Float64Array(this.rules.cells), count = new Int32Array(this.rules.cells), cells = [];
    for (const layout of layouts) {
      const mine = this.weights[layout];
      for (const cell of this.occupied[layout]) {
        if (hits[cell]) continue;
        if (count[cell]++ === 0) cells.push(cell);
        weight[cell] += mine;
      }
    }
    return cells.map((cell) => ({ cell, weight: weight[cell], count: count[cell] })).sort((a, b) => b.weight - a.weight || a.cell - b.cell);
  }

  // The columns without those of ships that lie the same way in all layouts; where certain hits are
  // free they are shot anyway.
  choices(layouts, hits) {
    const columns = this.columns(layouts, hits), many = layouts.length;
    if (this.free) return columns;
    const shipOn = (layout, cell) => this.fleets[layout][this.shipAt[layout][cell]];
    return columns.filter(({ cell, count }) => count < many || layouts.some((layout) => shipOn(layout, cell) !== shipOn(layouts[0], cell)));
  }

  // The least total there can be, by the bounds above.
  bound(layouts, whole, columns, left) {
    if (left < 0) return whole;
    if (left < Infinity) return Math.max(0, columns.slice(0, left + 1).reduce((rest, { weight }) => rest - weight, whole));
    let total = 0, rest = whole;
    for (const { weight } of columns) {
      rest -= weight;
      if (rest <= 0) break;
      total += rest;
    }
    if (this.rules.answers !== "hit" || !this.uniform) return total;
    const many = layouts.length;
    const open = columns.reduce((sum, { count }) => sum + (count < many ? count : 0), 0) / many;
    let apart = 1, other = 0;
    for (let k = 1; apart < many; k++) {
      other += many - apart;
      apart = (apart * (k + open)) / k;
    }
    return Math.max(total, other);
  }

  // Cells that no other cell dominates.
  candidates(layouts, columns) {
    if (this.rules.contact === "sides" && this.rules.answers !== "hit") return columns;
    const words = (layouts.length + 31) >> 5, kept = [];
    for (const column of columns) {
      const bits = new Int32Array(words), { cell } = column;
      layouts.forEach((layout, i) => { if (this.shipAt[layout][cell] >= 0) bits[i >> 5] |= 1 << (i & 31); });
      const dominated = kept.some(({ bits: larger }) => {
        for (let w = 0; w < words; w++) if (bits[w] & ~larger[w]) return false;
        return true;
      });
      if (!dominated) kept.push({ ...column, bits });
    }
    return kept;
  }

  key(layouts, hits, left) {
    const mine = `${left < Infinity ? left : ""}|${String.fromCharCode(...layouts)}`;
    return this.free ? mine : `${mine}|${String.fromCharCode(...hits)}`;
  }

  withHit(hits, cell) {
    const next = hits.slice();
    next[cell] = 1;
    return next;
  }

  keep(key, value, exact) {
    if (this.known.size < MOST_KNOWN) this.known.set(key, { value, exact });
    return value;
  }

  // The least total, exact where it is below the budget, else some bound from below that is not.
  value(layouts, hits, budget = Infinity, left = this.left) {
    if (left < 0) return this.weigh(layouts);
    if (layouts.length === 1) return 0;
    const key = this.key(layouts, hits, left), known = this.known.get(key);
    if (known && (known.exact || known.value >= budget)) return known.value;
    const columns = this.choices(layouts, hits), many = layouts.length;
    const sure = columns.find(({ count }) => count === many);
    if (columns.every(({ count }) => count === many)) return this.keep(key, 0, true); // one occupancy is left
    if (this.free && sure) {
      const value = this.after(layouts, hits, sure.cell, 0, budget, left);
      return this.keep(key, value, value < budget);
    }
    const whole = this.weigh(layouts), least = Math.max(this.bound(layouts, whole, columns, left), known ? known.value : 0);
    if (least >= budget) return least;
    let best = Infinity;
    for (const { cell, weight } of this.candidates(layouts, columns)) {
      const missed = whole - weight;
      if (left === Infinity && missed >= Math.min(best, budget)) break;
      best = Math.min(best, this.after(layouts, hits, cell, missed, Math.min(best, budget), left));
      if (best <= least) break;
    }
    // Shots that were given up are worth at least the budget.
    return this.keep(key, Math.min(best, budget), best < budget);
  }

  // The total when a cell is shot, which misses layouts of the weight `missed`.
  after(layouts, hits, cell, missed, budget, left = this.left) {
    const struck = this.withHit(hits, cell), rests = [];
    let total = left < Infinity ? 0 : missed;
    for (const [answer, part] of this.split(layouts, cell, hits)) {
      const rest = answer < 0 ? left - 1 : left;
      if (part.length === 1 && rest >= 0) continue;
      const mine = answer < 0 ? hits : struck, known = this.known.get(this.key(part, mine, rest));
      const bound = known ? known.value : this.bound(part, this.weigh(part), this.choices(part, mine), rest);
      total += bound;
      if (rest >= 0 && !(known && known.exact)) rests.push({ part, mine, bound, rest });
    }
    for (const { part, mine, bound, rest } of rests.sort((a, b) => a.part.length - b.part.length)) {
      if (total >= budget) return total;
      total += this.value(part, mine, budget - total + bound, rest) - bound;
    }
    return total;
  }

  // {total, weight, best: cells with which a best tree begins}, and where misses are counted {mean, worst}
  solve() {
    const { all, hits } = this, weight = this.weigh(all), columns = this.columns(all, hits), many = all.length;
    const sure = columns.filter(({ count }) => count === many), cells = (some) => some.map(({ cell }) => cell);
    if (sure.length === columns.length) return { total: 0, weight, mean: 0, worst: 0, best: cells(sure) };
    const total = this.value(all, hits), slack = total * 1e-9, above = this.uniform ? 0.5 : 1e-6 * weight;
    const best = this.free && sure.length ? sure
      : columns.filter((column) => this.after(all, hits, column.cell, weight - column.weight, total + above) <= total + slack);
    return { total, weight, best: cells(best), ...(this.left < Infinity ? {} : { mean: total / weight, worst: this.worst(all, hits) }) };
  }

  // The total when a cell is shot and all is played best afterwards.
  totalAfter(cell) {
    const weight = this.weigh(this.all), column = this.columns(this.all, this.hits).find((each) => each.cell === cell);
    return this.after(this.all, this.hits, cell, weight - (column ? column.weight : 0), Infinity);
  }

  // The most misses of a layout with the best tree that takes the first of equally good cells.
  worst(layouts, hits) {
    const columns = this.choices(layouts, hits), many = layouts.length, whole = this.weigh(layouts);
    if (columns.every(({ count }) => count === many)) return 0;
    const total = this.value(layouts, hits), slack = total * 1e-9 + 1e-9, sure = this.free && columns.find(({ count }) => count === many);
    const { cell } = sure || columns.find((each) => this.after(layouts, hits, each.cell, whole - each.weight, total + 2 * slack) <= total + slack);
    const parts = [...this.split(layouts, cell, hits)], struck = this.withHit(hits, cell);
    return Math.max(...parts.map(([answer, part]) => (answer < 0 ? 1 : 0) + (part.length === 1 ? 0 : this.worst(part, answer < 0 ? hits : struck))));
  }
}
