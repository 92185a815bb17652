// Walking a tree by answering its shots: the board, the answers, the path, the tree around.
//
// The page has the elements of walk_board.html and walk_panels.html. Who walks gives `strategies`,
// `walks` ({trail: nodes, at}, `own`: a tree with shots of one's own) and `chosen`; what follows from a
// file of all positions (costs.js) has its place in the methods that answer nothing here.

import { answerKind, answerShort, answerWords, shotLook } from "../shared/answers.js";
import { BoardView, joinsOf, signs } from "../shared/board.js";
import { answerText, lengthTold } from "../shared/codes.js";
import { byId, el, percent, svg, tile } from "../shared/elements.js";
import { shownSunk } from "../shared/game.js";
import { LANGUAGE, counted, decimal, t } from "../shared/words.js";
import { TreeMap, drawNear } from "./overview.js";
import { costShort, costWords } from "./prices.js";

export class Walk {
  get strategy() { return this.walk.own || this.strategies[this.chosen]; }

  get walk() { return this.walks[this.chosen]; }

  get node() { return this.walk.trail[this.walk.at]; }

  // Costs of shots of one's own, where they are known.
  costs() { return null; }

  showCosts(looks) { return looks.map((look) => ({ ...look, pick: false })); }

  choiceAt() { return undefined; }

  choiceParts() { return []; }

  pathCost() { return ""; }

  walkTo(v) {
    const trail = this.strategy.pathTo(v);
    return { trail, at: trail.length - 1 };
  }

  makeWalk(onPick = null) {
    this.board = new BoardView(this.game, { label: t("Board"), onPick, selects: false });
    byId("walk-board").replaceChildren(this.board.element);
    this.map = new TreeMap(byId("whole"), (v) => this.go(v));
  }

