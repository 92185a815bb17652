// A review in words.

import { counted, decimal, t } from "../shared/words.js";

// Misses as on the command line: "~" where they are lost at once and not exact.
export function lossText(lost, exact) {
  const text = lost === 0 ? "0" : lost < 0.001 ? `<${decimal(0.001, 3)}` : decimal(lost, 3);
  return exact ? text : `~${text}`;
}

export function lossWords(lost, exact) {
  if (lost === 0) return exact ? t("It lost nothing.") : t("It lost nothing at once.");
  return t(exact ? "It lost {misses} misses, exactly." : "It lost {misses} misses at once.", { misses: lossText(lost, true) });
}

// A chance in percent; 0 and 100 only where it is exactly 0 or 1.
export function chanceText(chance) {
  const tenths = Math.round(1000 * chance);
  if (tenths === 0 && chance > 0) return `<${decimal(0.1, 1)} %`;
  if (tenths === 1000 && chance < 1) return `>${decimal(99.9, 1)} %`;
  return `${decimal(tenths / 10, tenths % 10 ? 1 : 0)} %`;
}

export function sum(review) {
  return `${review.exact ? "" : "~"}${decimal(review.misses_lost, 2)}`;
}

export function reviewMeaning(review) {
  const misses = decimal(review.misses_lost, 2);
  const exact = review.shots.filter((shot) => shot.exact).length;
  const play = review.misses_lost === 0 ? t("No better shot was there at any time.")
    : review.exact ? t("Compared with optimal play from the same positions, these shots cost {misses} misses on average.", { misses })
      : exact ? t("{shots} are compared with optimal play; the losses of the others (~) are estimated, against the likeliest cell that was not certain.", { shots: counted(exact, "shot") })
        : t("The chances of a hit that these shots gave away, against the likeliest cell that was not certain, add up to {misses} misses.", { misses });
  const luck = t(Math.abs(review.luck) < 0.005 ? "The answers were neither kind nor unkind."
    : review.luck > 0 ? "The answers were kinder than expected; that is luck, not play." : "The answers were less kind than expected; that is luck, not play.");
  return `${play} ${luck}`;
}
