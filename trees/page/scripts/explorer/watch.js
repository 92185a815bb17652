// The other way round: a fleet is hidden, and the strategies find it side by side.

import { BoardView, joinsOf } from "../shared/board.js";
import { MISS, SUNK } from "../shared/codes.js";
import { byId, el, shipShape } from "../shared/elements.js";
import { groupsOf } from "../shared/game.js";
import { answerOf } from "../shared/games.js";
import { counted, decimal, listed, t } from "../shared/words.js";
import { drawSpread } from "../walk/overview.js";
import { PricedWalk } from "./costs.js";
import { isStraight, judge } from "./hidden.js";

const BEAT = 750;

// A cell that contradicts the shots made before a strategy begins, in words, or an empty text.
function contradiction(strategy, cells) {
  const set = new Set(cells), game = strategy.game;
  for (const [cell, code] of strategy.position) {
    if (code === MISS && set.has(cell)) {
      return t("{cell} was missed before this strategy begins: no ship can be there.", { cell: game.name(cell) });
    }
    if (code !== MISS && !set.has(cell)) {
      return t("{cell} was hit before this strategy begins: a ship must be there.", { cell: game.name(cell) });
    }
  }
  return "";
}

export class WatchedWalk extends PricedWalk {
  makeHide() {
    this.secretBoard = new BoardView(this.game, { label: t("Hidden fleet: set the cells of the ships"), onPick: (cell) => this.toggle(cell) });
    byId("secret-board").append(this.secretBoard.element);
    byId("tray").append(...this.game.fleet.map(shipShape));
    byId("random").addEventListener("click", () => { this.pickRandom(); this.show(); });
    byId("hardest").addEventListener("click", () => this.pick((costs) => Math.min(...costs)));
    byId("gap").addEventListener("click", () => this.pick((costs) => Math.max(...costs) - Math.min(...costs)));
    byId("gap").hidden = this.strategies.length < 2;
    byId("clear").addEventListener("click", () => { this.setCells([]); this.show(); this.say(t("No cell is set.")); });
    byId("first").addEventListener("click", () => this.stepTo(0));
    byId("previous").addEventListener("click", () => this.stepTo(this.step - 1));
    byId("next").addEventListener("click", () => this.stepTo(this.step + 1));
    byId("last").addEventListener("click", () => this.stepTo(this.longest()));
    byId("play").addEventListener("click", () => this.playOrPause());
    byId("slider").addEventListener("input", (event) => this.stepTo(Number(event.target.value)));
    this.cards = this.strategies.map((strategy, i) => this.makeCard(strategy, i));
    byId("cards").append(...this.cards.map((card) => card.element));
    byId("cards").dataset.count = this.cards.length;
  }

  makeCard(strategy, i) {
    const board = new BoardView(this.game, { label: t("Board of {name}", strategy), small: true });
    const card = { board, misses: el("strong"), line: el("p", { class: "line" }), spread: el("div"), run: null };
    card.walk = el("button", { type: "button", class: "quiet", onclick: () => this.goOn(i) }, t("Answer from here yourself"));
    card.element = el("article", { class: "card panel", "aria-label": strategy.name },
      el("header", {}, el("div", {}, el("h2", {}, strategy.name), el("p", { class: "hint" }, t(strategy.told))), el("p", { class: "score" }, card.misses)),
      board.element, card.line, card.spread, card.walk);
    return card;
  }

  // ------------------------------------------------------------------ the hidden layout

  toggle(cell) {
    const cells = new Set(this.secret);
    if (!cells.delete(cell)) cells.add(cell);
    this.setCells(cells);
    this.show();
  }

  setCells(cells, key = null) {
    this.pause();
    this.secret = new Set(cells);
    this.step = 0;
    this.layout = null;
    this.verdict = judge(this.game, this.secret);
    this.keys = [];
    if (this.verdict.state === "right") this.findLayouts();
    if (this.keys.length) this.setLayout(this.keys.includes(key) ? key : this.keys[0]);
  }

  // Every layout with these cells that some strategy knows; or what speaks against them.
  findLayouts() {
    const cells = [...this.secret].sort((a, b) => a - b).join(" ");
    const keys = new Set();
    for (const strategy of this.strategies) {
      for (const row of strategy.rowsOfCells.get(cells) || []) keys.add(strategy.keyOf(row));
    }
    this.keys = [...keys];
    if (keys.size) return;
    const against = this.strategies.map((strategy) => contradiction(strategy, this.secret)).find((text) => text);
    const shots = this.strategies.some((strategy) => strategy.position.length);
    const lengths = listed(this.game.fleet.map(String));
    const text = against || (shots ? t("This layout would have answered the shots before the strategy begins in another way.")
      : t("These {cells} cells cannot be divided into straight ships of lengths {lengths}.", { cells: this.secret.size, lengths }));
    this.verdict = { state: "wrong", text, cells: [] };
  }

