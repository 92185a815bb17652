// What stands beside the board: the fleet, the numbers, the maps that can be chosen, the answers.

import { answerKind } from "../shared/answers.js";
import { answerCode } from "../shared/codes.js";
import { missCurve } from "../shared/curve.js";
import { byId, el, percent, shipShape, tile } from "../shared/elements.js";
import { MOST_SALVO } from "../shared/games.js";
import { layoutsText, missesOf, sharesOf, toldFleet } from "../shared/looks.js";
import { countOf, fleetNames, gameOf } from "../shared/record.js";
import { answerSaid } from "../shared/replies.js";
import { LANGUAGE, counted, decimal, t } from "../shared/words.js";

const SALVOS = Array.from({ length: MOST_SALVO }, (_, i) => i + 1);
const NEXT_BEST = 3;

export function drawFacts(tab) {
  byId("advise-fleet").replaceChildren(...fleetOf(tab.state));
  byId("advise-names").textContent = fleetNames(tab.state);
  byId("advise-stats").replaceChildren(...statsOf(tab));
  drawCurve(tab);
  byId("advise-note").textContent = tab.advice && !tab.quiet ? [noteOf(tab.advice, tab.within), nextBest(tab)].filter(Boolean).join(" ") : "";
  drawMaps(tab);
  drawPrior(tab);
  drawGoal(tab);
  redrawn(byId("advise-salvo"), [el("span", { class: "name" }, t("Shots in a turn")), ...SALVOS.map((count) => choiceButton(String(count), tab.salvo === count, () => tab.setSalvo(count), { "data-salvo": count }))]);
  const doubted = tab.conflict ? tab.conflict.answers.map(([cell]) => cell) : [];
  const path = byId("advise-path"), shots = path.childElementCount;
  path.replaceChildren(...chipsOf(tab, doubted));
  if (path.childElementCount > shots) path.scrollTop = path.scrollHeight; // to the newest
  byId("advise-table").replaceChildren(...tab.state.shots.map(([cell, answer], i) =>
    el("tr", {}, el("td", {}, String(i + 1)), el("td", {}, cell), el("td", {}, answerSaid(tab.state, answer)))));
}

// The fleet, or every one that it may be.
function fleetOf(state) {
  const { fleets } = gameOf(state), or = t("or");
  if (fleets.length === 1) return [toldFleet(state)];
  return [...fleets.flatMap((ships, i) => [...(i ? [el("span", { class: "hint" }, or)] : []), ...ships.map(shipShape)]), el("span", { class: "sr" }, t("Fleet: {ships}", { ships: fleets.join(` ${or} `) }))];
}

// Where the numbers come from, if that is not plain.
function noteOf({ estimated, about, note, method, best, chances, finishes, fleets }, within) {
  if (fleets) return t("Layouts by fleet: {fleets}.", { fleets: fleets.map(({ fleet, layouts }) => `${fleet}: ${layouts.toLocaleString(LANGUAGE)}`).join("; ") });
  if (estimated) {
    return t("This board is too large to be counted here. The map is estimated from {samples} layouts drawn; a chance is off by {error} points or so, the number of layouts by {layouts} %.", {
      samples: estimated.samples.toLocaleString(LANGUAGE), error: (100 * estimated.error).toFixed(1), layouts: (100 * estimated.layouts_error).toFixed(1),
    });
  }
  if (about) return t("The number of layouts is rounded: it is beyond 2^53.");
  if (note === "steps") return t("Exact play would take longer: the likeliest cell is advised.");
  if (!best.length) return "";
  if (finishes > 0) return t("Played exactly from here on: these shots finish most often within {misses}.", { misses: counted(within, "miss") });
  if (within !== null && method !== "optimal") return t("Too many layouts are left to play for a limit of misses: the likeliest cell is advised.");
  return t(method === "optimal" ? "Played exactly from here on: these shots miss least on average."
    : chances ? "Why {cell}: of the fleets people are likely to hide, more have a ship there than at any other cell."
      : "Why {cell}: of all layouts that fit the answers, more have a ship there than at any other cell.", { cell: best[0] });
}

// The cells that come after the best ones, by their chance.
function nextBest({ advice, record, state }) {
  if (advice.method === "optimal" || !advice.best.length) return "";
  const game = gameOf(state), shares = sharesOf(advice), open = (cell) => shares[cell] > 0 && record.answerAt(game.name(cell)) === null && !advice.best.includes(game.name(cell));
  const next = [...shares.keys()].filter(open).sort((a, b) => shares[b] - shares[a] || a - b).slice(0, NEXT_BEST);
  return next.length ? t("Next best: {cells}.", { cells: next.map((cell) => `${game.name(cell)} ${percent(shares[cell])} %`).join(", ") }) : "";
}

