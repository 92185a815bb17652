// Advice for the next shot: the likeliest cell, or exact play once few layouts are left.

import { countMap, listLayouts } from "./counter.js";
import { Endgame, OutOfSteps } from "./endgame.js";
import { constrain } from "./position.js";
import { missesToCome } from "./outlook.js";
import { placementWeights } from "./prior.js";
import { MISS } from "./rules.js";

export const FEW_LAYOUTS = 2000; // with more left, exact play is not tried
export const STEPS = 1_000_000; // of the search for exact play: half a second, mostly

// most: steps of the search; left: misses that may still be made, without end for the fewest on
// average
export function* solveEndgame(position, prior, most, left = Infinity) {
  const ships = yield* listLayouts(position), placed = placementWeights(position.rules, prior);
  const weights = placed && Float64Array.from(ships, (numbers) => numbers.reduce((product, number) => product * placed[number], 1));
  return new Endgame(position, ships, { weights, most, left });
}

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
  try {
    const { total, weight, mean, worst, best } = (yield* solveEndgame(position, prior, think, reached ? Infinity : left)).solve();
    best.sort((a, b) => map.cells[b] - map.cells[a] || a - b);
    const found = { map, method: "optimal", best, ...finishing(1 - total / weight) };
    return mean === undefined ? found : { ...found, total, mean, worst };
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    return { map, method: "greedy-map", best: likeliest, note: "steps" };
  }
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
