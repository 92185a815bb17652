// The other way round: a fleet is hidden, and the strategies find it side by side.

import { BoardView } from "../shared/board.js";
import { MISS, SUNK } from "../shared/codes.js";
import { byId, el, letterOf } from "../shared/elements.js";
import { answerOf } from "../shared/games.js";
import { Hiding } from "../shared/hiding.js";
import { allowed } from "../shared/kept.js";
import { Transport } from "../shared/transport.js";
import { counted, decimal, t } from "../shared/words.js";
import { drawSpread } from "../walk/overview.js";
import { PricedWalk } from "./costs.js";

const BEAT = 750;

// A cell that contradicts the shots made before a strategy begins, in words, or an empty text.
function contradiction({ game, position }, cells) {
  for (const [cell, code] of position) {
    if (code === MISS && cells.has(cell)) {
      return t("{cell} was missed before this strategy begins: no ship can be there.", { cell: game.name(cell) });
    }
    if (code !== MISS && !cells.has(cell)) {
      return t("{cell} was hit before this strategy begins: a ship must be there.", { cell: game.name(cell) });
    }
  }
  return "";
}

export class WatchedWalk extends PricedWalk {
  makeHide() {
    this.numbers = new Map(this.game.placements.map((cells, number) => [String(cells), number]));
    this.hiding = new Hiding(this.game, {
      board: byId("secret-board"), tray: byId("tray"), verdict: byId("verdict"), ways: this.game.ways,
      onChange: () => this.setLayout(), told: () => this.told(),
    });
    byId("turn").addEventListener("click", () => this.hiding.turn());
    byId("random").addEventListener("click", () => this.pickRandom());
    byId("hardest").addEventListener("click", () => this.pick((costs) => Math.min(...costs)));
    byId("gap").addEventListener("click", () => this.pick((costs) => Math.max(...costs) - Math.min(...costs)));
    byId("gap").hidden = this.strategies.length < 2;
    byId("clear").addEventListener("click", () => { this.hiding.clear(); this.say(this.hiding.verdict.text); });
    this.transport = new Transport(byId("steps"), "", 0, (step) => this.stepTo(step));
    byId("steps").append(el("output", { id: "step", for: "slider" }));
    byId("play").addEventListener("click", () => this.playOrPause());
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

  // The key of the fleet that is hidden, by which strategies know a layout; null until all ships lie.
  get hiddenKey() {
    const { complete, ships } = this.hiding;
    return complete ? ships.map((cells) => this.numbers.get(String(cells))).sort((a, b) => a - b).join(" ") : null;
  }

  // The fleet as far as it is hidden, and what each strategy makes of it.
  setLayout() {
    const key = this.hiddenKey;
    this.pause();
    this.step = 0;
    this.strategies.forEach((strategy, i) => {
      const row = strategy.rowOf.get(key);
      this.cards[i].run = row === undefined ? null : this.runOf(strategy, row);
    });
    this.layout = this.cards.some((card) => card.run) ? key : null;
    this.show();
  }

  // What is said of a whole fleet.
  told() {
    const cells = new Set(this.hiding.ships.flat()), known = this.strategies.filter((strategy) => strategy.rowOf.has(this.hiddenKey));
    if (!known.length) {
      const against = this.strategies.map((strategy) => contradiction(strategy, cells)).find(Boolean);
      return { state: "wrong", text: against || t("This layout would have answered the shots before the strategy begins in another way.") };
    }
    const missing = known.length < this.strategies.length ? ` ${t("One strategy does not know it: it begins after other shots.")}` : "";
    return { state: "right", text: t("A good layout: {ships}.", { ships: this.hiding.names.join(" ") }) + missing };
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
    if (!list.length) { this.pickRandom(); return; }
    const best = list.reduce((most, [, costs]) => Math.max(most, value(costs)), -1);
    const keys = list.filter(([, costs]) => value(costs) === best).map(([key]) => key);
    this.useKey(keys[Math.floor(Math.random() * keys.length)]);
  }

  pickRandom() {
    const { strategy } = this;
    this.useKey(strategy.keyOf(Math.floor(Math.random() * strategy.layouts)));
  }

  useKey(key) {
    const known = this.strategies.find((strategy) => strategy.rowOf.has(key));
    this.hiding.take(known.shipsOf(known.rowOf.get(key)));
    this.say(this.hiding.verdict.text);
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
    const good = this.layout !== null;
    byId("turn").disabled = !this.hiding.turnable;
    this.transport.show(this.step, this.longest());
    byId("play").disabled = !good;
    byId("play").textContent = t(this.timer === null ? "Watch" : "Pause");
    byId("step").textContent = good ? `${this.step} / ${this.longest()}` : "";
    this.showCards(good);
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
      const looks = this.looksOf(strategy, shots, node, on ? this.hiding.ships : []);
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
    const name = letterOf(event);
    if (name === " " && event.target.closest("button")) return;
    const does = this.mode === "answer" ? this.answerKey(name) : { " ": () => this.playOrPause(), r: () => this.hiding.turn() }[name];
    if (does) does();
    if (does || (this.mode === "hide" && this.transport.key(name))) event.preventDefault();
  }

  // The address keeps the place, so that it can be bookmarked: #answer.STRATEGY.CODE.CODE..., with
  // the cell before the code of a shot of one's own.
  writeHash() {
    const parts = this.mode === "answer" ? ["answer", this.chosen, ...this.pathParts()] : ["hide", this.step, ...(this.layout === null ? [] : this.layout.split(" "))];
    this.hash = `#${parts.join(".")}`;
    allowed(() => history.replaceState(null, "", this.hash));
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
