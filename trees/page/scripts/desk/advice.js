// Advice for the next shot: the likeliest cell, or exact play once few layouts are left.

import { MISS } from "../shared/codes.js";
import { FEW_LAYOUTS } from "../shared/games.js";
import { countMap } from "./counter.js";
import { withEndgame } from "./endgame.js";
import { missesToCome } from "./outlook.js";
import { constrain } from "./position.js";

export const STEPS = 5_000_000; // of the search for exact play: half a second, mostly

// {map, method, best, and with exact play total, mean, worst, or for the goal of at most `within`
// misses in all the chance to finish; note: why there is none}
export function* adviseAt(position, { prior = "uniform", think = STEPS, within = Infinity } = {}) {
  const map = yield* countMap(position, prior), { certain } = map, { rules } = position;
  const left = within - position.shots.filter(([, code]) => code === MISS).length, reached = left < 0;
  const finishing = (share) => (within < Infinity ? { finishes: reached ? 0 : share } : {});
  if (map.exact && certain.length === rules.fleetCells) {
    return { map, method: "optimal", best: certain.filter((cell) => position.order[cell] < 0), total: 0, mean: 0, worst: 0, ...finishing(1) };
  }
  const likeliest = map.likeliest();
  if (map.estimated || map.layouts > FEW_LAYOUTS || think <= 0) return { map, method: "greedy-map", best: likeliest };
  const solved = yield* solvedRest(position, { prior, steps: think, left: reached || within === Infinity ? null : left });
  if (!solved) return { map, method: "greedy-map", best: likeliest, note: "steps" };
  const { total, weight, worst } = solved, best = solved.best.sort((a, b) => map.cells[b] - map.cells[a] || a - b), found = { map, method: "optimal", best };
  if (within < Infinity && !reached) return { ...found, ...finishing((weight - total) / weight) };
  return { ...found, ...finishing(0), total, mean: total / weight, worst };
}

// What is left of a game solved; null where that takes too much work, or cannot be searched.
function solvedRest(position, options) {
  return withEndgame(position, options, function* solve(play) {
    const found = yield* play.solve();
    return found && { ...found, weight: play.weight };
  });
}

// The likeliest cells beside a hit of a ship not known to be sunk, where many would shoot next.
function besideHits(map) {
  const { position } = map, { rules } = position, constraints = constrain(position);
  const sunk = new Set(constraints.fixed.map((number) => rules.placements[number].cells).filter((cells) => cells.every((cell) => position.order[cell] >= 0)).flat());
  const near = new Set(position.shots.filter(([cell, code]) => code !== MISS && !sunk.has(cell)).flatMap(([cell]) => rules.near(cell, false)));
  return map.likeliest(map.cells.map((sum, cell) => (near.has(cell) ? sum : 0)));
}

// The map, and the document of `advise --json` as far as the page uses it.
export function* advise(position, { ship = 0, ...options } = {}) {
  const { map, method, best, total, mean, worst, finishes, note } = yield* adviseAt(position, options);
  const document = { ...map.document(ship), best: best.map((cell) => position.rules.name(cell)), chance: best.length ? map.chance(best[0]) : null, method };
  if (total !== undefined) Object.assign(document, { total_misses: total, mean_misses: mean, worst_misses: worst });
  else if (finishes === undefined) Object.assign(document, { expected: missesToCome(position.rules, map.layouts) });
  if (finishes !== undefined) document.finishes = finishes;
  if (note) document.note = note;
  const beside = besideHits(map);
  document.beside = beside.some((cell) => best.includes(cell)) ? [] : beside.map((cell) => position.rules.name(cell));
  return { map, document };
}
