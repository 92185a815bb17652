// The page: walking a tree by answering its shots, and watching strategies find a hidden fleet.

import { contactWords } from "../shared/answers.js";
import { byId, el, shipShape } from "../shared/elements.js";
import { Game } from "../shared/game.js";
import { tabList } from "../shared/tabs.js";
import { themeButton } from "../shared/theme.js";
import { counted, decimal, languageChoice, t, translate } from "../shared/words.js";
import { drawSpread } from "../walk/overview.js";
import { Strategy } from "../walk/strategy.js";
import { Walk } from "../walk/walk.js";
import { WatchedWalk } from "./watch.js";

class Explorer extends WatchedWalk {
  constructor(data) {
    super();
    this.game = new Game(data.game);
    this.strategies = data.strategies.map((each) => new Strategy({ ...each, name: t(each.name) }, this.game));
    this.mode = "answer";
    this.chosen = 0;
    this.walks = this.strategies.map(() => ({ trail: [0], at: 0 }));
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

  get file() { return this.files[this.chosen]; }

  // ------------------------------------------------------------------ what stands at the top

  makeHeader(data) {
    const parts = [t("{board} board", { board: `${this.game.rows} × ${this.game.columns}` }), t("fleet {fleet}", { fleet: data.game.ships }), contactWords(this.game.contact)];
    byId("game").append(...parts.flatMap((part, i) => [el("span", {}, i < parts.length - 1 ? `${part} ·` : part), " "]));
    byId("fleet").append(...this.game.fleet.map(shipShape), el("span", { class: "sr" }, t("Fleet: {ships}", { ships: this.game.fleet.join(", ") })));
    themeButton(byId("theme"), () => this.drawTree());
    this.showTab = tabList(["answer", "hide"], (mode) => this.turnTo(mode));
    if (this.strategies.length > 1) {
      byId("picker").append(...this.strategies.map((strategy, i) =>
        el("button", { type: "button", onclick: () => this.choose(i) }, strategy.name)));
    }
    const keys = [["M H S", t("answer miss, hit, sunk")], ["1 2 3 …", t("the answers in their order")], ["← →", t("one shot back, forward")],
      ["Home End", t("to the beginning, to the end")], [t("Space"), t("watch or pause")], ["R", t("turn the ship that is being hidden")], ["↑ ↓ ← →, Enter", this.sources.some((source) => source) ? t("on a board: move, choose a cell, shoot a cell") : t("on a board: move, choose a cell")]];
    byId("keys").append(...keys.flatMap(([key, does]) => [el("dt", {}, key), el("dd", {}, does)]));
  }

  turnTo(mode) {
    this.pause();
    this.mode = mode;
    if (mode === "hide" && !this.hiding.ships.some(Boolean)) this.pickRandom();
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

  show() { this.keeping(() => this.draw()); }

  draw() {
    this.showTab(this.mode);
    byId("picker").hidden = this.mode !== "answer" || this.strategies.length < 2;
    [...byId("picker").children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === this.chosen)));
    if (this.mode === "answer") this.showAnswer();
    else this.showHide();
    this.writeHash();
  }

  // ------------------------------------------------------------------ answering its shots

  makeAnswer() {
    this.makeWalk(this.sources.some((source) => source) ? (cell) => this.shoot(cell) : null);
    Walk.listen(() => this);
  }

  showAnswer() {
    this.showWalk();
    const { strategy, node } = this;
    byId("about").textContent = this.aboutText(this.strategies[this.chosen]) + this.sourceText();
    byId("spread").replaceChildren(drawSpread(this.strategies[this.chosen], strategy.shot[node] < 0 ? strategy.missed[node] : -1));
  }

  aboutText(strategy) {
    const status = { optimal: t("Its file says that no strategy is better."), bounded: t("It is the best that a stopped search knew."), heuristic: t("It follows a rule of thumb.") }[strategy.status];
    const reading = strategy.reading === "positive" ? t("It reads a plain hit as “occupied” and nothing more.") : "";
    const second = { "mean-worst": t("Among those of its mean it has the least worst case."), "worst-mean": t("Among those of its worst case it has the least mean.") };
    const further = (strategy.status === "optimal" && second[strategy.objective]) || "";
    const { fleet } = this.game, equal = fleet.find((length, i) => fleet.indexOf(length) < i);
    const ships = strategy.answers === "ship" && equal ? t("{length}#1 names a ship: the first of length {length} to be hit.", { length: equal }) : "";
    const fraction = strategy.fraction(0) ? ` (${strategy.fraction(0)})` : "";
    const costs = t("Mean {mean} misses, {worst} at worst, over {layouts}: recomputed from the rules when this page was made.", { mean: decimal(strategy.mean(0), 4) + fraction, worst: strategy.worst[0], layouts: counted(strategy.layouts, "layout") });
    return [`${strategy.name}.`, t("Shots are answered {told}.", { told: t(strategy.told) }), status, further, costs, reading, ships].filter(Boolean).join(" ");
  }
}

try {
  translate(document.body);
  languageChoice(byId("language"));
  new Explorer(JSON.parse(byId("data").textContent));
} catch (error) {
  byId("failure").textContent = t("This page is damaged or the browser is too old for it: {why}", { why: error.message });
  byId("failure").hidden = false;
  throw error;
}
