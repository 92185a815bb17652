// Exact play once few layouts are left, on a board of any size, by the core's search: for the fewest
// misses on average, or to finish as often as can be with so many misses.
//
// Only cells that some layout may occupy matter. The work is counted in steps, so that the same is
// found on every machine.

import { listLayouts } from "./counter.js";
import { wholeWeights } from "./prior.js";
import { OPEN_SUNK, Problem, cellsOf } from "./problem.js";
import { Refusal } from "./rules.js";
import { LOST, NoMoreRoom, Search, TOTAL } from "./search.js";

// The search for what is left of a game; `release` it.
//   left: misses that may still be made, null for the fewest on average; steps: that it may take
class Endgame {
  constructor(position, layouts, { prior = "uniform", left = null, steps }) {
    this.problem = new Problem(position, layouts, { weights: wholeWeights(position.rules, prior, layouts), partial: true });
    Object.assign(this, { left, steps, asked: left === null ? { goal: TOTAL } : { goal: LOST, limit: Math.min(left, this.problem.cells) } });
    this.search = new Search(this.problem);
  }

  release() { this.search.release(); }

  get weight() { return this.problem.weight; }

  // Steps that it may still take.
  get most() { return Math.max(0, this.steps - this.search.spent); }

  // {total, worst, best: cells with which a best tree begins}, null if it takes too much.
  *solve() {
    const { problem, search, asked } = this, due = problem.certain & ~problem.hit, free = problem.mode !== OPEN_SUNK;
    if (due && (free || problem.certain === problem.occupied)) {
      const value = yield* search.ask({ ...asked, most: this.most });
      return value && { total: value.misses, worst: value.worst, best: cellsOf(due) };
    }
    const value = yield* search.ask({ ...asked, every: true, most: this.most });
    return value && { total: value.misses, worst: value.worst, best: cellsOf(search.bestShots) };
  }

  // The total when a cell is shot and all is played best afterwards, null if it takes too much.
  *totalAfter(cell) {
    const { problem, search } = this, water = !problem.cellOf.has(cell);
    const value = yield* search.ask({ ...this.asked, ...(water ? {} : { cell }), most: this.most });
    return value && value.misses + (water ? this.weight : 0);
  }
}

// What some exact play is worth to `work`, null where it cannot be searched or the core has no room for it.
export function* withEndgame(position, options, work) {
  let play = null;
  try {
    play = new Endgame(position, yield* listLayouts(position), options);
    return yield* work(play);
  } catch (error) {
    if (!(error instanceof NoMoreRoom || error instanceof Refusal)) throw error;
    return null;
  } finally {
    if (play) play.release();
  }
}