  setLayout(key) {
    this.layout = key;
    this.step = 0;
    const known = this.strategies.find((strategy) => strategy.rowOf.has(key));
    this.hiddenShips = known.shipsOf(known.rowOf.get(key));
    this.strategies.forEach((strategy, i) => {
      const row = strategy.rowOf.get(key);
      this.cards[i].run = row === undefined ? null : this.runOf(strategy, row);
    });
    const names = this.hiddenShips.map((cells) => this.game.shipName(cells)).join(" ");
    const missing = this.cards.some((card) => card.run === null) ? ` ${t("One strategy does not know it: it begins after other shots.")}` : "";
    this.verdict = { state: "right", text: t("A good layout: {ships}.", { ships: names }) + missing, cells: [] };
  }

  // The game of a strategy against a layout: shots with answers, and the node before each.
  runOf(strategy, row) {
    const path = strategy.pathOfRow(row);
    const shots = path.slice(1).map((u, i) => [strategy.shot[path[i]], strategy.code[u]]);
    const nodes = path.slice();
    const made = new Set([...strategy.position, ...shots].map(([cell]) => cell));
    const ships = strategy.shipsOf(row);
    for (const cell of strategy.cellsOf(row).sort((a, b) => a - b)) {
      if (made.has(cell)) continue;
      shots.push([cell, answerOf({ answers: strategy.answers, tellsLength: !strategy.possible.includes(SUNK) }, ships, [...strategy.position, ...shots], cell)]);
      nodes.push(path[path.length - 1]);
    }
    return { row, shots, nodes, inTree: path.length - 1 };
  }

  layoutCosts() {
    const [one, ...others] = this.strategies;
    const list = [];
    for (const [key, row] of one.rowOf) {
      const rows = others.map((strategy) => strategy.rowOf.get(key));
      if (rows.includes(undefined)) continue;
      list.push([key, [one.cost[row], ...others.map((strategy, i) => strategy.cost[rows[i]])]]);
    }
    return list;
  }

  pick(value) {
    const list = this.layoutCosts();
    if (!list.length) return this.pickRandom();
    const best = list.reduce((most, [, costs]) => Math.max(most, value(costs)), -1);
    const keys = list.filter(([, costs]) => value(costs) === best).map(([key]) => key);
    this.useKey(keys[Math.floor(Math.random() * keys.length)]);
    this.show();
    this.say(this.verdict.text);
    return undefined;
  }

  pickRandom() {
    const { strategy } = this;
    this.useKey(strategy.keyOf(Math.floor(Math.random() * strategy.layouts)));
    this.say(this.verdict.text);
  }

  useKey(key) {
    const known = this.strategies.find((strategy) => strategy.rowOf.has(key));
    this.setCells(known.cellsOf(known.rowOf.get(key)), key);
  }

  // ------------------------------------------------------------------ watching

  longest() {
    return this.layout === null ? 0 : Math.max(0, ...this.cards.map((card) => (card.run ? card.run.shots.length : 0)));
  }

  stepTo(step, playing = false) {
    if (!playing) this.pause();
    if (this.layout === null) return;
    this.step = Math.max(0, Math.min(this.longest(), step));
    this.show();
    if (playing && this.step < this.longest()) return; // too fast to be read out
    this.say(`${t("Shot {number} of {shots}", { number: this.step, shots: this.longest() })}. ${this.cards.map((card, i) => (card.run ? `${this.strategies[i].name}: ${card.line.textContent}` : "")).join(" ")}`);
  }

  playOrPause() {
    if (this.timer !== null) { this.pause(); this.show(); return; }
    if (this.layout === null) return;
    if (this.step >= this.longest()) this.step = 0;
    this.timer = setInterval(() => {
      this.stepTo(this.step + 1, true);
      if (this.step >= this.longest()) { this.pause(); this.show(); }
    }, BEAT);
    this.show();
  }

