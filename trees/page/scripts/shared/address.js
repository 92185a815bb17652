// A game as a piece of the page's address, short enough to be sent and plain enough to be read:
// "russian/C4m.D5h.E5s", "hasbro/C4h.C5s2/ships=C4:C5/prior=people/within=30/salvo=3", "5x5-3,2,1-none-hit-length/".

import { ANNOUNCES, ANSWERS, BETWEEN, CONTACTS, MOST_CELLS, MOST_SALVO, NAMED_GAMES } from "./games.js";
import { Grid, renamed } from "./grid.js";
import { ASKED, RULES, Record, nameOfRules, unusual } from "./record.js";
import { LETTERS } from "./words.js";

const SHIPS = "[1-9x.][0-9xhv./=]*(,[1-9x.][0-9xhv./=]*)*"; // lengths, rectangles and drawings; which of them are ships the worker says
export const FLEET = new RegExp(`^${SHIPS}(\\|${SHIPS})*$`); // or one of several

function shortAnswer(answer) {
  return answer.replace(/^(\w)\w*/, "$1").replace(":", "").replace("#", "-");
}

function longAnswer(text) {
  const [, kind, length, number] = /^([mhs])(\d+)?(?:-(\d+))?$/.exec(text) || [];
  const name = { m: "miss", h: "hit", s: "sunk" }[kind];
  if (!name || (number && kind !== "h") || (length && (kind === "m" || (kind === "h") !== Boolean(number)))) return null;
  return name + (length ? `:${Number(length)}` : "") + (number ? `#${Number(number)}` : "");
}

export function addressOf(state, asked = ASKED) {
  // Rows of a drawn ship, and fleets, are parted by signs that part nothing else in an address.
  const plain = renamed(state, LETTERS, "latin");
  const name = nameOfRules(state) || RULES.map((rule) => state[rule].replaceAll("/", "_").replaceAll(BETWEEN, "+")).join("-");
  const parts = [name, plain.shots.map(([cell, answer]) => cell + shortAnswer(answer)).join(".")];
  if (plain.blocked) parts.push(`blocked=${plain.blocked.replace(/,/g, ".")}`);
  if (state.ordered === false) parts.push("unordered");
  if (plain.ships) parts.push(`ships=${plain.ships.join(".")}`);
  for (const [name, value] of Object.entries(unusual(asked))) parts.push(`${name}=${value}`);
  return parts.join("/");
}

// The state of an address and how it is asked, null where it holds no game.
export function readAddress(address) {
  // What a mail program or a chat stuck to its end does not belong to it.
  const [name, made = "", ...more] = decoded(address).replace(/[^\w.,:=+/-].*$/s, "").replace(/[,.:]+$/, "").split("/");
  const fields = Object.fromEntries(more.map((each) => each.split("="))), plain = Object.hasOwn(NAMED_GAMES, name) ? NAMED_GAMES[name] : rulesOf(name);
  if (!plain) return null;
  const rules = fields.blocked ? { ...plain, blocked: fields.blocked.split(".").join() } : plain;
  const [rows, columns] = rules.board.split("x").map(Number), grid = new Grid(rows, columns), seen = new Set(), shots = [];
  for (const part of made.split(".").filter(Boolean)) {
    const [, cell, short] = /^([A-Z]+\d+)(\D.*)$/.exec(part) || [];
    const answer = longAnswer(short || "");
    if (!answer || grid.cell(cell) < 0 || seen.has(cell)) return null;
    seen.add(cell);
    shots.push([cell, answer]);
  }
  if (fields.blocked && fields.blocked.split(".").some((cell) => grid.cell(cell) < 0)) return null;
  const state = { ...Record.begun(rules), shots };
  if ("unordered" in fields) state.ordered = false;
  if (fields.ships) {
    state.ships = fields.ships.split(".");
    if (!state.ships.every((ship) => ship.split(/[:+]/).every((cell) => grid.cell(cell) >= 0))) return null;
  }
  const number = (name, most) => (/^\d{1,3}$/.test(fields[name]) && Number(fields[name]) <= most ? { [name]: Number(fields[name]) } : {});
  return { state: renamed(state, "latin", LETTERS), asked: { ...ASKED, ...(fields.prior === "people" ? { prior: "people" } : {}), ...number("within", grid.cells), ...(fields.salvo === "0" ? {} : number("salvo", MOST_SALVO)) } };
}

// Mail programs and the like may escape an address.
export function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return "";
  }
}

export function rulesOf(text) {
  const parts = text.split("-");
  const rules = Object.fromEntries(RULES.map((name, i) => [name, (parts[i] || "").replaceAll("_", "/").replaceAll("+", BETWEEN)]));
  const [rows, columns] = (/^([1-9]\d?)x([1-9]\d?)$/.exec(rules.board) || []).slice(1).map(Number);
  const right = parts.length === RULES.length && rows * columns <= MOST_CELLS && FLEET.test(rules.fleet) &&
    CONTACTS.includes(rules.contact) && ANSWERS.includes(rules.answers) && ANNOUNCES.includes(rules.announce);
  return right ? rules : null;
}