  // Once in a page, whatever is walked; `current` gives the walk that is shown.
  static listen(current) {
    byId("back").addEventListener("click", () => current().move(-1));
    byId("forward").addEventListener("click", () => current().move(1));
    byId("restart").addEventListener("click", () => current().moveTo(0));
    byId("chances").addEventListener("change", () => current().show());
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
    this.go(found[1], `${t("{answer} at {cell}", { answer: answerWords(code, this.game.fleet), cell: this.game.name(cell) })}. `);
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

  // What a key does, null for nothing.
  answerKey(name) {
    const moves = { ArrowLeft: -1, Backspace: -1, ArrowRight: 1 };
    if (name in moves) return () => this.move(moves[name]);
    if (name === "Home") return () => this.moveTo(0);
    if (name === "End") return () => this.moveTo(this.walk.trail.length - 1);
    if (this.strategy.shot[this.node] < 0) return null;
    const choices = this.choices();
    if (/^[1-9]$/.test(name)) {
      const choice = choices[Number(name) - 1];
      return choice ? () => this.answer(choice[0]) : null;
    }
    const same = choices.filter(([code]) => answerKind(code)[0] === name);
    return same.length === 1 ? () => this.answer(same[0][0]) : null;
  }

  // Draws, and keeps the focus at its place.
  keeping(draw) {
    const held = document.activeElement, home = held && held.closest("#answers, #ask, #path, .steps, .transport");
    draw();
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

  summary() {
    const { strategy, node } = this;
    if (strategy.shot[node] < 0) return this.askText();
    return `${t("{layouts} left, {mean} misses still to come on average, {worst} at worst.", { layouts: counted(strategy.left(node), "layout"), mean: decimal(strategy.mean(node), 2), worst: strategy.worst[node] })} ${this.askText()}`;
  }

  askText() {
    const { strategy, node, game } = this;
    if (strategy.shot[node] >= 0) return t("Next shot: {cell}", { cell: game.name(strategy.shot[node]) });
    const hit = new Set(strategy.shotsBefore(node).map(([cell]) => cell));
    const left = strategy.cellsOf(strategy.start[node]).filter((cell) => !hit.has(cell)).length;
    const rest = left ? t("{cells} left to hit, nothing more is missed.", { cells: counted(left, "cell") }) : t("Every ship is hit.");
    return `${t("Found with {misses}.", { misses: counted(strategy.missed[node], "miss") })} ${rest}`;
  }

  showWalk() {
    this.costs(); // may take choices back
    const { strategy, node, walk } = this;
    const leaf = strategy.shot[node] < 0;
    const looks = this.showCosts(this.looksOf(strategy, strategy.shotsBefore(node), node));
    this.board.grid.setAttribute("aria-label", t("Board, {name}", { name: strategy.name }));
    this.board.show(looks);
    byId("ramp-most").textContent = percent(this.board.shade(looks));
    byId("ask").replaceChildren(...this.askParts(leaf));
    byId("answers").hidden = leaf;
    byId("answers").replaceChildren(...this.answerButtons());
    byId("answers").classList.toggle("many", this.choices().length > 3);
    byId("back").disabled = byId("restart").disabled = walk.at === 0;
    byId("forward").disabled = walk.at === walk.trail.length - 1;
    const mean = strategy.mean(node);
    byId("stats").replaceChildren(
      tile(t("Layouts left"), strategy.left(node).toLocaleString(LANGUAGE), t("of {layouts}", { layouts: strategy.layouts.toLocaleString(LANGUAGE) })),
      tile(t("Misses so far"), String(strategy.missed[node]), t("in {shots}", { shots: counted(strategy.depth[node], "shot") })),
      tile(t("Misses to come"), decimal(mean, mean < 10 ? 3 : 2), `${t("mean")}${strategy.fraction(node) ? `, ${strategy.fraction(node)}` : ""}`),
      tile(t("At worst"), String(strategy.worst[node]), t("still to come")));
    byId("path").replaceChildren(...this.pathItems());
    byId("legend-sunk").hidden = strategy.answers !== "sunk";
    byId("path-cost").textContent = this.pathCost();
    this.drawTree();
  }

  drawTree() {
    const near = byId("near");
    if (!near.clientWidth) return; // it is not shown
    near.replaceChildren(drawNear(this.strategy, this.node, (v) => this.go(v), near.clientWidth));
    const here = near.querySelector(".here").getBoundingClientRect(), place = near.getBoundingClientRect();
    near.scrollLeft += here.left + here.width / 2 - place.left - place.width / 2;
    this.map.draw(this.strategy, this.node);
  }

  askParts(leaf) {
    const { strategy, node, game } = this;
    if (!leaf) {
      return [`${this.choiceAt(this.walk.at) ? t("Your shot") : t("Next shot")} `, el("strong", { class: "aim" }, game.name(strategy.shot[node])), ...this.choiceParts()];
    }
    const names = [];
    for (let row = strategy.start[node]; row < Math.min(strategy.end[node], strategy.start[node] + 3); row++) {
      names.push(strategy.shipsOf(row).map((cells) => game.shipName(cells)).join(" "));
    }
    const more = strategy.left(node) > 3 ? [t("{count} more", { count: strategy.left(node) - 3 })] : [];
    return [el("strong", { class: "done" }, this.askText()), el("span", { class: "ships" }, [...names, ...more].join(` ${t("or")} `))];
  }

  answerButtons() {
    const { strategy, node } = this, { fleet } = this.game;
    if (strategy.shot[node] < 0) return [];
    const choices = this.choices();
    const alone = (kind) => choices.filter(([code]) => answerKind(code) === kind).length === 1;
    return choices.map(([code, kid], i) => {
      const kind = answerKind(code), key = alone(kind) ? kind[0].toUpperCase() : String(i + 1);
      const note = kid === undefined ? t("no layout left") : counted(strategy.left(kid), "layout");
      return el("button", { type: "button", class: `reply ${kind}`, disabled: kid === undefined, "data-answer": answerText(code), "aria-keyshortcuts": key, onclick: () => this.answer(code) },
        svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", class: "sign" }, ...signs({ mark: kind })),
        el("span", { class: "word" }, answerShort(code, fleet), ...(lengthTold(code) ? [el("span", { class: "sr" }, ", "), el("small", { class: "ship-words" }, answerWords(code, fleet).replace(/^[^,]+, /, ""))] : [])), el("kbd", { "aria-hidden": "true" }, key), el("small", {}, note));
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
      el("span", { class: "number" }, t("before")), game.name(cell), el("span", { class: "told" }, answerShort(code, game.fleet))));
    const made = walk.trail.slice(1).map((u, i) => chip(String(i + 1), strategy.shot[strategy.parent[u]], strategy.code[u], {
      onclick: () => this.moveTo(i + 1), "aria-current": i + 1 === walk.at ? "step" : null, "data-later": i + 1 > walk.at,
    }));
    const none = before.length + made.length ? [] : [el("li", { class: "hint" }, t("No shot yet."))];
    return [...before, ...made, ...none];
  }

  // What each cell of a board shows. At a leaf the ships found are drawn.
  looksOf(strategy, shots, node, hidden = null) {
    const { game } = this;
    const answers = new Map(shots);
    const wrecks = hidden ? this.sunkOf(strategy, answers, hidden) : shownSunk(game, strategy.answers, shots), sunk = new Set(wrecks.flat());
    const shares = strategy.occupancy(node), whole = strategy.weight[node];
    const leaf = strategy.shot[node] < 0;
    const ships = hidden || (leaf ? strategy.shipsOf(strategy.start[node]) : []);
    const joins = joinsOf(game, ships.length ? ships : wrecks);
    const inShip = new Set(ships.flat());
    const chances = byId("chances").checked;
    const last = shots.length ? shots[shots.length - 1][0] : -1;
    return Array.from({ length: game.cells }, (_, cell) => {
      const look = { joins: joins.get(cell) || "", fresh: cell === last };
      const share = whole > 0 ? shares[cell] / whole : 0;
      const code = answers.get(cell);
      if (code !== undefined) {
        Object.assign(look, shotLook(code, game.fleet, sunk.has(cell)));
      } else {
        const chance = share <= 0 ? t("empty in every layout left") : share >= 1 ? t("occupied in every layout left") : t("occupied in {percent} percent of the layouts left", { percent: percent(share) });
        look.target = strategy.shot[node] === cell;
        look.word = (look.target ? `${t("next shot")}, ` : "") + chance;
        look.share = chances && !(leaf && inShip.has(cell)) ? share : null;
        look.found = leaf && !hidden && inShip.has(cell);
        if (look.found) look.word = t("ship, not hit yet");
      }
      if (hidden && inShip.has(cell)) look.ghost = look.mark !== "sunk";
      return look;
    });
  }

  // Sunk ships where the layout is known: whole ships hit, if sinkings are told.
  sunkOf(strategy, answers, ships) {
    return strategy.answers === "hit" ? [] : ships.filter((ship) => ship.every((cell) => answers.has(cell)));
  }
}
