// Advice in a real game: what is known is a `Record`, what follows from it the worker counts.

import { addressOf, readAddress } from "../shared/address.js";
import { answerWords } from "../shared/answers.js";
import { Chooser } from "../shared/chooser.js";
import { answerCode } from "../shared/codes.js";
import { byId, letterOf, percent } from "../shared/elements.js";
import { BETWEEN, FEW_LAYOUTS, MOST_SOLVED } from "../shared/games.js";
import { layoutsText, sharesOf } from "../shared/looks.js";
import { Latest, Refusal, ask } from "../shared/questions.js";
import { ASKED, Record, USUAL, gameOf, nameOfRules, rulesKey, sameRules } from "../shared/record.js";
import { leftOf, repliesAt } from "../shared/replies.js";
import { counted, t } from "../shared/words.js";
import { AdviceBoard, looksOfGame } from "./board.js";
import { drawFacts } from "./facts.js";
import { KeepGame } from "./keep.js";
import { ReplyPanel, askParts, countingWords } from "./panel.js";
import { drawQuestions } from "./trouble.js";

const COUNTING_AFTER = 300; // milliseconds after which a wait is said

export class AdviseTab {
  constructor(page) {
    this.page = page;
    this.record = new Record(USUAL);
    this.quiet = false; // whether the advice is hidden
    this.editing = false; // whether a tap turns a cell: not shot, miss, hit, sunk
    this.asked = ASKED;
    this.volley = []; // the shots of this turn
    this.ships = []; // lengths of the ships on the map, none for all
    this.chosen = null; // cell whose answer is asked for instead of the advised shot's
    this.unsure = new Set(); // sinkings that the player cannot tell apart
    this.latest = new Latest({ keep: 100 }) // so that undo and redo need no waiting
    this.turn = 0;
    this.curve = new Map(); // misses to come by the shots made
    this.forgetFound();
    this.chooser = new Chooser(byId("advise-chooser"), (rules) => this.begin(rules));
    this.replies = new ReplyPanel(byId("advise-ask"), byId("advise-replies"), {
      onReply: (cell, answer) => this.answer(cell, answer),
      onLeave: (cell) => this.choose(cell),
    });
    this.keep = new KeepGame(this);
    byId("advise-quiet").addEventListener("click", () => this.hush(!this.quiet));
    byId("advise-edit").addEventListener("click", () => this.edit(!this.editing));
    for (const way of ["undo", "redo"]) byId(`advise-${way}`).addEventListener("click", () => this.step(way));
    byId("advise-new").addEventListener("click", () => this.begin(this.state));
    byId("advise-review").addEventListener("click", () => this.page.hand("review", (tab) => tab.take(this.state, this.asked)));
    byId("advise-solve").addEventListener("click", () => this.page.hand("solve", (tab) => tab.take(this.state)));
    byId("advise-match").addEventListener("click", () => this.page.hand("match", (tab) => tab.take(this.state)));
    document.addEventListener("keydown", (event) => this.controlKey(event));
  }

  get state() { return this.record.state; }

  get rules() { return this.state; }

  // How the game is weighed and asked; all shots of a turn are chosen before any is answered.
  get asked() { return { prior: this.prior, within: this.within, salvo: this.salvo }; }

  set asked(asked) { Object.assign(this, { ...ASKED, ...asked }); }

  get address() { return addressOf(this.state, this.asked); }

  get shipOption() { return this.ships.length ? { ship: this.ships } : {}; }

  get shipWords() { return this.ships.join(` ${t("or")} `); }

  read(address) {
    const read = readAddress(address);
    if (!read) {
      this.news = !address ? "" : t(this.begun ? "The address of this page holds no game that can be read, so the game stays as it was." : "The address of this page holds no game that can be read, so a new one is shown.");
      return !address;
    }
    if (JSON.stringify(read.state) !== JSON.stringify(this.state)) this.record.become(read.state);
    if (!this.begun) this.record = Record.of(read.state);
    this.asked = read.asked;
    this.chosen = null;
    return true;
  }

  // The page turns to this tab: everything is drawn, and asked for if it is not known yet.
  show() {
    this.begun = true;
    this.refresh();
  }

  // ------------------------------------------------------------------ what the player does