function statsOf(tab) {
  const { state, advice } = tab;
  const missed = state.shots.filter(([, answer]) => answer === "miss").length;
  const layouts = advice ? layoutsText(advice, false) : tab.conflict ? "0" : tab.trouble ? "–" : "…";
  const tiles = [tile(t("Layouts left"), layouts, "", { row: layouts.length > 9, long: layouts.length > 12 })];
  if (advice && advice.chance !== null && tab.suggested && !tab.quiet) tiles.push(tile(t("Best shot hits"), `${advice.chance >= 1 ? "100" : decimal(100 * advice.chance, 1)} %`, tab.suggested));
  tiles.push(tile(t("Shots so far"), String(state.shots.length), counted(missed, "miss")));
  if (advice && advice.method === "optimal" && advice.mean_misses !== undefined && !tab.over) {
    tiles.push(tile(t("Misses to come"), advice.mean_misses ? decimal(advice.mean_misses, advice.mean_misses < 10 ? 2 : 1) : "0", t("mean, with exact play")));
    tiles.push(tile(t("At worst"), String(advice.worst_misses), t("misses to come")));
  }
  if (advice && advice.finishes !== undefined && !tab.over) tiles.push(tile(t("Finished in time"), `${percent(advice.finishes)} %`, t("within {misses}", { misses: counted(tab.within, "miss") })));
  if (advice && advice.expected && !tab.over) tiles.push(tile(t("Misses to come"), `≈ ${decimal(advice.expected.mean, 0)}`, t("give or take {deviation}: read off stored games", { deviation: decimal(advice.expected.deviation, 0) })));
  return tiles;
}

// The misses to expect in all after each answer, as far as they were counted.
function drawCurve(tab) {
  const { advice, state, curve } = tab, made = missesOf(state.shots), at = (count) => JSON.stringify([state.fleet, state.board, state.shots.slice(0, count)]);
  if (advice && !tab.thinking && (advice.expected || advice.mean_misses !== undefined)) {
    curve.set(at(state.shots.length), advice.expected ? { mean: advice.expected.mean, known: false } : { mean: advice.mean_misses, known: true });
  }
  const points = Array.from({ length: state.shots.length + 1 }, (_, count) => ({ misses: missesOf(state.shots.slice(0, count)), ...curve.get(at(count)) }));
  const shown = points.filter(({ mean }) => mean !== undefined).length > 1;
  byId("advise-curve").replaceChildren(...(shown && made ? [missCurve(points)] : []));
}

// A button of several of which one is pressed.
function choiceButton(text, pressed, does, attributes = {}) {
  return el("button", { type: "button", "aria-pressed": String(pressed), onclick: does, ...attributes }, text);
}

// Puts buttons into a place and leaves the focus where it was.
function redrawn(place, nodes) {
  const at = [...place.children].indexOf(document.activeElement);
  place.replaceChildren(...nodes);
  if (at >= 0 && place.children[at]) place.children[at].focus({ preventScroll: true });
}

function drawMaps(tab) {
  const place = byId("advise-maps"), caption = byId("advise-caption"), left = tab.lengthsLeft(), lengths = tab.shipWords;
  caption.hidden = !lengths;
  redrawn(caption, [t(tab.ships.length === 1 && countOf(tab.state, tab.ships[0]) === 1 ? "Where the ship of length {length} can be" : "Where a ship of length {length} can be", { length: lengths }), el("button", { type: "button", onclick: () => { tab.showShips([]); place.querySelector("button").focus({ preventScroll: true }); } }, t("All ships"))]);
  place.hidden = left.length < 2;
  redrawn(place, [el("span", { class: "name" }, t("Map of ships of length")), choiceButton(t("any"), !lengths, () => tab.showShips([])),
    ...left.map((length) => choiceButton(`${length}`, tab.ships.includes(length), () => tab.turnShip(length), { "data-length": length, "aria-label": t("Ships of length {length}", { length }) }))]);
}

function drawPrior(tab) {
  const place = byId("advise-prior");
  place.hidden = byId("advise-prior-note").hidden = !tab.priorFits;
  byId("advise-prior-note").hidden = tab.prior !== "people";
  redrawn(place, [el("span", { class: "name" }, t("Hidden")), choiceButton(t("any way, equally likely"), tab.prior === "uniform", () => tab.setPrior("uniform"), { "data-prior": "uniform" }),
    choiceButton(t("as people hide"), tab.prior === "people", () => tab.setPrior("people"), { "data-prior": "people" })]);
}

// What is played for: the fewest misses, or to finish with so many in all.
function drawGoal(tab) {
  const { state, advice, within } = tab, made = missesOf(state.shots), limited = within !== null;
  const expected = advice && (advice.mean_misses !== undefined ? advice.mean_misses : advice.expected ? advice.expected.mean : 10);
  const limit = el("input", { type: "number", min: "0", max: String(gameOf(state).cells), value: String(within), "aria-label": t("Misses in all"), onchange: ({ target }) => tab.setWithin(Math.max(0, Math.floor(Number(target.value)) || 0)) });
  redrawn(byId("advise-goal"), [el("span", { class: "name" }, t("Play for")), choiceButton(t("the fewest misses"), !limited, () => tab.setWithin(null), { "data-goal": "mean" }),
    choiceButton(t("at most so many"), limited, () => tab.setWithin(limited ? within : made + Math.round(expected || 0)), { "data-goal": "within" }), ...(limited ? [limit] : [])]);
}

function chipsOf(tab, doubted) {
  const { state } = tab;
  if (!state.shots.length) return [el("li", { class: "hint" }, t("No shot yet."))];
  return state.shots.map(([cell, answer], i) => el("li", {},
    el("button", { type: "button", class: `chip ${answerKind(answerCode(answer))}${doubted.includes(cell) ? " doubted" : ""}`, "data-cell": cell, "aria-current": tab.chosen === cell ? "true" : null, onclick: () => tab.open(cell) },
      el("span", { class: "number" }, String(i + 1)), cell, " ", el("span", { class: "told" }, answerSaid(state, answer)))));
}
