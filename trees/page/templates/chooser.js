// Choosing a game: the two named fleets first, any board, fleet, contact rule and answers otherwise.

const CHOICES = {
  contact: [["none", "Ships do not touch"], ["corners", "May touch at corners"], ["sides", "May touch"]],
  answers: [["hit", "Hit or miss"], ["sunk", "Hit, miss or sunk"], ["ship", "The ship hit is named"]],
  announce: [["length", "Its length is told"], ["none", "Nothing more is told"]],
};

const FLEETS = [
  ["russian", "Russian fleet", "10 ships on 10 × 10 that do not touch"],
  ["hasbro", "Hasbro fleet", "5 ships on 10 × 10 that may touch"],
];

class Chooser {
  // onChoose(rules) is called with a game whose form is right; the worker may still refuse it.
  constructor(place, onChoose) {
    this.onChoose = onChoose;
    const id = `${place.id}-`;
    const field = (name, label, control) => el("label", { class: "field", id: `${id}${name}-field` }, label, control);
    const select = (name) => el("select", { name }, ...CHOICES[name].map(([value, text]) => el("option", { value }, text)));
    this.named = FLEETS.map(([name, title, about]) => el("button", { type: "button", "data-fleet": name, title: about, onclick: () => this.choose(NAMED[name]) }, title.replace(" fleet", ""), el("span", { class: "kind" }, " fleet")));
    this.controls = {
      board: el("input", { name: "board", value: "10x10", inputmode: "text", autocomplete: "off", maxlength: 7 }),
      fleet: el("input", { name: "fleet", value: "4,3,3,2,2,2,1,1,1,1", inputmode: "text", autocomplete: "off", maxlength: 80 }),
      contact: select("contact"), answers: select("answers"), announce: select("announce"),
    };
    this.complaint = el("p", { class: "complaint", role: "alert", hidden: true });
    this.announceField = field("announce", "When a ship is sunk", this.controls.announce);
    const form = el("form", { novalidate: true },
      el("div", { class: "fields" },
        field("board", "Board, rows × columns", this.controls.board), field("fleet", "Ship lengths", this.controls.fleet),
        field("contact", "Contact", this.controls.contact), field("answers", "Answers", this.controls.answers), this.announceField),
      this.complaint,
      el("div", { class: "steps wrap" }, el("button", { type: "submit" }, "Take this game")));
    form.addEventListener("submit", (event) => { event.preventDefault(); this.take(); });
    form.addEventListener("change", () => this.showAnnounce());
    this.element = el("details", { class: "chooser" }, this.summary = el("summary", {}, "Other game"), form);
    place.append(el("div", { class: "games panel" },
      el("div", { class: "named", role: "group", "aria-label": "Game" }, ...this.named), this.element));
    this.showAnnounce();
  }

  showAnnounce() {
    this.announceField.hidden = this.controls.contact.value !== "sides" || this.controls.answers.value !== "sunk";
  }

  // The game that is shown as chosen.
  set(rules) {
    for (const name of RULES) this.controls[name].value = rules[name];
    this.complain("");
    this.showAnnounce();
    const chosen = nameOfRules(rules);
    for (const button of this.named) button.setAttribute("aria-pressed", String(button.dataset.fleet === chosen));
    this.summary.replaceChildren(chosen ? "Other game" : rulesInWords(rules).slice(0, 2).join(", "));
    this.summary.classList.toggle("chosen", !chosen);
  }

  complain(text) {
    this.complaint.textContent = text;
    this.complaint.hidden = !text;
  }

  take() {
    const rules = Object.fromEntries(RULES.map((name) => [name, this.controls[name].value.trim()]));
    const board = /^(\d{1,2})\s*[x×*]\s*(\d{1,2})$/i.exec(rules.board);
    if (!board || !Number(board[1]) || !Number(board[2])) return this.complain(`Board “${rules.board}”: write rows × columns, such as 10x10.`);
    const lengths = rules.fleet.split(/[\s,;]+/).filter(Boolean);
    if (!lengths.length || !lengths.every((length) => /^[1-9]\d?$/.test(length))) {
      return this.complain(`Ship lengths “${rules.fleet}”: write whole numbers, such as 5,4,3,3,2.`);
    }
    rules.board = `${Number(board[1])}x${Number(board[2])}`;
    rules.fleet = lengths.map(Number).sort((a, b) => b - a).join(",");
    if (rules.contact !== "sides" || rules.answers !== "sunk") rules.announce = "length";
    return this.takeIfPossible(rules);
  }

  // A game that has no layout is refused here, and the one in progress stays.
  async takeIfPossible(rules) {
    try {
      const { possible } = await ask("fits", rules);
      if (possible) this.choose(rules);
      else this.complain(`The fleet ${rules.fleet} does not fit on this board under this contact rule: take a larger board, fewer ships, or let them touch.`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.complain(error.message);
    }
  }

  choose(rules) {
    this.element.open = false;
    this.set(rules);
    (this.named.find((button) => button.dataset.fleet === nameOfRules(rules)) || this.summary).focus();
    this.onChoose(rules);
  }
}