  answer(cell, answer) {
    const before = this.record.answerAt(cell);
    this.record.answer(cell, answer);
    this.fresh = answer === null ? null : cell;
    const words = (given) => answerWords(answerCode(given), gameOf(this.state).fleet);
    this.changed(answer === null ? t("{cell} is taken back", { cell }) : before === null ? `${cell} ${words(answer)}`
      : t("{cell} {answer} instead of {before}", { cell, answer: words(answer), before: words(before) }));
  }

  begin(rules) {
    const had = this.state.shots.length;
    if (!had && sameRules(rules, this.state)) return;
    this.record.become(Record.begun(rules));
    this.volley = [];
    if (!this.priorFits) this.prior = "uniform";
    this.unsure.clear();
    this.changed(t("A new game"), had ? t("A new game. Undo brings the old one back.") : "");
  }

  // A whole game from elsewhere: a file, or another tab.
  take(state, news = "", asked = this.asked) {
    this.record.become(state);
    this.asked = asked;
    this.volley = [];
    if (!this.priorFits) this.prior = "uniform";
    this.changed(news || t("A game is taken over"), news);
  }

  step(way) {
    if (!(way === "undo" ? this.record.canUndo : this.record.canRedo)) return;
    this.record[way]();
    if (!this.priorFits) this.prior = "uniform";
    this.changed(way === "undo" ? t("Undone") : t("Done again"));
  }

  // After a change of what is known.
  changed(said, news = "") {
    this.chosen = null;
    this.replies.all = null;
    this.news = news;
    this.said = said;
    const left = this.lengthsLeft();
    this.ships = this.ships.filter((length) => left.includes(length));
    this.page.showRules();
    this.refresh();
    this.page.writeAddress();
  }

  choose(cell) {
    this.chosen = cell;
    if (cell !== this.replies.all) this.replies.all = null;
    this.draw();
  }

  pick(number) {
    const cell = gameOf(this.state).name(number);
    if (this.editing) { this.turnCell(cell); return; }
    const again = cell === this.chosen && !byId("advise-ask").contains(document.activeElement);
    this.choose(again || cell === this.suggested ? null : cell);
    this.page.say([...byId("advise-ask").childNodes].filter((node) => node.nodeName !== "BUTTON").map((node) => node.textContent).join("").trim());
  }

  // Begins to set what is known cell by cell, or ends: then it is counted.
  edit(editing) {
    this.editing = editing;
    byId("advise-edit").setAttribute("aria-pressed", String(editing));
    this.changed(editing ? t("Tap cells: each turns from not shot to miss, hit, sunk and back.") : "");
  }

  // The order in which cells are set is not that of the shots.
  turnCell(cell) {
    const { state } = this, given = this.record.answerAt(cell), answers = [null, ...repliesAt(state, cell).filter(({ answer, likely }) => likely || answer === given).map(({ answer }) => answer)];
    const next = answers[(answers.indexOf(given) + 1) % answers.length];
    if (state.contact === "sides" && state.answers === "sunk" && state.ordered !== false) this.record.rule({ ordered: false });
    this.record.answer(cell, next);
    this.changed(`${cell} ${next === null ? t("not shot yet") : answerWords(answerCode(next), gameOf(state).fleet)}`);
    this.page.say(this.said);
  }

  // A cell whose answers are to be changed, from a button elsewhere.
  open(cell) {
    this.choose(cell);
    byId("advise-ask").scrollIntoView({ block: "nearest" });
    byId("advise-replies").querySelector("button").focus({ preventScroll: true });
  }

  setPrior(prior) {
    this.prior = prior;
    this.changed(prior === "people" ? t("As people hide") : t("All layouts equally likely"));
  }

  setWithin(within) {
    this.within = within;
    this.said = within === null ? t("For the fewest misses") : t("To finish within {misses}", { misses: counted(within, "miss") });
    this.refresh();
    this.page.writeAddress();
  }

  // Hides the advice, for those who want to think first, or shows it.
  hush(quiet) {
    this.quiet = quiet;
    byId("advise-quiet").setAttribute("aria-pressed", String(quiet));
    this.draw();
    this.page.say(quiet ? t("The advice is hidden.") : this.advice ? this.summary() : "");
  }

  // Ships of one more length on the map, or no more.
  turnShip(length) {
    const more = this.ships.includes(length) ? this.ships.filter((each) => each !== length) : [...this.ships, length].sort((a, b) => b - a);
    this.showShips(more.length < this.lengthsLeft().length ? more : []);
  }

