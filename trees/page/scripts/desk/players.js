// Who shoots for the program, from easy to strongest. A player is told only the answers to its own
// shots: `choose(position, random)` is a generator that returns a cell.

import { MISS } from "../shared/codes.js";
import { adviseAt } from "./advice.js";
import { constrain } from "./position.js";
import { priorFits } from "./prior.js";

function pick(cells, random) {
  return cells[Math.floor(random() * cells.length)];
}

function openCells(position) {
  return [...position.order.keys()].filter((cell) => position.order[cell] < 0 && !position.rules.blocked.has(cell));
}

// Anywhere, until a hit; then beside the hits whose ship is not known to be sunk.
function* wanderer(position, random) {
  const { rules } = position, constraints = constrain(position), open = openCells(position);
  const near = new Set();
  for (const [cell, code] of position.shots) {
    if (code !== MISS && (!constraints || constraints.required[cell])) for (const side of rules.near(cell, false)) near.add(side);
  }
  const targets = open.filter((cell) => near.has(cell));
  return pick(targets.length ? targets : open, random);
}

// The cell through which most ships can lie, each ship by itself; those through hits count more.
function* surveyor(position, random) {
  const { rules } = position, constraints = constrain(position), open = openCells(position);
  if (!constraints) return pick(open, random);
  const worth = new Float64Array(rules.cells), { allowed, required, left } = constraints;
  for (const { number, cells, type } of rules.placements) {
    if (!allowed[number] || !left[type]) continue;
    const struck = cells.filter((cell) => required[cell]).length;
    for (const cell of cells) worth[cell] += left[type] * 20 ** struck;
  }
  for (const number of constraints.fixed) for (const cell of rules.placements[number].cells) worth[cell] = Infinity;
  const most = open.reduce((max, cell) => Math.max(max, worth[cell]), 0);
  return pick(open.filter((cell) => worth[cell] === most), random);
}

function counting(prior) {
  return function* counter(position, random) {
    const { best } = yield* adviseAt(position, { prior, think: 0 });
    return best.length ? pick(best, random) : pick(openCells(position), random);
  };
}

export const PLAYERS = {
  easy: wanderer,
  middling: surveyor,
  strong: counting("uniform"),
  people: counting("people"),
};

// The players of a game, from easy to strongest.
export function playersOf(rules) {
  return Object.keys(PLAYERS).filter((name) => name !== "people" || priorFits(rules));
}
