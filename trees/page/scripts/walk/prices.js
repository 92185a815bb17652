// What a shot costs in words: the misses more than the best, a total over `count` layouts, or in the
// worst case where `count` is 0.

import { counted, t } from "../shared/words.js";

function costNumber(cost, count, digits) {
  if (count === 0) return String(cost);
  const share = cost / count;
  return cost > 0 && share < 0.5 * 10 ** -digits ? `<${(10 ** -digits).toFixed(digits)}` : share.toFixed(digits);
}

// In short for a cell: 0, +0.08, <0.01.
export function costShort(cost, count) {
  if (cost === 0) return "0";
  const number = costNumber(cost, count, 2);
  return number.startsWith("<") ? number : `+${number}`;
}

export function costWords(cost, count, digits = 2) {
  if (cost === 0) return t("costs nothing more than the best shot");
  const number = costNumber(cost, count, digits).replace("<", t("less than "));
  if (count === 0) return t("costs {misses} more than the best shot in the worst case", { misses: counted(cost, "miss") });
  return t("costs {number} misses more than the best shot", { number });
}
