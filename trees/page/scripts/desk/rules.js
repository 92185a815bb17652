// The rules of a game: board, fleet, contact rule, answers; its cells and placements by name.
//
// Cells and placements are numbered as in Python: cells in reading order, placements longest ships
// first, horizontal before vertical, each in reading order.

import { HIT, MISS, SUNK, SUNK_LENGTH, namedHit } from "../shared/codes.js";
import { ANNOUNCES, ANSWERS, BETWEEN, CONTACTS, MOST_CELLS, NAMED_GAMES } from "../shared/games.js";
import { ALPHABETS, Grid } from "../shared/grid.js";

// What cannot be answered: a text with parts in {braces}, so that it can be said in any language.
export class Refusal extends Error {
  constructor(text, parts = {}) {
    super(text.replace(/\{(\w+)\}/g, (_, name) => parts[name]));
    this.text = text;
    this.parts = parts;
  }
}

const ALIKE = { latin: "ABEKMHOPCTYX", russian: "АВЕКМНОРСТУХ" }; // letters of the alphabets that look alike
const MOST_SHIPS = 63;

function chosen(value, choices) {
  if (!choices.includes(value)) throw new Refusal("“{value}” is no such rule; there are {choices}", { value, choices: choices.join(", ") });
  return value;
}

// A ship as text: a length, a rectangle such as 2x2, or a drawing by rows such as xx/x., which may be
// turned and mirrored; 3h and 3v lie along a row and a column, and = behind a form keeps it as drawn.
// Returns {text, length, ways}: as Python writes it, its cells, and the forms that it may have.
const SHIP = /^(?:([1-9]\d{0,3})([hv])?|(?:([1-9]\d{0,2})x([1-9]\d{0,2})|([x.]+(?:\/[x.]+)*))(=)?)$/;

export function atCorner(cells) {
  const top = Math.min(...cells.map(([row]) => row)), left = Math.min(...cells.map(([, column]) => column));
  return cells.map(([row, column]) => [row - top, column - left]).sort(([a, b], [c, d]) => a - c || b - d);
}

// The order in which Python sorts forms.
function compareForms(one, other) {
  for (let i = 0; i < Math.min(one.length, other.length); i++) for (const k of [0, 1]) if (one[i][k] !== other[i][k]) return one[i][k] - other[i][k];
  return one.length - other.length;
}

function turnedForms(form) {
  const found = new Map();
  for (const mirrored of [false, true]) {
    let cells = form.map(([row, column]) => [row, mirrored ? -column : column]);
    for (let turn = 0; turn < 4; turn++) {
      cells = cells.map(([row, column]) => [column, -row]);
      const moved = atCorner(cells);
      found.set(moved.join(" "), moved);
    }
  }
  return [...found.values()].sort(compareForms);
}

const extent = (form) => [0, 1].map((k) => 1 + Math.max(...form.map((cell) => cell[k])));

// Whether the cells of a form are joined: by sides, and by corners where these count.
export function isJoined(form, corners) {
  const left = form.slice(1), edge = [form[0]];
  const touch = ([row, column], [other, aside]) => (corners ? Math.max : (down, right) => down + right)(Math.abs(row - other), Math.abs(column - aside)) === 1;
  while (edge.length) {
    const cell = edge.pop();
    for (let i = left.length - 1; i >= 0; i--) if (touch(cell, left[i])) edge.push(...left.splice(i, 1));
  }
  return !left.length;
}

function shipText(form, fixed) {
  const [rows, columns] = extent(form), full = form.length === rows * columns;
  if (full && (rows === 1 || columns === 1)) return fixed ? `${form.length}${rows === 1 ? "h" : "v"}` : String(form.length);
  const taken = new Set(form.map(String));
  const drawn = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, column) => (taken.has(`${row},${column}`) ? "x" : ".")).join("")).join("/");
  return (full ? `${rows}x${columns}` : drawn) + (fixed ? "=" : "");
}

function readShip(text) {
  const [, length, along, high, wide, drawn, kept] = SHIP.exec(text) || [];
  const line = (many) => Array.from({ length: Number(many) }, (_, i) => (along === "v" ? [i, 0] : [0, i]));
  let form = null;
  if (length) form = line(length);
  else if (high) form = Array.from({ length: high * wide }, (_, i) => [Math.floor(i / wide), i % wide]);
  else if (drawn && drawn.length > 1 && drawn.includes("x")) form = drawn.split("/").flatMap((row, r) => [...row].flatMap((sign, c) => (sign === "x" ? [[r, c]] : [])));
  form = form && atCorner(form);
  if (!form || !isJoined(form, true)) throw new Refusal("ship “{text}”: write a length such as 3, a rectangle such as 2x2, or a drawing by rows such as xx/x.", { text });
  const turned = turnedForms(form), fixed = Boolean(along || kept) && turned.length > 1, ways = fixed ? [form] : turned;
  return { text: shipText(ways[0], fixed), length: form.length, ways, fixed, isLine: extent(ways[0])[0] === 1 && !fixed };
}

