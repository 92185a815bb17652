// What is to come: misses by phase of a game, and the chance to win a match.
//
// PHASES holds, for the named fleets, rows [bits of the layouts left, mean of the misses to come,
// their deviation], read off games that were played by the likeliest cell; between rows they follow
// straight lines. Misses to come of both sides of a match are taken for normal and independent.

import { NAMED_GAMES } from "../shared/games.js";
import { PHASES } from "./data.js";
import { rulesOf } from "./rules.js";

// {mean, deviation} of the misses to come with so many layouts left, null where no games are stored.
export function missesToCome(rules, layouts) {
  const name = Object.keys(NAMED_GAMES).find((each) => rulesOf({ fleet: each }).key === rules.key), rows = name && PHASES[name];
  if (!rows || !(layouts >= 1)) return null;
  const bits = Math.log2(layouts), after = rows.findIndex(([least]) => least >= bits);
  if (bits === 0) return { mean: 0, deviation: 0 };
  const [low, high] = after < 0 ? rows.slice(-2) : after === 0 ? [[0, 0, 0], rows[0]] : rows.slice(after - 1, after + 1);
  const share = high[0] === low[0] ? 1 : (bits - low[0]) / (high[0] - low[0]), between = (i) => Math.max(0, low[i] + share * (high[i] - low[i]));
  return { mean: between(1), deviation: between(2) };
}

// The normal distribution [Abramowitz and Stegun 7.1.26].
function below(x) {
  const z = Math.abs(x) / Math.SQRT2, s = 1 / (1 + 0.3275911 * z);
  const tail = s * (0.254829592 + s * (-0.284496736 + s * (1.421413741 + s * (-1.453152027 + s * 1.061405429)))) * Math.exp(-z * z);
  return x < 0 ? tail / 2 : 1 - tail / 2;
}

// The chance that who shoots next is done first. Sides are {layouts, left: cells of ships not hit};
// with `again` a hit shoots again, so that the fewer misses win, else the fewer shots.
export function chanceToWin(rules, mine, other, again) {
  const [my, its] = [mine, other].map(({ layouts }) => missesToCome(rules, layouts));
  if (!my || !its) return null;
  const ahead = its.mean - my.mean + (again ? 0 : other.left - mine.left) + 0.5; // a tie is mine
  const deviation = Math.hypot(my.deviation, its.deviation);
  return deviation > 0 ? below(ahead / deviation) : ahead > 0 ? 1 : 0;
}
