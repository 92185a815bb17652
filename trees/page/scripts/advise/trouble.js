// What the game asks back: which of the answers that contradict each other is wrong, which ship a
// sinking meant, and what is refused.

import { byId, el } from "../shared/elements.js";
import { answerSaid } from "../shared/replies.js";
import { listed, t } from "../shared/words.js";

const LIKELIEST = 6; // changes that are offered first

// The answers of a conflict and what resolves it; `acts` changes, takes back, forgets and relaxes.
function conflictParts(state, conflict, acts) {
  const said = conflict.answers.map(([cell, answer]) => `${cell} ${answerSaid(state, answer)}`);
  const ships = conflict.ships.map((ship) => t("the sunk ship at {ship}", { ship: ship.replace(":", "–") }));
  const all = [...said, ...ships];
  const head = t(all.length > 2 ? "{answers} cannot all be true." : all.length > 1 ? "{answers} cannot both be true." : "{answers} cannot be true.", { answers: listed(all) || t("What was answered") });
  const rows = conflict.answers.map(([cell, answer]) => {
    const changes = conflict.changes.filter(([name]) => name === cell).map(([, other]) => other);
    const buttons = changes.map((other) => el("button", { type: "button", "data-change": `${cell} ${other}`, "aria-label": t("{cell} was {answer}", { cell, answer: answerSaid(state, other) }), onclick: () => acts.change(cell, other) }, answerSaid(state, other)));
    return el("li", { class: "steps" },
      el("button", { type: "button", class: "doubted", "data-change": `${cell} open`, onclick: () => acts.open(cell) }, `${cell} ${answerSaid(state, answer)}`), ...buttons,
      el("button", { type: "button", class: "quiet", "data-change": `${cell} back`, "aria-label": t("Take {cell} back", { cell }), onclick: () => acts.change(cell, null) }, t("take back")));
  });
  for (const ship of conflict.ships) {
    rows.push(el("li", { class: "steps" }, el("span", { class: "doubted" }, t("Ship {ship}", { ship })), el("button", { type: "button", onclick: () => acts.forget(ship) }, t("not known"))));
  }
  const fits = conflict.contact_that_fits;
  if (fits) {
    const text = { corners: t("Ships may touch at corners"), sides: t("Ships may touch") }[fits] || fits;
    rows.push(el("li", { class: "steps" }, el("span", { class: "doubted" }, t("Or the rule")), el("button", { type: "button", "data-change": "contact", onclick: () => acts.relax(fits) }, text)));
  }
  const asks = el("p", {}, t("What was the answer? The others stay. To go on first, tap any cell."));
  if (conflict.changes.length <= LIKELIEST && rows.length <= LIKELIEST) return [el("h2", {}, head), asks, el("ul", {}, ...rows)];
  const few = t("{answers} of your answers cannot all be true.", { answers: all.length }), most = Math.min(LIKELIEST, conflict.repairs || conflict.changes.length);
  const first = conflict.changes.slice(0, most).map(([cell, other], i) => el("li", {}, el("button", { type: "button", "data-likely": `${cell} ${other}`, onclick: () => acts.change(cell, other) },
    t("{cell} was {answer}", { cell, answer: answerSaid(state, other) }), ...(i === 0 && conflict.repairs > 1 ? [" ", el("small", {}, t("likeliest"))] : []))));
  const rest = el("details", {}, el("summary", {}, t("More: every answer of these, and what it may have been")), el("ul", {}, ...rows));
  return [el("h2", {}, few), el("p", {}, conflict.repairs ? t("One wrong answer would explain it, these the likeliest first:") : t("No single change mends the whole game; these mend a part of it:")), el("ul", { class: "likeliest steps" }, ...first), asks, rest];
}

// Other rules of contact for a state, and what they need besides.
function relaxed(state, contact) {
  const silent = contact === "sides" && state.shots.some(([, answer]) => answer === "sunk");
  return silent ? { contact, announce: "none" } : { contact };
}

// The question which ship a sinking meant.
function whichParts(sinking, board, acts) {
  const title = el("h2", { id: "advise-which-title" }, t("Which ship did {cell} sink?", { cell: sinking.shot }));
  const buttons = sinking.ships.map((ship, i) => {
    const point = () => board.point(i), leave = () => board.point(-1);
    return el("button", { type: "button", "data-ship": ship, onclick: () => acts.know(ship), onfocus: point, onmouseenter: point, onblur: leave, onmouseleave: leave },
      el("span", { class: `sample choice-${i % 4}`, "aria-hidden": "true" }), ship.replace(":", "–"));
  });
  return [title, el("div", { class: "steps" }, ...buttons, el("button", { type: "button", class: "quiet", "data-ship": "", onclick: acts.unsure }, t("I don’t know")))];
}

// What cannot be counted: a sentence, and what can be done.
function refusalParts(refusal, acts) {
  const what = t("Nothing is lost: undo, or choose another game above.");
  return [el("h2", {}, t("This game cannot be counted")), el("p", {}, `${refusal.message}${/[.?!]$/.test(refusal.message) ? "" : "."} ${what}`),
    el("div", { class: "steps" }, el("button", { type: "button", "data-again": true, onclick: acts.again }, t("Try again")))];
}

export function drawQuestions(tab) {
  const which = byId("advise-which"), trouble = byId("advise-trouble"), open = tab.doubtful;
  const held = document.activeElement;
  const lost = held && (which.contains(held) || trouble.contains(held));
  which.hidden = !open;
  which.replaceChildren(...(open ? whichParts(open, tab.board, {
    know: (ship) => { tab.record.know(ship); tab.changed(t("{cell} sank {ship}", { cell: open.shot, ship })); },
    unsure: () => { tab.unsure.add(open.shot); tab.draw(); },
  }) : []));
  trouble.hidden = !tab.trouble || Boolean(tab.chosen);
  trouble.replaceChildren(...(!tab.trouble ? [] : tab.conflict ? conflictParts(tab.state, tab.conflict, {
    change: (cell, answer) => tab.answer(cell, answer),
    open: (cell) => tab.open(cell),
    forget: (ship) => { tab.record.forget([ship]); tab.changed(t("Ship {ship} is not known", { ship })); },
    relax: (contact) => { tab.record.rule(relaxed(tab.state, contact)); tab.changed(t("The contact rule is relaxed"), t("The contact rule is relaxed. Undo brings it back.")); },
  }) : refusalParts(tab.trouble, { again: () => tab.refresh() })));
  if (lost && !document.activeElement.closest("#advise button")) byId("advise-ask").focus({ preventScroll: true });
}
