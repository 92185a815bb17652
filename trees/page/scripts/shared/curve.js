// A curve of misses over a game: those made, and those to expect in all.

import { svg } from "./elements.js";
import { counted, decimal, t } from "./words.js";

const CURVE = { width: 320, height: 96, left: 26, bottom: 16, top: 8 };

// Points by shots made: {misses, mean: to come, undefined where not counted, known: exactly}.
export function missCurve(points) {
  const { width, height, left, bottom, top } = CURVE, last = points.length - 1;
  const all = points.map(({ misses, mean }) => (mean === undefined ? undefined : misses + mean));
  const most = Math.max(1, ...points.map(({ misses }) => misses), ...all.filter((total) => total !== undefined));
  const x = (shot) => left + ((width - left - 6) * shot) / Math.max(1, last), y = (misses) => height - bottom - ((height - bottom - top) * misses) / most;
  const line = (kind, shots, value) => svg("path", { class: kind, d: shots.map((shot, i) => `${i ? "L" : "M"}${x(shot).toFixed(1)} ${y(value(shot)).toFixed(1)}`).join("") });
  const given = points.map((_, shot) => shot).filter((shot) => all[shot] !== undefined);
  const exact = given.filter((shot) => points[shot].known), estimated = given.filter((shot) => !points[shot].known);
  if (estimated.length && exact.length) estimated.push(exact[0]);
  const label = (at, up, text, anchor) => svg("text", { x: at, y: up, "text-anchor": anchor }, text);
  const said = given.length > 1 ? t("Misses to expect in all: {first} at first, {last} at last; {misses} made", { first: decimal(all[given[0]], 1), last: decimal(all[given[given.length - 1]], 1), misses: points[last].misses })
    : t("Misses made: {misses}", points[last]);
  return svg("svg", { class: "curve", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": said },
    svg("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - 6}` }),
    label(left - 4, y(most) + 4, String(Math.round(most)), "end"), label(left - 4, y(0) + 4, "0", "end"), label(x(last), height - 3, counted(last, "shot"), "end"),
    line("so-far", points.map((_, shot) => shot), (shot) => points[shot].misses),
    line("in-all estimated", estimated, (shot) => all[shot]), line("in-all", exact, (shot) => all[shot]));
}

// The points of a review; after its last shot nothing is expected any more than what was made.
export function pointsOf(review) {
  let misses = 0;
  const points = review.shots.map(({ answer, expected, known }) => {
    const before = misses;
    misses += answer === "miss" ? 1 : 0;
    return { misses: before, ...(expected ? { mean: expected.mean, known } : {}) };
  });
  return [...points, { misses, ...(review.layouts === 1 ? { mean: 0, known: true } : {}) }];
}
