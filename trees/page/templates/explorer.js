// The page: walking a tree by answering its shots, and watching strategies find a hidden fleet.

class Explorer {
  constructor(data) {
    this.game = new Game(data.game);
    this.strategies = data.strategies.map((each) => new Strategy(each, this.game));
    this.mode = "answer";
    this.chosen = 0;
    this.walks = this.strategies.map(() => ({ trail: [0], at: 0 }));
    this.secret = new Set();
    this.layout = null;
    this.step = 0;
    this.timer = null;
    this.makeCosts(data);
    this.makeHeader(data);
    this.makeAnswer();
    this.makeHide();
    this.readHash();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("resize", () => this.drawTree());
    window.addEventListener("hashchange", () => { if (location.hash !== this.hash) { this.readHash(); this.show(); } });
    this.show();
    this.openFiles();
  }

  get strategy() { return this.walk.own || this.strategies[this.chosen]; }

  get file() { return this.files[this.chosen]; }

  get walk() { return this.walks[this.chosen]; }

  get node() { return this.walk.trail[this.walk.at]; }

  // ------------------------------------------------------------------ what stands at the top

  makeHeader(data) {
    const parts = data.about.split(" · ");
    byId("game").append(...parts.flatMap((part, i) => [el("span", {}, i < parts.length - 1 ? `${part} ·` : part), " "]));
    byId("fleet").append(...this.game.fleet.map(shipShape), el("span", { class: "sr" }, `Fleet ${this.game.fleet.join(", ")}`));
    themeButton(byId("theme"), () => this.drawTree());
    for (const mode of ["answer", "hide"]) {
      byId(`tab-${mode}`).addEventListener("click", () => this.turnTo(mode));
    }
    byId("tab-answer").parentElement.addEventListener("keydown", (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      this.turnTo(this.mode === "answer" ? "hide" : "answer");
      byId(`tab-${this.mode}`).focus();
      event.preventDefault();
      event.stopPropagation();
    });
    if (this.strategies.length > 1) {
      byId("picker").append(...this.strategies.map((strategy, i) =>
        el("button", { type: "button", onclick: () => this.choose(i) }, strategy.name)));
    }
    const keys = [["M H S", "answer miss, hit, sunk"], ["1 2 3 …", "the answers in their order"], ["← →", "one shot back, forward"],
      ["Home End", "to the beginning, to the end"], ["Space", "watch or pause"], ["arrows, Enter", `on a board: move, set a ship's cell${this.sources.some((source) => source) ? ", shoot a cell" : ""}`]];
    byId("keys").append(...keys.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)]));
  }

  turnTo(mode) {
    this.pause();
    this.mode = mode;
    if (mode === "hide" && !this.secret.size) this.pickRandom();
    this.show();
  }

  choose(i) {
    this.chosen = i;
    this.show();
    this.say(`${this.strategy.name}. ${this.askText()}`);
  }

  say(text) {
    byId("live").textContent = text;
  }

  show() {
    const held = document.activeElement;
    const home = held && held.closest("#answers, #ask, #path, .steps, .transport");
    for (const mode of ["answer", "hide"]) {
      const on = mode === this.mode;
      byId(`tab-${mode}`).setAttribute("aria-selected", String(on));
      byId(`tab-${mode}`).setAttribute("tabindex", on ? "0" : "-1");
      byId(mode).hidden = !on;
    }
    byId("picker").hidden = this.mode !== "answer" || this.strategies.length < 2;
    [...byId("picker").children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === this.chosen)));
    if (this.mode === "answer") this.showAnswer();
    else this.showHide();
    this.writeHash();
    if (home && (!held.isConnected || held.disabled)) this.keepFocus(home, held.dataset.answer);
  }

  // What was focused is gone or can no longer be pressed: focus what takes its place, so that
  // nobody who works by keyboard is thrown back to the top of the page.
  keepFocus(home, answer) {
    const places = ["#play", "[aria-current]", "[aria-pressed=true]", "button"].map((each) => `${each}:not(:disabled)`);
    if (answer) places.unshift(`[data-answer="${answer}"]:not(:disabled)`);
    const next = home.hidden ? null : places.map((each) => home.querySelector(each)).find((each) => each);
    (next || byId("ask")).focus({ preventScroll: true });
  }

  // ------------------------------------------------------------------ answering its shots

  makeAnswer() {
    const onPick = this.sources.some((source) => source) ? (cell) => this.shoot(cell) : null;
    this.board = new BoardView(this.game, { label: "Board", onPick, selects: false });
    byId("walk-board").append(this.board.element);
    this.map = new TreeMap(byId("whole"), (v) => this.go(v));
    byId("back").addEventListener("click", () => this.move(-1));
    byId("forward").addEventListener("click", () => this.move(1));
    byId("restart").addEventListener("click", () => this.moveTo(0));
    byId("chances").addEventListener("change", () => this.show());
  }

  // Answers as buttons: all that the rules know where they are few, else those that can come.
  choices() {
    const { kids, code } = this.strategy;
    const next = new Map(kids[this.node].map((kid) => [code[kid], kid]));
    const codes = this.strategy.possible.length <= 3 ? this.strategy.possible : [...next.keys()];
    return codes.map((each) => [each, next.get(each)]);
  }

  answer(code) {
    const found = this.choices().find(([each, kid]) => each === code && kid !== undefined);
    if (!found) return;
    const cell = this.strategy.shot[this.node];
    this.go(found[1], `${answerWords(code, this.game.fleet)} at ${this.game.name(cell)}. `);
  }

  go(v, said = "") {
    const { walk } = this, at = walk.trail.indexOf(v);
    if (at >= 0) walk.at = at;
    else this.walks[this.chosen] = this.walkTo(v);
    this.show();
    this.say(said + this.summary());
  }

  move(by) { this.moveTo(this.walk.at + by); }

  moveTo(at) {
    if (at < 0 || at >= this.walk.trail.length || at === this.walk.at) return;
    this.go(this.walk.trail[at]);
  }

  summary() {
    const { strategy, node } = this;
    if (strategy.shot[node] < 0) return this.askText();
    return `${counted(strategy.left(node), "layout")} left, ${strategy.mean(node).toFixed(2)} misses still to come on average, ` +
      `${strategy.worst[node]} at worst. ${this.askText()}`;
  }

  askText() {
    const { strategy, node, game } = this;
    if (strategy.shot[node] >= 0) return `Next shot: ${game.name(strategy.shot[node])}`;
    const hit = new Set(strategy.shotsBefore(node).map(([cell]) => cell));
    const left = strategy.cellsOf(strategy.start[node]).filter((cell) => !hit.has(cell)).length;
    const rest = left ? `${counted(left, "cell")} left to hit, nothing more is missed.` : "Every ship is hit.";
    return `Found with ${counted(strategy.missed[node], "miss")}. ${rest}`;
  }

  showAnswer() {
    this.costs(); // may take choices back
    const { strategy, node, walk } = this;
    const leaf = strategy.shot[node] < 0;
    const looks = this.showCosts(this.looksOf(strategy, strategy.shotsBefore(node), node));
    this.board.grid.setAttribute("aria-label", `Board, ${strategy.name}`);
    this.board.show(looks);
    byId("ask").replaceChildren(...this.askParts(leaf));
    byId("answers").hidden = leaf;
    byId("answers").replaceChildren(...this.answerButtons());
    byId("answers").classList.toggle("many", this.choices().length > 3);
    byId("back").disabled = byId("restart").disabled = walk.at === 0;
    byId("forward").disabled = walk.at === walk.trail.length - 1;
    const tile = (name, value, note) => el("div", {}, el("dt", {}, name), el("dd", {}, value, el("small", {}, note)));
    byId("stats").replaceChildren(
      tile("Layouts left", strategy.left(node).toLocaleString("en"), `of ${strategy.layouts.toLocaleString("en")}`),
      tile("Misses so far", String(strategy.missed[node]), `in ${counted(strategy.depth[node], "shot")}`),
      tile("Misses to come", strategy.mean(node).toFixed(strategy.mean(node) < 10 ? 3 : 2), `mean${strategy.fraction(node) ? `, ${strategy.fraction(node)}` : ""}`),
      tile("At worst", String(strategy.worst[node]), "still to come"));
    byId("path").replaceChildren(...this.pathItems());
    byId("legend-sunk").hidden = strategy.answers !== "sunk";
    byId("path-cost").textContent = this.pathCost();
    byId("about").textContent = this.aboutText(this.strategies[this.chosen]) + this.sourceText();
    byId("spread").replaceChildren(drawSpread(this.strategies[this.chosen], leaf ? strategy.missed[node] : -1));
    this.drawTree();
  }

  drawTree() {
    if (this.mode !== "answer") return;
    const near = byId("near");
    near.replaceChildren(drawNear(this.strategy, this.node, (v) => this.go(v), near.clientWidth));
    const here = near.querySelector(".here").getBoundingClientRect(), place = near.getBoundingClientRect();
    near.scrollLeft += here.left + here.width / 2 - place.left - place.width / 2;
    this.map.draw(this.strategy, this.node);
  }

  askParts(leaf) {
    const { strategy, node, game } = this;
    if (!leaf) {
      const own = this.choiceAt(this.walk.at) ? "Your shot " : "Next shot ";
      return [own, el("strong", { class: "aim" }, game.name(strategy.shot[node])), ...this.choiceParts()];
    }
    const names = [];
    for (let row = strategy.start[node]; row < Math.min(strategy.end[node], strategy.start[node] + 3); row++) {
      names.push(strategy.shipsOf(row).map((cells) => game.shipName(cells)).join(" "));
    }
    const more = strategy.left(node) > 3 ? ` or ${strategy.left(node) - 3} more` : "";
    return [el("strong", { class: "done" }, this.askText()), el("span", { class: "ships" }, names.join(" or ") + more)];
  }

  answerButtons() {
    const { strategy, node } = this, { fleet } = this.game;
    if (strategy.shot[node] < 0) return [];
    const choices = this.choices();
    const alone = (kind) => choices.filter(([code]) => answerKind(code) === kind).length === 1;
    return choices.map(([code, kid], i) => {
      const kind = answerKind(code), key = alone(kind) ? kind[0].toUpperCase() : String(i + 1);
      const note = kid === undefined ? "no layout left" : counted(strategy.left(kid), "layout");
      return el("button", { type: "button", class: `reply ${kind}`, disabled: kid === undefined, "data-answer": answerText(code), "aria-keyshortcuts": key, onclick: () => this.answer(code) },
        svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: "sign" }, ...signs({ mark: kind })),
        el("span", { class: "word" }, answerShort(code, fleet), ...(lengthTold(code) ? [el("span", { class: "sr" }, ", "), el("small", { class: "ship-words" }, answerWords(code, fleet).replace(/^\w+, /, ""))] : [])), el("kbd", { "aria-hidden": "true" }, key), el("small", {}, note));
    });
  }

  pathItems() {
    const { strategy, walk, game } = this;
    const price = (depth) => {
      const choice = this.choiceAt(depth);
      return choice ? [el("span", { class: "price", "aria-hidden": "true" }, costShort(choice.cost, choice.count)), el("span", { class: "sr" }, costWords(choice.cost, choice.count))] : [];
    };
    const chip = (number, cell, code, attributes) => el("li", {},
      el("button", { type: "button", class: `chip ${answerKind(code)}`, ...attributes },
        el("span", { class: "number" }, number), game.name(cell), el("span", { class: "told" }, answerShort(code, game.fleet)), ...price(Number(number) - 1)));
    const before = strategy.position.map(([cell, code]) => el("li", { class: `chip before ${answerKind(code)}` },
      el("span", { class: "number" }, "before"), game.name(cell), el("span", { class: "told" }, answerShort(code, game.fleet))));
    const made = walk.trail.slice(1).map((u, i) => chip(String(i + 1), strategy.shot[strategy.parent[u]], strategy.code[u], {
      onclick: () => this.moveTo(i + 1), "aria-current": i + 1 === walk.at ? "step" : null, "data-later": i + 1 > walk.at,
    }));
    const none = before.length + made.length ? [] : [el("li", { class: "hint" }, "No shot yet.")];
    return [...before, ...made, ...none];
  }

  aboutText(strategy) {
    const status = { optimal: "Its file says that no strategy is better.", bounded: "It is the best that a stopped search knew.", heuristic: "It follows a rule of thumb." }[strategy.status];
    const reading = strategy.reading === "positive" ? " It reads a plain hit as “occupied” and nothing more." : "";
    const second = { "mean-worst": " Among those of its mean it has the least worst case.", "worst-mean": " Among those of its worst case it has the least mean." };
    const further = (strategy.status === "optimal" && second[strategy.objective]) || "";
    const { fleet } = this.game, equal = fleet.find((length, i) => fleet.indexOf(length) < i);
    const ships = strategy.answers === "ship" && equal ? ` ${equal}#1 names a ship: the first of length ${equal} to be hit.` : "";
    return `${strategy.name}. Shots are answered ${strategy.told}. ${status}${further} ` +
      `Mean ${strategy.mean(0).toFixed(4)} misses${strategy.fraction(0) ? ` (${strategy.fraction(0)})` : ""}, ${strategy.worst[0]} at worst, ` +
      `over ${counted(strategy.layouts, "layout")}: recomputed from the rules when this page was made.${reading}${ships}`;
  }

  // What each cell of a board shows. At a leaf the ships found are drawn.
  looksOf(strategy, shots, node, hidden = null) {
    const { game } = this;
    const answers = new Map(shots);
    const sunk = hidden ? this.sunkOf(strategy, answers, hidden) : strategy.sunkCells(shots);
    const shares = strategy.occupancy(node), whole = strategy.weight[node];
    const leaf = strategy.shot[node] < 0;
    const ships = hidden || (leaf ? strategy.shipsOf(strategy.start[node]) : []);
    const joins = joinsOf(game, ships.length ? ships : this.sunkGroups(strategy, answers, sunk));
    const inShip = new Set(ships.flat());
    const chances = byId("chances").checked;
    const last = shots.length ? shots[shots.length - 1][0] : -1;
    return Array.from({ length: game.cells }, (_, cell) => {
      const look = { joins: joins.get(cell) || "", fresh: cell === last };
      const share = whole > 0 ? shares[cell] / whole : 0;
      const code = answers.get(cell);
      if (code !== undefined) {
        look.mark = code === MISS ? "miss" : sunk.has(cell) ? "sunk" : "hit";
        look.word = answerWords(code, game.fleet) + (look.mark === "sunk" && !isSunk(code) ? ", ship sunk" : "");
        if (code >= SUNK_LENGTH) look.tag = shipShort(code, game.fleet);
      } else {
        const chance = share <= 0 ? "empty in every layout left" : share >= 1 ? "occupied in every layout left" : `occupied in ${percent(share)} percent of the layouts left`;
        look.target = strategy.shot[node] === cell;
        look.word = (look.target ? "next shot, " : "") + chance;
        look.share = chances && !(leaf && inShip.has(cell)) ? share : null;
        look.found = leaf && !hidden && inShip.has(cell);
        if (look.found) look.word = "ship, not hit yet";
      }
      if (hidden && inShip.has(cell)) look.ghost = look.mark !== "sunk";
      return look;
    });
  }

  // Sunk cells where the layout is known: whole ships hit, if sinkings are told.
  sunkOf(strategy, answers, ships) {
    if (strategy.answers === "hit") return new Set();
    return new Set(ships.filter((ship) => ship.every((cell) => answers.has(cell))).flat());
  }

  sunkGroups(strategy, answers, sunk) {
    if (strategy.answers === "ship") {
      const named = new Map();
      for (const cell of sunk) named.set(answers.get(cell), [...(named.get(answers.get(cell)) || []), cell]);
      return [...named.values()];
    }
    return this.game.contact === "sides" ? [...sunk].map((cell) => [cell]) : groupsOf(this.game, sunk);
  }
}
