// A game as it is known: its rules, the answers in the order given, and what was before a change.
//
// A state is a plain position document without its `format` and never changes; changes make new
// states, so that every one of them can be undone and redone.

import { contactWords } from "./answers.js";
import { answerCode, answerText, renumbered } from "./codes.js";
import { Game, shipLength } from "./game.js";
import { BETWEEN, NAMED_GAMES } from "./games.js";
import { LANGUAGE, t } from "./words.js";

// The game that is usual where the language is spoken.
export const USUAL = LANGUAGE === "ru" ? NAMED_GAMES.russian : NAMED_GAMES.hasbro;

// How a game is weighed and asked: the prior, the misses in all with which it is to be finished (null
// for as few as can be), and the shots in a turn.
export const ASKED = Object.freeze({ prior: "uniform", within: null, salvo: 1 });

// What of it is not as usual.
export function unusual(asked) {
  return Object.fromEntries(Object.keys(ASKED).filter((name) => asked[name] !== ASKED[name]).map((name) => [name, asked[name]]));
}

export const RULES = ["board", "fleet", "contact", "answers", "announce"];

export function sameRules(one, other) {
  return rulesKey(one) === rulesKey(other);
}

export function rulesKey(rules) {
  return [...RULES, "blocked"].map((name) => rules[name] || "").join(" ");
}

// The rules of a document alone; `blocked`, cells without ships, only where there are some.
export function rulesOnly(document) {
  return { ...Object.fromEntries(RULES.map((name) => [name, document[name]])), ...(document.blocked ? { blocked: document.blocked } : {}) };
}

export function nameOfRules(rules) {
  return Object.keys(NAMED_GAMES).find((name) => sameRules(NAMED_GAMES[name], rules)) || null;
}

// The rules in words, in parts that may stand on lines of their own.
export function rulesInWords(rules) {
  const silent = rules.contact === "sides" && rules.announce === "none";
  const told = { hit: t("hit or miss"), sunk: silent ? t("hit, miss or sunk") : t("hit, miss, or sunk with the length"), ship: t("miss, or hit with the ship’s name") };
  const answered = rules.answers === "sunk" && rules.contact !== "sides" ? t("hit, miss or sunk") : told[rules.answers];
  const closed = rules.blocked ? [t("no ship on {cells}", { cells: rules.blocked.replace(/,/g, ", ") })] : [];
  return [t("{board} board", { board: rules.board.replace("x", " × ") }), t("fleet {fleet}", { fleet: rules.fleet.replaceAll(BETWEEN, ` ${t("or")} `) }), contactWords(rules.contact), answered, ...closed];
}

// The ships of a fleet as text; of several fleets, as many of each as one of them has.
function shipsOf(fleets) {
  const most = new Map();
  for (const fleet of fleets) for (const ship of fleet) most.set(ship, Math.max(most.get(ship) || 0, fleet.filter((each) => each === ship).length));
  return fleets.length === 1 ? fleets[0] : [...most].flatMap(([ship, many]) => Array(many).fill(ship)).sort((a, b) => shipLength(b) - shipLength(a));
}

// The board and fleet that a state is played on.
export function gameOf(rules) {
  const [rows, columns] = rules.board.split("x").map(Number);
  const fleets = rules.fleet.split(BETWEEN).map((fleet) => fleet.split(",")), ships = shipsOf(fleets);
  return new Game({ rows, columns, ships, fleets, fleet: ships.map(shipLength), contact: rules.contact, placements: [], blocked: rules.blocked });
}

// Whether a sinking tells the ship's length, which no other answer shows.
export function tellsLength(rules) {
  return rules.answers === "sunk" && rules.contact === "sides" && rules.announce === "length";
}

export function lengthsOf(rules) {
  return [...new Set(gameOf(rules).fleet)].sort((a, b) => b - a);
}

export function countOf(rules, length) {
  return gameOf(rules).fleet.filter((each) => each === length).length;
}

// What ships are usually called, by their lengths, in the two named games.
const SHIP_NAMES = {
  hasbro: { 5: [t("Carrier")], 4: [t("Battleship")], 3: [t("Cruiser"), t("Submarine")], 2: [t("Destroyer")] },
  russian: { 4: [t("Battleship")], 3: [t("Cruiser")], 2: [t("Destroyer")], 1: [t("Boat")] },
};

// The names that a ship of a length may have, "" for none.
export function shipNames(rules, length) {
  return ((SHIP_NAMES[nameOfRules(rules)] || {})[length] || []).join(` ${t("or")} `);
}

// All ships by name, their lengths beside: "Carrier 5, Battleship 4, …"; "" where they have none.
export function fleetNames(rules) {
  const names = SHIP_NAMES[nameOfRules(rules)];
  if (!names) return "";
  return Object.keys(names).sort((a, b) => b - a).flatMap((length) => names[length].map((name) => {
    const many = Math.round(countOf(rules, Number(length)) / names[length].length);
    return `${many > 1 ? `${many} × ` : ""}${name} ${length}`;
  })).join(" · ");
}

export class Record {
  constructor(rules) {
    this.states = [Record.begun(rules)];
    this.at = 0;
  }

  // The record of a game that came from elsewhere: its last shots can be taken back one by one.
  static of(state) {
    const record = new Record(state), { ships, ...rest } = state;
    const before = state.shots.map((_, made) => Object.freeze({ ...rest, shots: state.shots.slice(0, made) }));
    record.states = [...before, Object.freeze(state)];
    record.at = before.length;
    return record;
  }

  static begun(rules) {
    return Object.freeze({ ...rulesOnly(rules), shots: [] });
  }

  get state() { return this.states[this.at]; }

  get canUndo() { return this.at > 0; }

  get canRedo() { return this.at < this.states.length - 1; }

  undo() { if (this.canUndo) this.at--; }

  redo() { if (this.canRedo) this.at++; }

  // A new state; what was undone is forgotten.
  become(state) {
    this.states = [...this.states.slice(0, this.at + 1), Object.freeze(state)];
    this.at++;
  }

  answerAt(cell) {
    const shot = this.state.shots.find(([name]) => name === cell);
    return shot ? shot[1] : null;
  }

  // Gives, changes (in its place) or, with null, takes back the answer of a cell. A sunk ship that
  // is known stays so unless one of its cells is answered otherwise.
  answer(cell, answer) {
    const { shots, ships = [], ...rest } = this.state;
    const at = shots.findIndex(([name]) => name === cell);
    const next = shots.slice();
    if (at < 0 && answer !== null) next.push([cell, answer]);
    else if (answer === null) next.splice(at, at < 0 ? 0 : 1);
    else next[at] = [cell, answer];
    const game = gameOf(rest);
    const left = at < 0 ? ships : ships.filter((ship) => !game.ship(ship).includes(game.cell(cell)));
    this.become({ ...rest, ...(left.length ? { ships: left } : {}), shots: renumbered(next.map(([name, told]) => [name, answerCode(told)])).map(([name, code]) => [name, answerText(code)]) });
  }

  // Says which cells a sunk ship has.
  know(ship) {
    const { shots, ships = [], ...rest } = this.state;
    this.become({ ...rest, ships: [...ships.filter((each) => each !== ship), ship], shots });
  }

  // No longer says which cells some sunk ships have.
  forget(forgotten) {
    const { shots, ships = [], ...rest } = this.state;
    const left = ships.filter((ship) => !forgotten.includes(ship));
    this.become({ ...rest, ...(left.length ? { ships: left } : {}), shots });
  }

  // Other rules for the same answers.
  rule(changes) { this.become({ ...this.state, ...changes }); }
}
