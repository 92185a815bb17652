// Whether some layout fits constraints: a search that places the ship with the fewest ways first.
//
// The required cell that the fewest allowed placements cover takes one of them; once none is left,
// the longest ship that is afloat lies anywhere. Where that takes too many steps the sweep answers.
// What it cost is added to `spent.work`, in additions of the sweep.

import { constrain } from "./position.js";
import { Sweep, finish } from "./sweep.js";

const MOST_STEPS = 4000;
const STEP_WORK = 16; // additions that take as long as a step does for each placement

class TooLong extends Error {}

function place(rules, { allowed, required, left }, number) {
  const { cells, halo, type } = rules.placements[number], covers = rules.covers;
  const next = { allowed: allowed.slice(), required: required.slice(), left: left.slice() };
  for (const cell of cells) next.required[cell] = 0;
  for (const cell of halo) for (const other of covers[cell]) next.allowed[other] = 0;
  next.left[type]--;
  if (!next.left[type]) for (const other of rules.placements) if (other.type === type) next.allowed[other.number] = 0;
  return next;
}

function search(rules, constraints, budget, from = 0) {
  if (--budget.steps < 0) throw new TooLong();
  const { allowed, required, left } = constraints;
  let ways = null;
  for (let cell = 0; cell < rules.cells && (!ways || ways.length > 1); cell++) {
    if (!required[cell]) continue;
    const here = rules.covers[cell].filter((number) => allowed[number]);
    if (!ways || here.length < ways.length) ways = here;
  }
  if (ways) return ways.some((number) => search(rules, place(rules, constraints, number), budget));
  const type = left.findIndex((count) => count > 0);
  if (type < 0) return true;
  // Equal ships in increasing order, so that none is tried twice.
  for (const { number, type: mine } of rules.placements) {
    if (mine !== type || !allowed[number] || number < from) continue;
    const next = place(rules, constraints, number);
    if (search(rules, next, budget, next.left[type] ? number : 0)) return true;
  }
  return false;
}

// Whether some layout fits; `unknown` where neither search nor sweep can tell.
export function fits(position, { spent = { work: 0 }, ...options } = {}, unknown = true) {
  const constraints = constrain(position, options), { rules } = position;
  if (!constraints) return false;
  const need = constraints.left.map((count, type) => count - rules.placements.reduce((sum, each) => sum + (each.type === type && constraints.allowed[each.number] ? 1 : 0), 0));
  if (need.some((missing) => missing > 0)) return false;
  const budget = { steps: MOST_STEPS };
  try {
    return search(rules, constraints, budget);
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    const sweep = options.sweep === false ? null : Sweep.of(rules, constraints);
    if (sweep) spent.work += sweep.work;
    return sweep ? finish(sweep.total()) > 0 : unknown;
  } finally {
    spent.work += (MOST_STEPS - budget.steps) * STEP_WORK * rules.placements.length;
  }
}