  showShips(lengths) {
    this.ships = lengths;
    this.said = lengths.length ? t("The map of ships of length {length}", { length: this.shipWords }) : t("The map of all ships");
    this.refresh();
  }

  key(event) {
    const key = letterOf(event).toUpperCase();
    if (key === "U" || key === "R") this.step(key === "U" ? "undo" : "redo");
    else if (key === "ESCAPE" && this.editing) this.edit(false);
    else if (key === "ESCAPE" && this.chosen) this.choose(null);
    else return event.repeat || this.replies.key(letterOf(event)); // a key held down is one answer
    return true;
  }

  controlKey(event) {
    if (this.page.tab !== this || !(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input, textarea")) return;
    const key = letterOf(event);
    if (key !== "z" && key !== "y") return;
    this.step(key === "y" || event.shiftKey ? "redo" : "undo");
    event.preventDefault();
  }

  // ------------------------------------------------------------------ what the worker is asked

  forgetFound() {
    this.advice = this.map = this.trouble = null;
    this.sinkings = [];
  }

  question(path, options = {}) {
    const say = ({ share }) => {
      this.share = share;
      if (byId("advise-share")) byId("advise-share").textContent = countingWords(share);
    };
    return this.latest.ask(path, Object.keys(options).length ? { ...this.state, options } : this.state, { say });
  }

  async refresh() {
    const turn = ++this.turn, now = () => turn === this.turn;
    const prior = this.prior === "uniform" ? {} : { prior: this.prior };
    this.latest.drop();
    this.forgetFound();
    if (this.editing) {
      this.waiting = this.slow = this.thinking = false;
      this.draw();
      return;
    }
    this.waiting = true;
    this.slow = this.thinking = false;
    this.share = 0;
    const timer = setTimeout(() => { if (now() && this.waiting) { this.slow = true; this.draw(); } }, COUNTING_AFTER);
    this.draw();
    try {
      const advice = await this.question("advise", { ...prior, think: 0, ...this.shipOption });
      if (!now()) return;
      this.advice = advice;
      this.map = advice.ship || null;
      this.sinkings = advice.sinkings;
      if (advice.method !== "optimal" && !advice.fleets && advice.best.length && advice.layouts <= FEW_LAYOUTS) {
        // The chances are known at once; what to shoot is said when exact play had its time.
        this.thinking = true;
        this.draw();
        const exact = await this.question("advise", { ...prior, ...(this.within === null ? {} : { within: this.within }) });
        if (!now()) return;
        this.advice = exact;
      }
      this.found();
      if (advice.stored) ask("prepare", this.state).catch(() => {}); // its tables, before they are needed
    } catch (error) {
      if (error.name === "AbortError" || !now()) return;
      if (!(error instanceof Refusal)) throw error;
      this.trouble = error;
      this.found();
    } finally {
      clearTimeout(timer);
    }
  }

  // Gives a count up that takes long.
  stop() {
    this.turn++;
    this.latest.drop();
    this.trouble = new Refusal({ text: "The count was stopped" });
    this.found();
  }

  found() {
    this.aim();
    this.waiting = this.slow = this.thinking = false;
    this.draw();
    this.page.say([this.said, this.summary()].filter(Boolean).join(". "));
    this.said = "";
  }

  // ------------------------------------------------------------------ what follows from the answers

  // Which ship was sunk is asked before the next shot is advised.
  get suggested() {
    if (!this.advice || this.quiet || this.thinking || this.doubtful || !this.advice.best.length) return null;
    return this.toShoot[0] || this.advice.best[0];
  }

  // What is left of the shots of this turn.
  get toShoot() { return this.volley.filter((cell) => this.record.answerAt(cell) === null); }

  setSalvo(salvo) {
    this.salvo = salvo;
    this.volley = [];
    this.aim();
    this.draw();
    this.page.writeAddress();
  }

  // The shots of a turn are the likeliest cells, in reading order where they are as likely.
  aim() {
    if (this.salvo < 2 || !this.advice) this.volley = [];
    else if (!this.toShoot.length) {
      const game = gameOf(this.state), shares = this.shares(this.advice);
      this.volley = [...shares.keys()].filter((cell) => shares[cell] > 0 && this.record.answerAt(game.name(cell)) === null)
        .sort((a, b) => shares[b] - shares[a] || a - b).slice(0, this.salvo).map((cell) => game.name(cell));
    }
  }

  // Names of ships that are known to be sunk.
  get wrecks() { return (this.advice && this.advice.wrecks) || []; }

  get over() { return this.advice !== null && !this.advice.best.length; }

  get conflict() { return this.trouble && this.trouble.conflict; }

  get priorFits() { return nameOfRules(this.state) === "hasbro"; }

  // The sinking to ask for, if any.
  get doubtful() { return this.sinkings.find(({ shot, ships }) => ships.length > 1 && !this.unsure.has(shot)); }

  // Lengths of ships that are not sunk yet.
  lengthsLeft() {
    return [...leftOf(this.state)].filter(([, count]) => count > 0).map(([length]) => length);
  }

  shares(document) {
    return sharesOf(document, this.advice.layouts);
  }

  summary() {
    if (this.conflict) return byId("advise-trouble").querySelector("h2").textContent;
    if (this.trouble) return this.trouble.message;
    if (this.doubtful) return byId("advise-which").querySelector("h2").textContent;
    if (this.over) return t("The fleet is sunk");
    if (this.quiet) return t("{layouts} left", { layouts: layoutsText(this.advice) });
    const share = this.shares(this.advice)[gameOf(this.state).cell(this.suggested)];
    return t("Shoot {cell}, {percent} percent. {layouts} left", { cell: this.suggested, percent: percent(share), layouts: layoutsText(this.advice) });
  }

  // ------------------------------------------------------------------ drawing

  draw() {
    const { state } = this;
    const rules = rulesKey(state);
    if (rules !== this.drawnRules) {
      this.board = new AdviceBoard(gameOf(state), (cell) => this.pick(cell));
      byId("advise-board").replaceChildren(this.board.element);
      this.chooser.set(state);
      this.drawnRules = rules;
      this.chances = null;
    }
    if (this.advice) this.chances = this.shares(this.map || this.advice);
    else if (this.trouble || this.editing) this.chances = null;
    this.drawBoard();
    this.drawReplies();
    drawQuestions(this);
    drawFacts(this);
    this.allow("undo", this.record.canUndo);
    this.allow("redo", this.record.canRedo);
    this.allow("new", state.shots.length > 0);
    const one = !state.fleet.includes(BETWEEN); // what is told of one fleet alone
    this.allow("review", one && state.shots.length > 0);
    this.allow("solve", one && Boolean(this.advice) && this.advice.layouts <= MOST_SOLVED);
    this.allow("match", one && Boolean(this.advice) && state.shots.length > 0 && !this.over);
    byId("advise-news").textContent = this.news || "";
    byId("advise").classList.toggle("over", this.over);
  }

  // A button that can be pressed or not; the focus does not stay on one that cannot.
  allow(name, can) {
    const button = byId(`advise-${name}`);
    const left = !can && button === document.activeElement;
    button.disabled = !can;
    if (left) this.board.rove(this.board.at, true);
  }

  drawBoard() {
    this.board.element.classList.toggle("counting", this.waiting && !this.thinking);
    this.board.element.setAttribute("aria-busy", String(this.waiting));
    this.board.show(looksOfGame(this.state, {
      wrecks: this.wrecks, chances: this.quiet ? null : this.chances, best: this.advice && !this.thinking && !this.quiet ? (this.salvo > 1 ? this.toShoot : this.advice.best) : [], target: this.chosen ? null : this.suggested, chosen: this.chosen,
      conflict: this.conflict ? this.conflict.answers.map(([cell]) => cell) : [], ship: this.shipWords, fresh: this.fresh, quiet: this.quiet,
    }));
    this.fresh = null;
    const { doubtful: open } = this, game = gameOf(this.state);
    this.board.showChoices(open ? open.ships.map((ship) => game.ship(ship)) : []);
  }

  drawReplies() {
    const cell = this.chosen || this.suggested;
    const hidden = this.editing || (!this.chosen && (this.over || this.trouble !== null || Boolean(this.doubtful)));
    byId("advise-ask").hidden = hidden && !this.over && !this.editing;
    byId("advise-replies").hidden = hidden;
    this.replies.show(this.state, cell, askParts(this));
  }
}
