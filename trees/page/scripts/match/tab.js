// A game against the program: first the fleet and the terms, then the game.

import { Chooser } from "../shared/chooser.js";
import { byId, el, letterOf } from "../shared/elements.js";
import { renamed } from "../shared/grid.js";
import { Hiding } from "../shared/hiding.js";
import { allowed } from "../shared/kept.js";
import { Notice } from "../shared/notice.js";
import { Latest, ask } from "../shared/questions.js";
import { USUAL, gameOf, nameOfRules, rulesOnly, sameRules } from "../shared/record.js";
import { LETTERS, counted, t } from "../shared/words.js";
import { MatchGame } from "./game.js";

const FIRST_PLAYER = "easy"; // one that a beginner can beat
const KEPT_MATCH = "seabattle match"; // where the browser keeps the running match

const PLAYER_TITLES = { easy: t("Easy"), middling: t("Middling"), strong: t("Strong"), people: t("Strongest") };
const PLAYER_SUMMARIES = {
  easy: t("Shoots anywhere until it hits, then around the hit."),
  middling: t("Looks where each of your ships has most room, one ship at a time."),
  strong: t("Counts every layout of your fleet that fits what it knows, and shoots where the most have a ship."),
  people: t("Counts as Strong does, and knows where people like to hide their ships."),
};
const HIDING_TITLES = { random: t("At random"), people: t("As people do") };
const HIDING_SUMMARIES = { random: t("Every layout equally likely."), people: t("As people hid this fleet in 54,652 games, more often at the edge.") };
const DRAW_TITLES = { random: t("Draw at random"), people: t("Draw as people hide") };

export class MatchTab {
  constructor(page) {
    this.page = page;
    this.game = null;
    this.terms = { players: [], hiding: [] };
    this.asked = null;
    this.notice = new Notice(byId("match-notice"));
    this.chooser = new Chooser(byId("match-chooser"), (rules) => this.begin(rules));
    this.drawing = new Latest();
    byId("match-turn-ship").addEventListener("click", () => this.hiding.turn());
    byId("match-clear").addEventListener("click", () => this.hiding.clear());
    byId("match-start").addEventListener("click", () => this.start());
    for (const id of ["match-player", "match-hide"]) byId(id).addEventListener("change", () => this.showTerms());
    this.setRules(USUAL);
    this.resume();
    // Another tab goes on with the match that is kept, or with another one.
    window.addEventListener("storage", ({ key }) => { if (key === KEPT_MATCH && this.game && !this.game.over) this.notice.show(t("This match goes on in another tab: what is played here is not kept beside it.")); });
  }

  get rules() { return this.game ? this.game.state : this.setup; }

  // ------------------------------------------------------------------ the setting up

  setRules(rules) {
    this.setup = rulesOnly(rules);
    this.from = null;
    this.chooser.set(this.setup);
    this.drawing.drop();
    this.hiding = new Hiding(gameOf(this.setup), {
      board: byId("match-hiding"), tray: byId("match-tray"), verdict: byId("match-verdict"), onChange: () => this.showReady(),
    });
    byId("match-again").checked = nameOfRules(this.setup) !== "hasbro";
    this.terms = { players: [], hiding: [] };
    this.asked = null;
    this.hiding.show();
  }

  begin(rules) {
    this.notice.hide();
    this.setRules(rules);
    this.page.show();
  }

  // A position that the person goes on from, shooting first.
  take(state) {
    if (this.game) this.game.leave();
    this.game = null;
    this.keep();
    this.notice.hide();
    this.setRules(state);
    this.from = state;
    byId("match-first").value = "you";
  }

  // Who can play this game, and how its fleet can be hidden.
  async askTerms() {
    const rules = this.setup;
    if (this.asked === rules) return;
    this.asked = rules;
    try {
      const terms = await ask("players", rules);
      if (rules !== this.setup) return;
      this.terms = terms;
      this.fillTerms(terms);
    } catch (error) {
      if (rules !== this.setup) return;
      this.asked = null;
      this.chooser.element.open = true;
      this.chooser.complain(error.message);
    }
    this.showTerms();
    this.showReady();
  }

