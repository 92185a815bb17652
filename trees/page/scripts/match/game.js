// The game: your shots at its fleet on one board, its shots at yours on the other.

import { answerShort, answerWords } from "../shared/answers.js";
import { BoardView } from "../shared/board.js";
import { answerCode } from "../shared/codes.js";
import { byId, el, percent } from "../shared/elements.js";
import { fleetList, layoutsText, looksOfShots, missesOf, toldFleet } from "../shared/looks.js";
import { ask } from "../shared/questions.js";
import { gameOf, rulesOnly } from "../shared/record.js";
import { counted, listed, t } from "../shared/words.js";
import { MapAsked } from "./maps.js";

const PROGRAM_BEAT = 420; // milliseconds between the program's shots

export class MatchGame {
  // state: the document of the match; helped: shots made while the best shots were shown.
  constructor(tab, state, { helped = 0, resumed = false } = {}) {
    this.tab = tab;
    this.state = state;
    this.helped = helped;
    this.game = gameOf(state);
    this.myShips = state.your_ships.map((name) => this.game.ship(name));
    this.seen = resumed ? state.program.shots.length : 0; // shots of the program that are shown
    this.shooting = ""; // the cell that is being shot at
    this.timer = null;
    this.maps = { hint: new MapAsked("advise"), map: new MapAsked("count") };
    this.outlook = { shots: -1, chance: null };
    this.its = new BoardView(this.game, { label: t("Its fleet: choose a cell to shoot at"), tiny: 24, onPick: (cell) => this.shoot(cell) });
    this.mine = new BoardView(this.game, { label: t("Your fleet and its shots"), tiny: 24 });
    byId("match-its-board").replaceChildren(this.its.element);
    byId("match-my-board").replaceChildren(this.mine.element);
    for (const id of ["match-hint", "match-map"]) {
      byId(id).checked = false;
      byId(id).onchange = () => this.show();
    }
  }

  get over() { return this.state.turn === null; }

  // Whether all of the program's shots are shown.
  get caughtUp() { return this.seen >= this.state.program.shots.length; }

  begin() {
    this.tab.keep();
    if (this.tab.page.tab === this.tab) this.its.rove(0, true);
    this.watch(0, t("The game begins."));
  }

  leave() {
    clearTimeout(this.timer);
    for (const map of Object.values(this.maps)) map.drop();
  }

  // ------------------------------------------------------------------ shots

  async shoot(cell) {
    const name = this.game.name(cell);
    if (this.over || this.shooting) return;
    if (!this.caughtUp) { this.catchUp(); return; }
    if (this.state.yours.shots.some(([shot]) => shot === name)) { this.tab.page.say(t("{cell} was shot before.", { cell: name })); return; }
    this.tab.notice.hide();
    this.shooting = name;
    const helped = byId("match-hint").checked;
    byId("match-turn").textContent = this.turnText();
    byId("match-turn").dataset.state = this.turnState();
    this.its.cells[cell].node.classList.add("is-asked");
    try {
      const from = this.seen;
      this.state = await ask("shoot", { match: this.state, shot: name });
      this.shooting = "";
      if (helped) this.helped++;
      this.tab.keep();
      const [, answer] = this.state.yours.shots[this.state.yours.shots.length - 1];
      this.watch(from, `${name}: ${answerWords(answerCode(answer), this.game.fleet)}.`);
    } catch (error) {
      this.tab.notice.show(t("{cell} was not shot: {why}", { cell: name, why: error.message }));
    } finally {
      this.shooting = "";
      this.show();
    }
  }

  // The program's shots one after another; said once they are all there.
  watch(from, mine) {
    clearTimeout(this.timer);
    this.mineSaid = mine;
    this.watchedFrom = from;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.seen = this.state.program.shots.length;
    this.step();
  }

  step() {
    this.show();
    if (this.caughtUp) { this.tell(); return; }
    this.timer = setTimeout(() => { this.seen++; this.step(); }, PROGRAM_BEAT);
  }

  catchUp() {
    clearTimeout(this.timer);
    this.seen = this.state.program.shots.length;
    this.step();
  }

  // Its last shots in words.
  itsShots() {
    const shots = this.state.program.shots.slice(this.watchedFrom, this.seen);
    const words = shots.map(([name, answer]) => `${name} ${answerShort(answerCode(answer), this.game.fleet)}`);
    return words.length ? t("The program: {shots}.", { shots: words.join(", ") }) : "";
  }

  tell() {
    this.tab.page.say([this.mineSaid, this.itsShots(), this.turnText()].filter(Boolean).join(" "));
    if (this.over && this.mineSaid) byId("match-turn").focus();
  }

  turnText() {
    const { state } = this;
    if (this.shooting) return t("Shooting at {cell} …", { cell: this.shooting });
    if (!this.caughtUp) return t("The program shoots …");
    if (!this.over) return t("Your turn: shoot.");
    if (state.resigned) return t("You resigned: the program has won.");
    return state.winner === "you" ? t("You have won!") : t("The program has won.");
  }

  turnState() {
    if (this.shooting || !this.caughtUp) return "busy";
    return !this.over ? "yours" : this.state.winner === "you" ? "won" : "lost";
  }

  async resign() {
    const from = this.seen;
    this.state = await ask("resign", { match: this.state });
    this.tab.keep();
    this.watch(from, "");
    byId("match-turn").focus();
  }

  // The person's position, solved: that is help.
  solve() {
    if (!this.over) this.helped++;
    this.tab.keep();
    this.tab.page.hand("solve", (tab) => tab.take({ ...rulesOnly(this.state), ...this.state.yours }));
  }

