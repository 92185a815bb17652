// What a review shows beside the board: its numbers, the worst mistakes, bars, a table.

import { el, tile } from "../shared/elements.js";
import { counted, decimal, listed, t } from "../shared/words.js";
import { chanceText, lossText, lossWords, sum } from "./words.js";

const MOST_MISTAKES = 6;

export function reviewStats(review) {
  const exact = review.shots.filter((shot) => shot.exact).length;
  const how = review.exact ? t("exactly") : exact ? t("{exactly} exactly, {once} at once", { exactly: decimal(review.lost_exactly, 2), once: decimal(review.lost_at_once, 2) }) : t("at once");
  const luck = `${review.luck < 0 ? "−" : "+"}${decimal(Math.abs(review.luck), 2)}`;
  return [
    tile(t("Misses lost"), sum(review), how),
    tile(t("Luck, in hits"), luck, t("{hits}, {expected} expected", { hits: counted(review.hits, "hit"), expected: decimal(review.expected_hits, 2) })),
    tile(t("Misses"), String(review.misses), t("in {shots}", { shots: counted(review.shots.length, "shot") })),
  ];
}

// The worst mistakes, which can be tried again before the best shot is shown.
export function worstOf(review) {
  return review.mistakes.slice(0, MOST_MISTAKES);
}

// The shots that lost most, as buttons; `tried` are those whose best shot may be shown.
export function mistakeItems(review, tried, onPick) {
  return worstOf(review).map((number) => {
    const shot = review.shots[number - 1];
    const best = shot.optimal || shot.best;
    const parts = { number, chance: chanceText(shot.chance), cells: best.length > 3 ? t("{cells} and {more} more", { cells: best.slice(0, 3).join(", "), more: best.length - 3 }) : best.join(", ") };
    return el("li", {}, el("button", { type: "button", "data-number": number, onclick: () => onPick(number) },
      el("span", { class: "where" }, el("strong", {}, shot.cell), ` ${shotAnswer(shot)}`),
      el("span", { class: "why" }, t(tried.has(number) ? "shot {number}: {chance}; better {cells}" : "shot {number}: {chance}; try it again", parts)),
      el("span", { class: shot.exact ? "loss" : "loss once" }, lossText(shot.lost, shot.exact))));
  });
}

// A bar for each shot, as high as its loss; below it a tick in the colour of its answer.
export function lossBars(review, onPick) {
  const most = Math.max(...review.shots.map((shot) => shot.lost), 0.05);
  const bars = review.shots.map((shot) => {
    const bar = el("span", { class: `loss-bar ${shot.exact ? "exact" : "once"} ${shot.answer.split(":")[0]}`, "data-number": shot.number, title: `${shot.number} ${shot.cell} ${shotAnswer(shot)}: ${lossText(shot.lost, shot.exact)}` }, el("span", { class: "fill" }), el("span", { class: "tick" }));
    bar.style.setProperty("--h", shot.lost / most);
    return bar;
  });
  const worst = review.mistakes.slice(0, 3).map((number) => t("shot {number} lost {misses}", { number, misses: lossText(review.shots[number - 1].lost, true) }));
  const strip = el("div", { class: "loss-bars", role: "img", "aria-label": worst.length ? t("Misses lost by each of {shots}: {worst} most", { shots: counted(bars.length, "shot"), worst: listed(worst) }) : t("None of {shots} lost anything", { shots: counted(bars.length, "shot") }) }, ...bars);
  strip.addEventListener("click", (event) => {
    const { left, width } = strip.getBoundingClientRect();
    const at = Math.floor((bars.length * (event.clientX - left)) / width) + 1;
    onPick(Math.max(1, Math.min(bars.length, at)));
  });
  return strip;
}

export function barsLegend(review) {
  const key = (kind, text) => el("span", {}, el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text);
  const kinds = [["exact", t("exact loss")], ["once", t("~ loss at once")]].filter(([kind]) => review.shots.some((shot) => shot.exact === (kind === "exact")));
  const answers = ["miss", "hit", "sunk"].filter((kind) => review.shots.some((shot) => shot.answer.split(":")[0] === kind));
  return [...kinds.map(([kind, text]) => key(kind, text)), ...answers.map((kind) => key(kind, t(kind)))].flatMap((each) => [each, " "]);
}

export function shotTable(review, onPick) {
  const head = ["", t("Shot"), t("Chance"), t("Best"), t("Lost")].map((text) => el("th", { scope: "col" }, text || el("span", { class: "sr" }, t("Number"))));
  const rows = review.shots.map((shot) => el("tr", { "data-number": shot.number },
    el("td", { class: "n" }, String(shot.number)),
    el("th", { scope: "row" }, el("button", { type: "button", class: "quiet", onclick: () => onPick(shot.number) }, `${shot.cell} ${shotAnswer(shot)}`)),
    el("td", {}, chanceText(shot.chance)), el("td", {}, chanceText(shot.best_chance)), el("td", {}, lossText(shot.lost, shot.exact))));
  return el("table", { class: "shots" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

// One shot in words: its chance, the best there was, what it lost, and what would have been better.
export function shotWords(shot, shots, again) {
  const best = shot.optimal || shot.best;
  const cells = best.length > 6 ? t("{cells} and {more} more", { cells: best.slice(0, 6).join(", "), more: best.length - 6 }) : listed(best);
  const parts = { chance: chanceText(shot.chance), best: chanceText(shot.best_chance), cells };
  const alone = best.includes(shot.cell) && best.length === 1;
  return [
    shotTitle(shot, shots),
    ...again,
    el("p", {}, t(shot.chance >= shot.best_chance ? "Its chance was {chance}, the best there was." : "Its chance was {chance}; the best there was {best}.", parts)),
    el("p", { class: shot.lost > 0 ? "lost" : "kept" }, lossWords(shot.lost, shot.exact)),
    el("p", { class: "hint" }, t(shot.optimal ? alone ? "Optimal was this cell alone." : "Optimal: {cells}." : alone ? "Likeliest was this cell alone." : "Likeliest: {cells}.", parts)),
  ];
}

// A mistake that has not been tried again: what was best is not shown yet.
export function questionWords(shot, shots, onShow) {
  return [
    shotTitle(shot, shots),
    el("p", {}, t("{cell} was one of the worst mistakes. Where would you shoot now? Tap a cell.", shot)),
    el("div", { class: "steps wrap" }, el("button", { type: "button", "data-show": "best", onclick: onShow }, t("Show the best shot"))),
  ];
}

// What another shot in the place of a mistake would have been worth.
export function triedWords(shot, cell, chance) {
  const best = shot.optimal || shot.best, parts = { cell, chance: chanceText(chance) };
  const text = t(best.includes(cell) ? "{cell} is a best shot: {chance}." : cell === shot.cell ? "{cell} again: {chance}." : "{cell} hits with {chance}.", parts);
  return el("p", { class: best.includes(cell) ? "kept" : "" }, text);
}

function shotTitle(shot, shots) {
  return el("h2", {}, t("Shot {number} of {shots}: {cell}, {answer}", { ...shot, shots, answer: shotAnswer(shot) }));
}

export function shotAnswer({ answer }) {
  const [kind, ...more] = answer.split(":");
  return [t(kind), ...more].join(" ");
}
