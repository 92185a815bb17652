// Whether some layout fits constraints: a search that places the ship with the fewest ways first.
//
// The required cell that the fewest allowed placements cover takes one of them; once none is left,
// the longest ship that is afloat lies anywhere. Of answers that name ships the numbers have to be right
// in the end. Where that takes too many steps the sweep answers, which leaves numbers open.
// What it cost is added to `spent.work`, in additions of the sweep.

import { constrain, lay, numberedAs } from "./position.js";
import { Sweep, finish } from "./sweep.js";

const MOST_STEPS = 4000;
const MOST_NUMBERED = 40_000; // where ships are named, whose numbers only the search sees to
const STEP_WORK = 16; // additions that take as long as a step does for each placement

class TooLong extends Error {}

function place(rules, { allowed, required, left }, number) {
  const next = { allowed: allowed.slice(), required: required.slice(), left: left.slice() };
  lay(rules, next, number);
  return next;
}

// accepts: of the placements of a whole layout
function search(rules, constraints, budget, accepts, placed, from = 0) {
  if (--budget.steps < 0) throw new TooLong();
  const { allowed, required, left } = constraints;
  let ways = null;
  for (let cell = 0; cell < rules.cells && (!ways || ways.length > 1); cell++) {
    if (!required[cell]) continue;
    const here = rules.covers[cell].filter((number) => allowed[number]);
    if (!ways || here.length < ways.length) ways = here;
  }
  if (ways) return ways.some((number) => search(rules, place(rules, constraints, number), budget, accepts, [...placed, number]));
  const type = left.findIndex((count) => count > 0);
  if (type < 0) return accepts(placed);
  // Equal ships in increasing order, so that none is tried twice.
  for (const { number, type: mine } of rules.placements) {
    if (mine !== type || !allowed[number] || number < from) continue;
    const next = place(rules, constraints, number);
    if (search(rules, next, budget, accepts, [...placed, number], next.left[type] ? number : 0)) return true;
  }
  return false;
}

// Whether some layout fits; `unknown` where neither search nor sweep can tell.
export function fits(position, { spent = { work: 0 }, ...options } = {}, unknown = true) {
  const constraints = constrain(position, options), { rules } = position;
  if (!constraints) return false;
  const need = constraints.left.map((count, type) => count - rules.placements.reduce((sum, each) => sum + (each.type === type && constraints.allowed[each.number] ? 1 : 0), 0));
  if (need.some((missing) => missing > 0)) return false;
  const most = rules.answers === "ship" ? MOST_NUMBERED : MOST_STEPS, budget = { steps: most }, { kept = new Uint8Array(position.shots.length).fill(1) } = options;
  const accepts = rules.answers === "ship" ? (ships) => numberedAs(position, kept, ships) : () => true;
  try {
    return search(rules, constraints, budget, accepts, constraints.fixed);
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    const sweep = options.sweep === false ? null : Sweep.of(rules, constraints);
    if (sweep) spent.work += sweep.work;
    return sweep ? finish(sweep.total()) > 0 : unknown;
  } finally {
    spent.work += (most - budget.steps) * STEP_WORK * rules.placements.length;
  }
}