  // ------------------------------------------------------------------ what is shown

  show() {
    const { state, game } = this;
    const seen = state.program.shots.slice(0, this.seen);
    byId("match-turn").textContent = this.turnText();
    byId("match-scene").classList.toggle("live", !this.over);
    byId("match-turn").dataset.state = this.turnState();
    byId("match-last").textContent = this.over && this.caughtUp ? this.endText() : [this.mineSaid, this.itsShots()].filter(Boolean).join(" ");
    byId("match-does").replaceChildren(...this.buttons());
    const open = this.over && this.caughtUp && state.its_ships;
    byId("match-its-title").textContent = this.over ? t("Its fleet") : t("Its fleet: shoot here");
    this.its.element.classList.toggle("locked", this.over);
    this.showSide("its", this.its, state.yours.shots, {
      ships: open ? state.its_ships.map((name) => game.ship(name)) : null,
      fresh: seen.length === this.watchedFrom,
      ...this.mapOf("hint", state.yours.shots, !this.over),
    });
    this.showSide("my", this.mine, seen, { ships: this.myShips, fresh: true, ...this.mapOf("map", seen, true) });
    this.askOutlook();
    this.showHelp();
  }

  showSide(side, board, shots, how) {
    const { game } = this;
    const state = { ...rulesOnly(this.state), shots };
    board.show(looksOfShots(game, state, { ...how, outline: how.map !== null }));
    byId(`match-${side}-score`).textContent = `${counted(shots.length, "shot")}, ${counted(missesOf(shots), "miss")}`;
    byId(`match-${side}-fleet`).replaceChildren(how.ships ? fleetList(game, this.sunkOf(how.ships, shots)) : toldFleet(state));
  }

  // Lengths of the ships of a known fleet of which every cell was shot.
  sunkOf(ships, shots) {
    const made = new Set(shots.map(([name]) => this.game.cell(name)));
    return ships.filter((cells) => cells.every((cell) => made.has(cell))).map((cells) => cells.length);
  }

  // Chances after some shots, once they are there: {map, best}.
  mapOf(name, shots, wanted) {
    const asked = this.maps[name], none = { map: null, best: [] };
    if (!byId(`match-${name}`).checked || !wanted) { asked.drop(); return none; }
    const found = asked.after(this.state, shots, () => this.show());
    return found ? { map: found, best: name === "hint" ? found.best : [] } : none;
  }

  // The chance to win, asked for once after each of your turns.
  async askOutlook() {
    const { shots } = this.state.yours;
    if (!byId("match-hint").checked || this.over || this.outlook.shots === shots.length) return;
    this.outlook = { shots: shots.length, chance: null };
    const { chance } = await ask("outlook", { match: this.state });
    if (this.state.yours.shots === shots) this.outlook.chance = chance;
    this.showHelp();
  }

  showHelp() {
    const says = { hint: "", map: "" };
    for (const name of ["hint", "map"]) {
      const { found, error } = this.maps[name];
      if (!byId(`match-${name}`).checked) continue;
      if (error) says[name] = error;
      else if (!found) says[name] = name === "hint" && this.over ? "" : t("Counting …");
      else if (name === "map") says.map = t("{layouts} fit what its shots have shown.", { layouts: layoutsText(found) });
      else says.hint = t("Best: {cells}. {layouts} left.", { cells: found.best.length > 4 ? t("{cells} and {more} more", { cells: found.best.slice(0, 4).join(", "), more: found.best.length - 4 }) : listed(found.best), layouts: layoutsText(found) });
    }
    const { chance } = this.outlook;
    if (byId("match-hint").checked && chance !== null && !this.over) says.hint += ` ${t("Your chance to win: about {chance} %, if both shoot the likeliest cells from now on.", { chance: percent(chance) })}`;
    const helped = this.helped ? t("{shots} of yours made with help.", { shots: counted(this.helped, "shot") }) : byId("match-hint").checked && !this.over ? t("Shots made now count as made with help.") : "";
    byId("match-hint-says").textContent = [says.hint, helped].filter(Boolean).join(" ");
    byId("match-map-says").textContent = says.map;
    byId("match-hint").disabled = this.over;
  }

  endText() {
    const side = (shots) => t("{shots} with {misses}", { shots: counted(shots.length, "shot"), misses: counted(missesOf(shots), "miss") });
    const helped = this.helped ? `, ${t("{count} of them with help", { count: this.helped })}` : "";
    return t("You made {yours}; the program made {its}.", { yours: side(this.state.yours.shots) + helped, its: side(this.state.program.shots) });
  }

  buttons() {
    const button = (id, text, does, kind = null) => el("button", { type: "button", id, class: kind, onclick: does }, text);
    const leave = () => this.tab.again();
    const solve = button("match-solve", t("Solve this"), () => this.solve());
    if (!this.over) return [...(this.state.yours.shots.length ? [solve] : []), button("match-resign", t("Resign"), () => this.resign())];
    if (!this.caughtUp) return [];
    const review = (side) => () => this.tab.page.hand("review", (tab) => tab.takeMatch(this.state, side));
    const { yours, program } = this.state;
    return [
      ...(yours.shots.length ? [button("match-review-mine", t("Review my shots"), review("yours"), "primary")] : []),
      ...(program.shots.length ? [button("match-review-its", t("Review its shots"), review("program"))] : []),
      button("match-new", t("Play again"), leave),
    ];
  }
}