  fillTerms({ players, hiding }) {
    const option = (name, text, chosen) => el("option", { value: name, selected: name === chosen }, text);
    byId("match-player").replaceChildren(...players.map((name) => option(name, PLAYER_TITLES[name], FIRST_PLAYER)));
    byId("match-hide").replaceChildren(...hiding.map((name) => option(name, HIDING_TITLES[name], "random")));
    byId("match-draw").replaceChildren(...hiding.map((name) => el("button", {
      type: "button", "data-draw": name, title: HIDING_SUMMARIES[name], onclick: () => this.draw(name),
    }, DRAW_TITLES[name])));
  }

  showTerms() {
    byId("match-about-player").textContent = PLAYER_SUMMARIES[byId("match-player").value] || "";
    byId("match-about-hide").textContent = HIDING_SUMMARIES[byId("match-hide").value] || "";
  }

  showReady() {
    const { hiding } = this;
    const short = hiding.ships.filter((cells) => !cells).length;
    const known = this.terms.players.length > 0;
    byId("match-start").disabled = !known || short > 0;
    byId("match-turn-ship").disabled = !hiding.turnable;
    byId("match-clear").disabled = hiding.ships.every((cells) => !cells);
    byId("match-ready").textContent = short ? t("{ships} still to place.", { ships: counted(short, "ship") }) : known ? t("Your fleet is hidden.") : "";
  }

  // Ships by name, in any order.
  takeFleet(names) { this.hiding.take(names.map((name) => this.hiding.game.ship(name))); }

  async draw(how) {
    this.notice.hide();
    byId("match-verdict").textContent = t("Drawing a fleet …");
    byId("match-verdict").dataset.state = "unfinished";
    try {
      const { ships } = await this.drawing.ask("layout", { ...this.setup, options: { hide: how } });
      this.takeFleet(ships);
      this.page.say(byId("match-verdict").textContent);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.hiding.show();
      this.notice.show(error.message, () => this.draw(how));
    }
  }

  async start() {
    this.notice.hide();
    byId("match-start").disabled = true;
    const options = {
      ships: this.hiding.names, player: byId("match-player").value, hide: byId("match-hide").value,
      first: byId("match-first").value, again: byId("match-again").checked, ...(this.from ? { from: this.from } : {}),
    };
    try {
      this.enter(new MatchGame(this, await ask("begin", { ...this.setup, options })));
    } catch (error) {
      this.notice.show(error.message, () => this.start());
    }
    this.showReady();
  }

  // ------------------------------------------------------------------ the game

  enter(game) {
    if (this.game) this.game.leave();
    this.game = game;
    this.page.show();
    game.begin();
  }

  // Back to the setting up, with the fleet as it was.
  again() {
    const { state } = this.game;
    this.game.leave();
    this.game = null;
    this.keep();
    this.notice.hide();
    if (!sameRules(state, this.setup)) this.setRules(state);
    if (!this.hiding.complete) this.takeFleet(state.your_ships);
    this.page.show();
    byId("match-start").focus();
  }

  // The running match lives in the browser's storage until another one begins.
  keep() {
    const { game } = this;
    allowed(() => (game ? localStorage.setItem(KEPT_MATCH, JSON.stringify({ match: game.state, helped: game.helped })) : localStorage.removeItem(KEPT_MATCH)));
  }

  // The match that was being played when the page was left.
  resume() {
    try {
      const { match, helped } = JSON.parse(localStorage.getItem(KEPT_MATCH));
      this.game = new MatchGame(this, { ...renamed(match, match.letters || "latin", LETTERS), letters: LETTERS }, { helped, resumed: true });
    } catch {
      // There is none, or it cannot be read.
    }
  }

  show() {
    const playing = this.game !== null;
    byId("match-setup").hidden = playing;
    byId("match-from").hidden = !this.from;
    byId("match-from").textContent = this.from ? t("You go on from {shots}: the program hides a fleet that fits their answers.", { shots: counted(this.from.shots.length, "shot") }) : "";
    byId("match-game").hidden = !playing;
    if (playing) this.game.show();
    else this.askTerms();
  }

  // The match is kept by the browser, and no part of the address.
  get address() { return ""; }

  read() { return true; }

  key(event) {
    if (this.game || letterOf(event) !== "r") return false;
    this.hiding.turn();
    this.page.say(byId("match-verdict").textContent);
    return true;
  }
}