// Ships in the order in which Python has them: most cells first, then lines, other forms, fixed ones.
function compareShips(one, other) {
  return other.length - one.length || one.fixed - other.fixed || other.isLine - one.isLine || compareForms(one.ways[0], other.ways[0]);
}

// Whether a fleet may be numbers of ships, as in Python: 1x4,2x3,3x2,4x1 as one of length 4, two of 3, ...
function mayBeNumbers(ships) {
  const found = ships.map((text) => /^(\d+)x(\d+)$/.exec(text));
  if (found.length < 3 || !found.every(Boolean)) return false;
  const [high, wide] = [1, 2].map((k) => new Set(found.map((sides) => Number(sides[k]))));
  return (high.has(1) || wide.has(1)) && [high, wide].every((each) => each.size > 1 || !each.has(1));
}

class Rules extends Grid {
  // fields: board "10x10", fleet "4,3,2" or a name, contact, answers, announce, all as text.
  constructor(fields) {
    const usual = NAMED_GAMES[fields.fleet] || { board: "5x5", fleet: fields.fleet || "3,2,2,1,1,1", contact: "none", answers: "hit" };
    const board = /^([1-9]\d?)x([1-9]\d?)$/.exec(fields.board || usual.board);
    if (!board) throw new Refusal("board “{board}”: write rows x columns, such as 10x10", fields);
    super(Number(board[1]), Number(board[2]), chosen(fields.letters || "latin", Object.keys(ALPHABETS)));
    if (usual.fleet.includes(BETWEEN)) throw new Refusal("one of several fleets is for advice alone: give one fleet here");
    const texts = usual.fleet.split(",").map((text) => text.trim().toLowerCase());
    if (mayBeNumbers(texts)) throw new Refusal("fleet “{fleet}”: are these forms, or numbers of ships? 2x3 is one ship of 2 rows and 3 columns; write two ships of length 3 as 3,3, and a line of 4 as 4", usual);
    this.ships = texts.map(readShip).sort(compareShips);
    this.fleet = this.ships.map(({ length }) => length);
    this.contact = chosen(fields.contact || usual.contact, CONTACTS);
    this.answers = chosen(fields.answers || usual.answers, ANSWERS);
    this.announce = chosen(fields.announce || "length", ANNOUNCES);
    this.fleetCells = this.fleet.reduce((sum, length) => sum + length, 0);
    this.lengths = [...new Set(this.fleet)];
    this.counts = new Map(this.lengths.map((length) => [length, this.fleet.filter((each) => each === length).length]));
    // Equal ships are of one type.
    this.types = this.ships.filter(({ text }, i) => this.ships.findIndex((ship) => ship.text === text) === i);
    this.typeCounts = this.types.map(({ text }) => this.ships.filter((ship) => ship.text === text).length);
    // Cells on which no ship can lie, also in lines by their two ends.
    this.blocked = new Set(String(fields.blocked || "").split(",").filter(Boolean).flatMap((name) => (name.includes(":") ? this.ship(name) : [this.cell(name)])));
    const text = `${this.rows}x${this.columns}`, open = this.cells - this.blocked.size, longer = Math.max(this.rows, this.columns);
    if (this.cells > MOST_CELLS) throw new Refusal("board {board}: at most {most} cells", { board: text, most: MOST_CELLS });
    if (this.fleet.length > MOST_SHIPS) throw new Refusal("the fleet has {ships} ships, at most {most} are supported", { ships: this.fleet.length, most: MOST_SHIPS });
    const { ships: [first] } = this;
    if (first.isLine && first.length > longer) throw new Refusal("a ship of length {length} is longer than the board {board}, whose longer side is {longer}", { length: first.length, board: text, longer });
    const tooLarge = this.types.find(({ ways }) => !ways.some((form) => this.holds(form)));
    if (tooLarge) throw new Refusal("the ship {ship} does not fit on the board {board}", { ship: tooLarge.text, board: text });
    if (this.fleetCells > open) throw new Refusal("the {ships} cells of the fleet do not fit on the {cells} cells of the board {board}", { ships: this.fleetCells, cells: open, board: text });
    if (this.answers === "ship" && this.types.some(({ length }, type) => this.types.findIndex((other) => other.length === length) !== type)) {
      throw new Refusal("answers by name: two ships of as many cells have other forms");
    }
    this.key = [text, this.document.fleet, this.contact, this.answers, this.announce, ...(this.blocked.size ? [this.document.blocked] : [])].join(" ");
  }