  pause() {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  goOn(i) {
    const { run } = this.cards[i];
    if (!run) return;
    const strategy = this.strategies[i], path = strategy.pathOfRow(run.row);
    this.walks[i] = { trail: path, at: Math.min(this.step, path.length - 1) };
    this.chosen = i;
    this.turnTo("answer");
    byId("tab-answer").focus();
  }

  showHide() {
    const { game, verdict, layout } = this;
    const good = layout !== null;
    const joins = joinsOf(game, good ? this.hiddenShips : groupsOf(game, this.secret).filter((group) => isStraight(game, group)));
    this.secretBoard.show(Array.from({ length: game.cells }, (_, cell) => {
      const found = this.secret.has(cell), bad = verdict && verdict.cells.includes(cell);
      return { found, bad, joins: joins.get(cell) || "", word: t(found ? "ship" : "water") + (bad ? `, ${t("breaks a rule")}` : "") };
    }));
    const lengths = good ? game.fleet.slice() : groupsOf(game, this.secret).map((group) => group.length);
    [...byId("tray").children].forEach((shape, i) => {
      const at = lengths.indexOf(game.fleet[i]);
      if (at >= 0) lengths.splice(at, 1);
      shape.classList.toggle("missing", at < 0);
    });
    byId("verdict").textContent = verdict ? verdict.text : "";
    byId("verdict").dataset.state = verdict ? verdict.state : "empty";
    this.showReadings();
    for (const id of ["first", "previous"]) byId(id).disabled = !good || this.step === 0;
    for (const id of ["next", "last"]) byId(id).disabled = !good || this.step >= this.longest();
    byId("play").disabled = !good;
    byId("play").textContent = t(this.timer === null ? "Watch" : "Pause");
    byId("slider").disabled = !good;
    byId("slider").max = this.longest();
    byId("slider").value = this.step;
    byId("step").textContent = good ? `${this.step} / ${this.longest()}` : "";
    this.showCards(good);
  }

  // Where ships may share sides, the same cells can be several layouts.
  showReadings() {
    const several = this.layout !== null && this.keys.length > 1;
    byId("readings").hidden = !several;
    if (!several) return;
    const known = (key) => this.strategies.find((strategy) => strategy.rowOf.has(key));
    byId("readings").replaceChildren(...this.keys.slice(0, 12).map((key) => el("button", {
      type: "button", "aria-pressed": key === this.layout ? "true" : "false",
      onclick: () => { this.pause(); this.setLayout(key); this.show(); },
    }, known(key).shipsOf(known(key).rowOf.get(key)).map((cells) => this.game.shipName(cells)).join(" "))));
  }

  showCards(good) {
    const ends = this.cards.map((card, i) => (good && card.run ? this.strategies[i].cost[card.run.row] : Infinity));
    const least = Math.min(...ends), most = Math.max(...ends.filter((end) => end < Infinity));
    this.cards.forEach((card, i) => {
      const strategy = this.strategies[i], { run } = card;
      const on = good && run !== null;
      const made = on ? Math.min(this.step, run.shots.length) : 0;
      const shots = on ? strategy.position.concat(run.shots.slice(0, made)) : strategy.position;
      const node = on ? run.nodes[made] : 0;
      const looks = this.looksOf(strategy, shots, node, on ? this.hiddenShips : []);
      card.board.show(on && made >= run.inTree ? this.finish(looks, run, made) : looks);
      const misses = strategy.missed[node], over = on && made === run.shots.length;
      card.misses.textContent = counted(misses, "miss");
      card.line.textContent = this.lineOf(strategy, node, made, over, good && run === null);
      card.element.classList.toggle("best", over && least < most && ends[i] === least);
      card.spread.replaceChildren(drawSpread(strategy, over ? misses : -1));
      card.walk.hidden = !on;
    });
  }

  // Past the leaf every shot hits: the next of them is marked.
  finish(looks, run, made) {
    const next = made < run.shots.length ? run.shots[made][0] : -1;
    return looks.map((look, cell) => (cell === next ? { ...look, target: true, word: t("next shot, a certain hit") } : look));
  }

  lineOf(strategy, node, made, over, unknown) {
    if (unknown) return t("This strategy does not know the layout: it begins after other shots.");
    if (over) return t("All sunk after {shots}, {misses}.", { shots: counted(made, "shot"), misses: counted(strategy.missed[node], "miss") });
    if (strategy.shot[node] < 0) return t("Found after {misses}; the rest is certain.", { misses: counted(strategy.missed[node], "miss") });
    return t("{layouts} left; {mean} misses to come on average, {worst} at worst.", { layouts: counted(strategy.left(node), "layout"), mean: decimal(strategy.mean(node), 2), worst: strategy.worst[node] });
  }

  // ------------------------------------------------------------------ keys and address

  key(event) {
    if (!byId("shortcuts").checked || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, summary")) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (name === " " && event.target.closest("button")) return;
    const does = this.mode === "answer" ? this.answerKey(name) : {
      ArrowLeft: () => this.stepTo(this.step - 1), ArrowRight: () => this.stepTo(this.step + 1), Home: () => this.stepTo(0),
      End: () => this.stepTo(this.longest()), " ": () => this.playOrPause(),
    }[name];
    if (!does) return;
    event.preventDefault();
    does();
  }

  // The address keeps the place, so that it can be bookmarked: #answer.STRATEGY.CODE.CODE..., with
  // the cell before the code of a shot of one's own.
  writeHash() {
    const parts = this.mode === "answer" ? ["answer", this.chosen, ...this.pathParts()] : ["hide", this.step, ...(this.layout === null ? [] : this.layout.split(" "))];
    this.hash = `#${parts.join(".")}`;
    try {
      history.replaceState(null, "", this.hash);
    } catch {
      // Some embedded views forbid it; the page works without.
    }
  }

  readHash() {
    const [mode, number, ...rest] = location.hash.slice(1).split(".");
    if (mode === "answer" && this.strategies[Number(number)]) {
      this.mode = "answer";
      this.chosen = Number(number);
      this.followParts(rest);
    } else if (mode === "hide") {
      this.mode = "hide";
      const key = rest.join(" ");
      if (this.strategies.some((strategy) => strategy.rowOf.has(key))) this.useKey(key);
      else this.pickRandom();
      this.step = Math.max(0, Math.min(this.longest(), Math.floor(Number(number)) || 0));
    }
  }
}
