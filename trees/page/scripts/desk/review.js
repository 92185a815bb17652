// Looking back at a game: the chance of each shot, the best there was, and the misses it lost.
//
// A shot loses at once the chance of a hit that it gave away, against the likeliest cell that was
// not certain. Towards the end of a game losses are exact: the misses to expect with that shot and
// exact play afterwards, less those of exact play.

import { MISS, answerText } from "../shared/codes.js";
import { FEW_LAYOUTS } from "../shared/games.js";
import { STEPS } from "./advice.js";
import { countLayouts, countMap } from "./counter.js";
import { withEndgame } from "./endgame.js";
import { missesToCome } from "./outlook.js";

const MOST_STEPS = 8 * STEPS; // of searching for exact losses
const STEPS_EACH = 2 * STEPS;

function judged(map, position, number, after) {
  const { rules } = position, [cell, code] = position.shots[number - 1], name = (each) => rules.name(each);
  const certain = new Set(map.certain), unsure = map.cells.map((sum, each) => (certain.has(each) ? 0 : sum));
  const [likeliest] = map.likeliest(unsure), best = map.likeliest(), chance = certain.has(cell) ? 1 : map.chance(cell);
  const most = likeliest === undefined ? 0 : map.chance(likeliest);
  const alike = certain.has(cell) || likeliest === undefined || map.likeliest(unsure).includes(cell);
  const lost = alike ? 0 : most - chance;
  const shot = {
    number, cell: name(cell), answer: answerText(code), chance, best_chance: best.length ? map.chance(best[0]) : 0,
    best: best.map(name), certain: certain.has(cell), layouts_before: map.layouts, layouts_after: after, lost, exact: false, lost_at_once: lost, expected: missesToCome(rules, map.layouts), known: false,
  };
  // What is known without a search: a shot at water tells nothing, and certain hits are free.
  const over = certain.size === rules.fleetCells, free = rules.contact !== "sides" || rules.answers !== "sunk";
  if (map.cells[cell] === 0) Object.assign(shot, { lost: 1, exact: true });
  else if (map.exact && certain.has(cell) && (over || free)) Object.assign(shot, { lost: 0, exact: true });
  return shot;
}

export function* review(position, { prior = "uniform" } = {}, say = () => {}) {
  const count = position.shots.length, shots = [], { rules } = position, maps = [];
  for (let number = 1; number <= count; number++) {
    maps.push(yield* countMap(position.first(number - 1), prior));
    say({ shot: number, of: count });
  }
  const layouts = yield* countLayouts(position);
  maps.forEach((map, i) => shots.push(judged(map, position, i + 1, i + 1 < count ? maps[i + 1].layouts : layouts)));
  let left = MOST_STEPS;
  for (const shot of [...shots].reverse()) {
    if (!(shot.layouts_before <= FEW_LAYOUTS)) break;
    const exact = yield* exactLoss(position, shot.number, { prior, steps: Math.min(left, STEPS_EACH) });
    if (!exact) break; // nor can the positions before, which are larger
    left -= exact.spent;
    const { optimum, total, weight } = exact;
    Object.assign(shot, { known: true, expected: { mean: optimum.total / weight }, lost: (total - optimum.total) / weight, exact: true, optimal: optimum.best.sort((a, b) => a - b).map((cell) => rules.name(cell)) });
    yield;
  }
  const sum = (value) => shots.reduce((total, shot) => total + value(shot), 0), hits = position.shots.filter(([, code]) => code !== MISS).length;
  return {
    ...(prior === "uniform" ? {} : { prior }), shots, hits, misses: count - hits, layouts,
    misses_lost: sum((shot) => shot.lost), exact: shots.every((shot) => shot.exact),
    lost_exactly: sum((shot) => (shot.exact ? shot.lost : 0)), lost_at_once: sum((shot) => (shot.exact ? 0 : shot.lost)),
    luck: hits - sum((shot) => shot.chance), expected_hits: sum((shot) => shot.chance), stopped_by: "",
    mistakes: shots.filter((shot) => shot.lost > 0).sort((one, other) => other.lost - one.lost || one.number - other.number).map((shot) => shot.number),
  };
}

// Of a shot: {optimum, total with it, weight, spent: its steps}; null where that takes too much.
function exactLoss(position, number, options) {
  return withEndgame(position.first(number - 1), options, function* solve(play) {
    const optimum = yield* play.solve(), total = optimum && (yield* play.totalAfter(position.shots[number - 1][0]));
    return total === null ? null : { optimum, total, weight: play.weight, spent: play.search.spent };
  });
}