  // The rules as the fields of a position file.
  get document() {
    const { rows, columns, ships, contact, answers, announce, blocked, letters } = this, closed = [...blocked].sort((a, b) => a - b).map((cell) => this.name(cell)).join();
    return { board: `${rows}x${columns}`, fleet: ships.map((ship) => ship.text).join(), contact, answers, announce, ...(closed ? { blocked: closed } : {}), ...(letters === "latin" ? {} : { letters }) };
  }

  holds(form) {
    const [rows, columns] = extent(form);
    return rows <= this.rows && columns <= this.columns;
  }

  // Whether a sinking tells the length of the ship.
  get tellsLength() { return this.answers === "sunk" && this.contact === "sides" && this.announce === "length"; }

  // Codes of all answers, misses first.
  get possible() {
    if (this.answers === "hit") return [MISS, HIT];
    if (this.answers === "ship") {
      const named = this.lengths.flatMap((length) => Array.from({ length: this.counts.get(length) }, (_, i) => namedHit(length, i + 1)));
      return [MISS, ...named];
    }
    return this.tellsLength ? [MISS, HIT, ...this.lengths.map((length) => SUNK_LENGTH + length)] : [MISS, HIT, SUNK];
  }

  // Number of a cell by its name, which is refused where there is none.
  cell(name) {
    const cell = super.cell(name);
    if (cell < 0) this.refuseName(String(name).trim());
    return cell;
  }

  // A cell in the letters of the other alphabet may be meant in two ways.
  refuseName(name) {
    const written = name.toUpperCase(), other = Object.keys(ALPHABETS).find((each) => each !== this.letters);
    const looks = super.cell(written.replace(/./g, (letter) => ALIKE[this.letters][ALIKE[other].indexOf(letter)] || letter));
    const counts = new Grid(this.rows, this.columns, other).cell(written), may = [...new Set([looks, counts])].filter((cell) => cell >= 0);
    if (new Grid(99, 99, other).cell(written) < 0 || !may.length) throw new Refusal("there is no cell “{name}” on this board", { name });
    const parts = { name, first: this.name(may[0]), second: may.length > 1 ? this.name(may[1]) : "", column: (counts % this.columns) + 1 };
    const russian = other === "russian";
    if (may.length === 1) throw new Refusal(russian ? "cell “{name}” is written with a Russian letter: type {first}" : "cell “{name}” is written with a Latin letter: type {first}", parts);
    throw new Refusal(russian ? "cell “{name}” is written with a Russian letter: {first} as it looks, or {second} as column {column}? Type the one that is meant" : "cell “{name}” is written with a Latin letter: {first} as it looks, or {second} as column {column}? Type the one that is meant", parts);
  }

  // Cells of a ship by its name, which is refused where it is none.
  ship(name) {
    for (const cell of String(name).split(/[:+]/)) this.cell(cell);
    const cells = super.ship(String(name));
    if (!cells) throw new Refusal("ship “{name}”: its ends are neither in one row nor in one column", { name });
    return cells;
  }

  // Every placement {number, cells, length, type, halo}: `type` numbers the kinds of ships, `halo` are the
  // cells that no other ship may occupy, its own included.
  get placements() {
    if (this.placed) return this.placed;
    const { rows, columns } = this, placed = [];
    this.types.forEach(({ length, ways }, type) => {
      for (const form of ways) {
        const [high, wide] = extent(form);
        for (let r = 0; r <= rows - high; r++) {
          for (let c = 0; c <= columns - wide; c++) {
            const cells = form.map(([row, column]) => (r + row) * columns + c + column), halo = new Set(cells);
            if (cells.some((cell) => this.blocked.has(cell))) continue;
            if (this.contact !== "sides") for (const cell of cells) for (const near of this.near(cell, this.contact === "none")) halo.add(near);
            placed.push({ number: placed.length, cells, length, type, halo: [...halo] });
          }
        }
      }
    });
    this.covering = Array.from({ length: this.cells }, () => []);
    for (const { number, cells } of placed) for (const cell of cells) this.covering[cell].push(number);
    this.placed = placed;
    return placed;
  }

  // For every cell the numbers of the placements that occupy it.
  get covers() { return this.placements && this.covering; }
}

const kept = new Map();

// The rules of a document, made once so that tables of the same game are shared.
export function rulesOf(document) {
  const made = new Rules(document);
  const key = `${made.key} ${made.letters}`;
  if (!kept.has(key)) kept.set(key, made);
  return kept.get(key);
}

