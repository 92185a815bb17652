// The shot that is asked for, and the large buttons that answer it: by finger, mouse or key.

import { signs } from "../shared/board.js";
import { answerCode, lengthTold } from "../shared/codes.js";
import { byId, el, percent, svg } from "../shared/elements.js";
import { BETWEEN } from "../shared/games.js";
import { gameOf, rulesKey } from "../shared/record.js";
import { answerSaid, repliesAt } from "../shared/replies.js";
import { counted, listed, nodesOf, t } from "../shared/words.js";

export class ReplyPanel {
  // onReply(cell, answer) records an answer, null takes it back; onLeave() turns from a chosen cell
  // to the shot that is advised.
  constructor(ask, place, { onReply, onLeave }) {
    this.ask = ask;
    this.place = place;
    this.onReply = onReply;
    this.onLeave = onLeave;
    this.all = null;
    this.replies = [];
  }

  // The cell to be answered, null for none (buttons then wait); parts stand above the buttons.
  show(state, cell, parts) {
    const held = document.activeElement && document.activeElement.closest(".reply");
    const home = held && this.place.contains(held) ? held.dataset.reply : null;
    this.cell = cell;
    this.given = cell ? (state.shots.find(([name]) => name === cell) || [])[1] : undefined;
    this.ask.replaceChildren(...parts);
    if (cell) this.replies = this.offered(repliesAt(state, cell));
    else if (!this.replies.length || this.rules !== rulesKey(state)) this.replies = this.offered(repliesAt({ ...state, shots: [] }, gameOf(state).name(0)));
    this.rules = rulesKey(state);
    const shown = JSON.stringify([cell, this.given, this.replies]);
    if (shown === this.shown) return; // a button that goes under a finger would not be pressed
    this.shown = shown;
    const buttons = this.replies.map((reply) => this.button(reply));
    if (this.given) {
      buttons.push(this.plain(t("Take back"), () => this.onReply(this.cell, null), "back"));
    }
    this.place.replaceChildren(...buttons);
    this.place.classList.toggle("many", buttons.length > 4);
    this.place.classList.toggle("waiting", !cell);
    if (home !== null) (this.place.querySelector(`[data-reply="${home}"]`) || this.place.querySelector(".reply") || this.ask).focus({ preventScroll: true });
  }

  // Where sinkings tell a length, those that the board speaks for; the others behind one button.
  offered(replies) {
    const unlikely = replies.filter((reply) => !reply.likely && reply.answer !== this.given);
    const open = this.all === this.cell && this.cell !== null;
    if (!unlikely.length || open) return replies;
    const likely = replies.filter((reply) => !unlikely.includes(reply));
    const more = { answer: "", kind: unlikely[0].kind, word: unlikely[0].kind === "sunk" ? t("Sunk") : t("Other ship"), likely: false };
    return [...likely, more];
  }

  button(reply) {
    const kind = reply.kind, key = this.keyOf(reply);
    const pressed = this.given === undefined ? null : String(reply.answer === this.given);
    const spoken = reply.answer && reply.answer.startsWith("sunk:") ? `, ${t("a ship of length {length}", { length: reply.answer.slice(5) })}` : "";
    return el("button", {
      type: "button", class: `reply ${kind}${reply.likely || !reply.answer ? "" : " unlikely"}`, "data-reply": reply.answer || "more", "aria-pressed": pressed,
      "aria-disabled": this.cell ? null : "true", "aria-keyshortcuts": key || null, onclick: (event) => this.press(reply, event.detail),
    },
    svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: "sign" }, ...signs({ mark: kind })),
    el("span", { class: "word" }, reply.word, reply.answer ? null : el("span", { "aria-hidden": "true" }, "\u00a0…"), el("span", { class: "sr" }, reply.answer ? spoken : `, ${t("other lengths")}`)),
    el("kbd", { "aria-hidden": "true", hidden: !key }, key), reply.note ? el("small", {}, reply.note) : null);
  }

  plain(text, does, name) {
    return el("button", { type: "button", class: `reply ${name}`, "data-reply": name, onclick: does },
      svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: "sign" }, svg("path", { class: "taken", d: "M14 12L7 19L14 26M8 19H26a7 7 0 0 1 0 14H18" })),
      el("span", { class: "word" }, text));
  }

  // clicks: which click of a quick series it is. A double click is one answer: the second would be
  // taken for that of the next shot, which nobody has read yet.
  press(reply, clicks = 1) {
    if (!this.cell || clicks > 1) return;
    if (reply.answer) return this.give(reply.answer);
    this.all = this.cell;
    this.onLeave(this.cell);
    const added = this.place.querySelector(".unlikely");
    if (added) added.focus();
    return undefined;
  }

  give(answer) {
    if (answer === this.given) this.onLeave(null);
    else this.onReply(this.cell, answer);
  }

  // The key of a reply: its first letter where it is the only one of its kind, else its length.
  keyOf(reply) {
    if (!reply.answer) return "";
    if (this.replies.filter((each) => each.kind === reply.kind && each.answer).length === 1) return reply.kind[0].toUpperCase();
    const length = lengthTold(answerCode(reply.answer));
    const same = this.replies.filter((each) => each.answer && lengthTold(answerCode(each.answer)) === length);
    return same.length === 1 ? String(length) : "";
  }

  // Takes a key, true if it was meant for an answer.
  key(pressed) {
    const key = pressed.toUpperCase();
    const direct = this.replies.find((reply) => this.keyOf(reply) === key);
    if (direct) {
      this.press(direct);
      return true;
    }
    const kind = { M: "miss", H: "hit", S: "sunk" }[key];
    const first = kind && this.replies.findIndex((reply) => reply.kind === kind);
    if (!kind || first < 0) return false;
    const reply = this.replies[first];
    if (reply.answer) this.place.children[first].focus();
    else this.press(reply);
    return true;
  }
}

