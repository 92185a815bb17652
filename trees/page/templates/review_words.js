// A review in words.

// Misses as on the command line: "~" where they are lost at once and not exact.
function lossText(lost, exact) {
  const text = lost === 0 ? "0" : lost < 0.001 ? "<0.001" : lost.toFixed(3);
  return exact ? text : `~${text}`;
}

function lossWords(lost, exact) {
  if (lost === 0) return exact ? "It lost nothing." : "It lost nothing at once.";
  const text = lossText(lost, true).replace("<", "less than ");
  return exact ? `It lost ${text} misses, exactly.` : `It lost ${text} misses at once.`;
}

// A chance in percent; 0 and 100 only where it is exactly 0 or 1.
function chanceText(chance) {
  const text = (100 * chance).toFixed(1).replace(/\.0$/, "");
  if (text === "0" && chance > 0) return "<0.1 %";
  if (text === "100" && chance < 1) return ">99.9 %";
  return `${text} %`;
}

function sum(review) {
  return `${review.exact ? "" : "~"}${review.misses_lost.toFixed(2)}`;
}

function reviewMeaning(review) {
  const lost = review.misses_lost.toFixed(2);
  const exact = review.shots.filter((shot) => shot.exact).length;
  const play = review.misses_lost === 0 ? "No better shot was there at any time."
    : review.exact ? `Compared with optimal play from the same positions, these shots cost ${lost} misses on average.`
      : exact ? `${counted(exact, "shot")} are compared with optimal play; the losses of the others (~) are estimated, against the likeliest cell that was not certain.`
        : `The chances of a hit that these shots gave away, against the likeliest cell that was not certain, add up to ${lost} misses.`;
  const luck = Math.abs(review.luck) < 0.005 ? "The answers were neither kind nor unkind." : `The answers were ${review.luck > 0 ? "kinder" : "less kind"} than expected; that is luck, not play.`;
  const part = review.stopped_by ? ` The review was stopped early: it is about the first ${counted(review.shots.length, "shot")}.` : "";
  return `${play} ${luck}${part}`;
}
