// Choosing a game: the two named fleets first, any board, fleet, contact rule and answers otherwise.

import { FLEET } from "./address.js";
import { el } from "./elements.js";
import { BETWEEN, NAMED_GAMES } from "./games.js";
import { Refusal, ask } from "./questions.js";
import { RULES, nameOfRules, rulesInWords, rulesKey, sameRules } from "./record.js";
import { t } from "./words.js";

const CHOICES = {
  contact: [["none", t("Ships do not touch")], ["corners", t("May touch at corners")], ["sides", t("May touch")]],
  answers: [["hit", t("Hit or miss")], ["sunk", t("Hit, miss or sunk")], ["ship", t("The ship hit is named")]],
  announce: [["length", t("Its length is told")], ["none", t("Nothing more is told")]],
};

const FLEETS = [
  { rules: NAMED_GAMES.russian, name: t("Russian"), kind: t("fleet"), about: t("10 ships on 10 × 10 that do not touch") },
  { rules: NAMED_GAMES.hasbro, name: t("Hasbro"), kind: t("fleet"), about: t("5 ships on 10 × 10 that may touch") },
];

export class Chooser {
  // onChoose(rules) is called with a game whose form is right; the worker may still refuse it.
  constructor(place, onChoose, games = FLEETS) {
    this.onChoose = onChoose;
    this.games = games;
    const id = `${place.id}-`;
    const field = (name, label, control) => el("label", { class: "field", id: `${id}${name}-field` }, label, control);
    const select = (name) => el("select", { name }, ...CHOICES[name].map(([value, text]) => el("option", { value }, text)));
    this.named = games.map(({ rules, name, kind, about }) => el("button", { type: "button", "data-fleet": nameOfRules(rules) || rulesKey(rules), title: about, onclick: () => this.choose(rules) }, name, " ", el("span", { class: "kind" }, kind)));
    this.controls = {
      board: el("input", { name: "board", value: "10x10", inputmode: "text", autocomplete: "off", maxlength: 7 }),
      fleet: el("input", { name: "fleet", value: "4,3,3,2,2,2,1,1,1,1", inputmode: "text", autocomplete: "off", maxlength: 80 }),
      blocked: el("input", { name: "blocked", value: "", inputmode: "text", autocomplete: "off", maxlength: 400 }),
      contact: select("contact"), answers: select("answers"), announce: select("announce"),
    };
    this.complaint = el("p", { class: "complaint", role: "alert", hidden: true });
    this.announceField = field("announce", t("When a ship is sunk"), this.controls.announce);
    const form = el("form", { novalidate: true },
      el("div", { class: "fields" },
        field("board", t("Board, rows × columns"), this.controls.board), field("fleet", t("Ships"), this.controls.fleet),
        field("contact", t("Contact"), this.controls.contact), field("answers", t("Answers"), this.controls.answers), this.announceField, field("blocked", t("Cells without ships"), this.controls.blocked)),
      this.complaint,
      el("div", { class: "steps wrap" }, el("button", { type: "submit" }, t("Take this game"))));
    form.addEventListener("submit", (event) => { event.preventDefault(); this.take(); });
    form.addEventListener("change", () => this.showAnnounce());
    this.summary = el("summary", {}, t("Other game"));
    this.element = el("details", { class: "chooser" }, this.summary, form);
    place.append(el("div", { class: "games panel" },
      el("div", { class: "named", role: "group", "aria-label": t("Game") }, ...this.named), this.element));
    this.showAnnounce();
  }

  showAnnounce() {
    this.announceField.hidden = this.controls.contact.value !== "sides" || this.controls.answers.value !== "sunk";
  }

  // The game that is shown as chosen.
  set(rules) {
    for (const name of [...RULES, "blocked"]) this.controls[name].value = rules[name] || "";
    this.complain("");
    this.showAnnounce();
    const chosen = this.games.some((game) => sameRules(game.rules, rules));
    this.named.forEach((button, i) => button.setAttribute("aria-pressed", String(sameRules(this.games[i].rules, rules))));
    this.summary.replaceChildren(chosen ? t("Other game") : rulesInWords(rules).slice(0, 2).join(", "));
    this.summary.classList.toggle("chosen", !chosen);
  }

  complain(text) {
    this.complaint.textContent = text;
    this.complaint.hidden = !text;
  }

  take() {
    const rules = Object.fromEntries(RULES.map((name) => [name, this.controls[name].value.trim()]));
    const board = /^(\d{1,2})\s*[x×х*]\s*(\d{1,2})$/i.exec(rules.board);
    if (!board || !Number(board[1]) || !Number(board[2])) return this.complain(t("Board “{board}”: write rows × columns, such as 10x10.", rules));
    const ships = rules.fleet.toLowerCase().replace(/[×х]/g, "x").split(BETWEEN).map((fleet) => fleet.split(/[\s,;]+/).filter(Boolean).join()).join(BETWEEN);
    if (!FLEET.test(ships)) {
      return this.complain(t("Ships “{fleet}”: write lengths such as 5,4,3,3,2, rectangles such as 2x2, or drawings by rows such as xx/x; one of several fleets as 3,2|4,2.", rules));
    }
    const blocked = this.controls.blocked.value.split(/[\s,;]+/).filter(Boolean).map((name) => name.toUpperCase());
    if (blocked.length) rules.blocked = blocked.join();
    rules.board = `${Number(board[1])}x${Number(board[2])}`;
    rules.fleet = ships;
    if (rules.contact !== "sides" || rules.answers !== "sunk") rules.announce = "length";
    return this.takeIfPossible(rules);
  }

  // A game that has no layout is refused here, and the one in progress stays.
  async takeIfPossible(rules) {
    try {
      const { possible, ...taken } = await ask("fits", rules);
      if (possible) this.choose({ ...rules, ...taken });
      else this.complain(t("The fleet {fleet} does not fit on this board under this contact rule: take a larger board, fewer ships, or let them touch.", rules));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.complain(error.message);
    }
  }

  choose(rules) {
    this.element.open = false;
    this.set(rules);
    (this.named.find((_, i) => sameRules(this.games[i].rules, rules)) || this.summary).focus();
    this.onChoose(rules);
  }
}