export function countingWords(share) {
  return share > 0 ? t("counting… {percent} %", { percent: Math.round(100 * share) }) : t("counting…");
}

// What stands above the buttons: the shot that is advised or was chosen, or how the game ended.
export function askParts(tab) {
  const { chosen, suggested, state } = tab;
  const strong = (text) => el("strong", { class: "aim" }, text);
  const told = (share) => el("span", { class: "chance-told" }, " ", share <= 0 ? t("cannot be hit: no layout that fits has a ship there") : share >= 1 ? t("a certain hit") : `${percent(share)} %`);
  const leave = (text) => el("button", { type: "button", class: "quiet", onclick: () => { tab.choose(null); byId("advise-ask").focus({ preventScroll: true }); } }, text);
  if (tab.editing) return [t("Tap cells: each turns from not shot to miss, hit, sunk and back."), " ", el("button", { type: "button", onclick: () => tab.edit(false) }, t("Done"))];
  const share = (cell) => (tab.advice ? tab.shares(tab.advice)[gameOf(state).cell(cell)] : null);
  if (chosen) {
    const given = tab.record.answerAt(chosen);
    const back = leave(suggested ? t("back to {cell}", { cell: suggested }) : t("leave it"));
    if (given) return [strong(chosen), el("span", { class: "chance-told" }, ` ${t("was {answer}. Change it:", { answer: answerSaid(state, given) })} `), ...sunkShipButton(tab), back];
    return [strong(chosen), ...(tab.advice && !tab.quiet ? [told(share(chosen))] : []), " ", back];
  }
  if (tab.over) {
    const missed = state.shots.filter(([, answer]) => answer === "miss").length;
    return [el("strong", { class: "done" }, t("The fleet is sunk: {shots}, {misses}.", { shots: counted(state.shots.length, "shot"), misses: counted(missed, "miss") })),
      ...(state.fleet.includes(BETWEEN) ? [] : [el("button", { type: "button", onclick: () => byId("advise-review").click() }, t("Review this game"))])];
  }
  if (tab.doubtful) return ["\u00a0"];
  if (tab.quiet) return [t("Tap the cell that you shoot.")];
  if (!suggested && tab.slow && !tab.thinking) return [el("span", { id: "advise-share" }, countingWords(tab.share)), " ", el("button", { type: "button", id: "advise-stop", onclick: () => tab.stop() }, t("Stop"))];
  if (!suggested) return [tab.thinking ? t("looking for the best shot…") : "\u00a0"];
  if (tab.salvo > 1) return [...nodesOf("Shoot {cell}", { cell: strong(suggested) }), told(share(suggested)), el("span", { class: "also" }, ` ${t("This turn: {cells}", { cells: tab.volley.map((cell) => `${cell} ${tab.record.answerAt(cell) === null ? `${percent(share(cell))} %` : "✓"}`).join(", ") })}`)];
  const also = tab.advice.best.slice(1);
  const { beside = [] } = tab.advice;
  const aside = beside.length ? [el("span", { class: "also" }, ` ${t("Beside the hit: {cells}, {percent} %; {best} is better now", { cells: listed(beside.slice(0, 3)), percent: percent(share(beside[0])), best: suggested })}`)] : [];
  const asGood = also.length > 5 ? t("{cells} and {more} more are as good", { cells: also.slice(0, 5).join(", "), more: also.length - 5 })
    : t(also.length > 1 ? "{cells} are as good" : "{cells} is as good", { cells: listed(also) });
  return [...nodesOf("Shoot {cell}", { cell: strong(suggested) }), told(share(suggested)),
    ...(also.length ? [el("span", { class: "also" }, ` ${asGood}`)] : []), ...aside];
}

// Beside a sinking whose ship was told or left open: asks for it again.
function sunkShipButton(tab) {
  const { chosen, state, unsure } = tab, game = gameOf(state), known = (state.ships || []).find((ship) => game.ship(ship).includes(game.cell(chosen)));
  if (!known && !unsure.has(chosen)) return [];
  const again = () => {
    for (const cell of known ? game.ship(known).map((each) => game.name(each)) : [chosen]) unsure.delete(cell);
    if (known) tab.record.forget([known]);
    tab.changed(t("Which ship was sunk is asked again"));
  };
  return [el("button", { type: "button", "data-ask": "ship", onclick: again }, known ? t("another ship than {ship}", { ship: known.replace(":", "–") }) : t("which ship?"))];
}
