// The rules of a game: board, fleet, contact rule, answers; its cells and placements by name.
//
// Cells and placements are numbered as in Python: cells in reading order, placements longest ships
// first, horizontal before vertical, each in reading order.

// What cannot be answered: a text with parts in {braces}, so that it can be said in any language.
export class Refusal extends Error {
  constructor(text, parts = {}) {
    super(text.replace(/\{(\w+)\}/g, (_, name) => parts[name]));
    this.text = text;
    this.parts = parts;
  }
}

export const MISS = 0;
export const HIT = 1;
export const SUNK = 2;
export const SUNK_LENGTH = 0x100;
export const HIT_SHIP = 0x4000;

export const isSunk = (code) => code === SUNK || (code >= SUNK_LENGTH && code < HIT_SHIP);

const NAMED_GAMES = {
  russian: { board: "10x10", fleet: "4,3,3,2,2,2,1,1,1,1", contact: "none", answers: "sunk" },
  hasbro: { board: "10x10", fleet: "5,4,3,3,2", contact: "sides", answers: "sunk" },
};
const MOST_CELLS = 900;
const MOST_SHIPS = 63;

function chosen(value, choices) {
  if (!choices.includes(value)) throw new Refusal("“{value}” is no such rule; there are {choices}", { value, choices: choices.join(", ") });
  return value;
}

export class Rules {
  // fields: board "10x10", fleet "4,3,2" or a name, contact, answers, announce, all as text.
  constructor(fields) {
    const usual = NAMED_GAMES[fields.fleet] || { board: "5x5", fleet: fields.fleet || "3,2,2,1,1,1", contact: "none", answers: "hit" };
    const board = /^([1-9]\d?)x([1-9]\d?)$/.exec(fields.board || usual.board);
    if (!board) throw new Refusal("board “{board}”: write rows x columns, such as 10x10", fields);
    this.rows = Number(board[1]);
    this.columns = Number(board[2]);
    this.cells = this.rows * this.columns;
    if (!/^[1-9]\d{0,2}(,[1-9]\d{0,2})*$/.test(usual.fleet)) throw new Refusal("fleet “{fleet}”: write ship lengths such as 5,4,3,3,2", usual);
    this.fleet = usual.fleet.split(",").map(Number).sort((a, b) => b - a);
    this.contact = chosen(fields.contact || usual.contact, ["none", "corners", "sides"]);
    this.answers = chosen(fields.answers || usual.answers, ["hit", "sunk", "ship"]);
    this.announce = chosen(fields.announce || "length", ["length", "none"]);
    this.fleetCells = this.fleet.reduce((sum, length) => sum + length, 0);
    this.lengths = [...new Set(this.fleet)];
    this.counts = new Map(this.lengths.map((length) => [length, this.fleet.filter((each) => each === length).length]));
    // Cells on which no ship can lie.
    this.blocked = new Set(String(fields.blocked || "").split(",").filter(Boolean).map((name) => this.cell(name)));
    const text = `${this.rows}x${this.columns}`, open = this.cells - this.blocked.size, longer = Math.max(this.rows, this.columns);
    if (this.cells > MOST_CELLS) throw new Refusal("board {board}: at most {most} cells", { board: text, most: MOST_CELLS });
    if (this.fleet.length > MOST_SHIPS) throw new Refusal("the fleet has {ships} ships, at most {most} are supported", { ships: this.fleet.length, most: MOST_SHIPS });
    if (this.fleet[0] > longer) throw new Refusal("a ship of length {length} is longer than the board {board}, whose longer side is {longer}", { length: this.fleet[0], board: text, longer });
    if (this.fleetCells > open) throw new Refusal("the {ships} cells of the fleet do not fit on the {cells} cells of the board {board}", { ships: this.fleetCells, cells: open, board: text });
    this.key = [text, this.fleet, this.contact, this.answers, this.announce, ...(this.blocked.size ? [this.document.blocked] : [])].join(" ");
  }

  // The rules as the fields of a position file.
  get document() {
    const { rows, columns, fleet, contact, answers, announce, blocked } = this, closed = [...blocked].sort((a, b) => a - b).map((cell) => this.name(cell)).join();
    return { board: `${rows}x${columns}`, fleet: fleet.join(), contact, answers, announce, ...(closed ? { blocked: closed } : {}) };
  }

  // Whether a sinking tells the length of the ship.
  get tellsLength() { return this.answers === "sunk" && this.contact === "sides" && this.announce === "length"; }

  // Codes of all answers, misses first.
  get possible() {
    if (this.answers === "hit") return [MISS, HIT];
    if (this.answers === "ship") {
      const named = this.lengths.flatMap((length) => Array.from({ length: this.counts.get(length) }, (_, i) => HIT_SHIP + 64 * length + i + 1));
      return [MISS, ...named];
    }
    return this.tellsLength ? [MISS, HIT, ...this.lengths.map((length) => SUNK_LENGTH + length)] : [MISS, HIT, SUNK];
  }

  name(cell) {
    let name = "";
    for (let c = (cell % this.columns) + 1; c > 0; c = Math.floor((c - 1) / 26)) name = String.fromCharCode(65 + ((c - 1) % 26)) + name;
    return name + (Math.floor(cell / this.columns) + 1);
  }

  cell(name) {
    const found = /^([A-Z]{1,2})([1-9]\d?)$/.exec(plainName(name));
    let column = 0;
    for (const letter of found ? found[1] : "") column = column * 26 + letter.charCodeAt(0) - 64;
    if (!found || column > this.columns || Number(found[2]) > this.rows) throw new Refusal("there is no cell “{name}” on this board", { name });
    return (Number(found[2]) - 1) * this.columns + column - 1;
  }

  // Cells of a ship such as "A1:A4".
  ship(name) {
    const [first, last = first, ...more] = String(name).split(":");
    const ends = [this.cell(first), this.cell(last)].sort((a, b) => a - b);
    const across = Math.floor(ends[0] / this.columns) === Math.floor(ends[1] / this.columns);
    if (more.length || (!across && (ends[1] - ends[0]) % this.columns)) throw new Refusal("ship “{name}”: its ends are neither in one row nor in one column", { name });
    const cells = [];
    for (let cell = ends[0]; cell <= ends[1]; cell += across ? 1 : this.columns) cells.push(cell);
    return cells;
  }

  shipName(cells) {
    const first = this.name(cells[0]);
    return cells.length === 1 ? first : `${first}:${this.name(cells[cells.length - 1])}`;
  }

  near(cell, corners) {
    const row = Math.floor(cell / this.columns), column = cell % this.columns, found = [];
    for (let r = row - 1; r <= row + 1; r++) {
      for (let c = column - 1; c <= column + 1; c++) {
        const aside = Math.abs(r - row) + Math.abs(c - column);
        if (r >= 0 && r < this.rows && c >= 0 && c < this.columns && aside > 0 && (aside === 1 || corners)) found.push(r * this.columns + c);
      }
    }
    return found;
  }

  // Every placement {number, cells, length, type, halo}: `type` numbers the lengths, `halo` are the
  // cells that no other ship may occupy, its own included.
  get placements() {
    if (this.placed) return this.placed;
    const { rows, columns } = this, placed = [];
    this.lengths.forEach((length, type) => {
      for (const step of length > 1 ? [1, columns] : [1]) {
        for (let r = 0; r < (step === 1 ? rows : rows - length + 1); r++) {
          for (let c = 0; c < (step === 1 ? columns - length + 1 : columns); c++) {
            const cells = Array.from({ length }, (_, i) => r * columns + c + i * step), halo = new Set(cells);
            if (this.contact !== "sides") for (const cell of cells) for (const near of this.near(cell, this.contact === "none")) halo.add(near);
            placed.push({ number: placed.length, cells, length, type, halo: [...halo], closed: cells.some((cell) => this.blocked.has(cell)) });
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

// A cell as people write it: lower case, 1A, and Cyrillic letters that look like Latin ones.
function plainName(name) {
  const text = String(name).trim().toUpperCase().replace(/[АВСЕНІКМОРТХ]/g, (letter) => "ABCEHIKMOPTX"["АВСЕНІКМОРТХ".indexOf(letter)]);
  return text.replace(/^(\d+)([A-Z]+)$/, "$2$1");
}

const kept = new Map();

// The rules of a document, made once so that tables of the same game are shared.
export function rulesOf(document) {
  const made = new Rules(document);
  if (!kept.has(made.key)) kept.set(made.key, made);
  return kept.get(made.key);
}

export function answerCode(text) {
  const plain = { miss: MISS, hit: HIT, sunk: SUNK }[text];
  if (plain !== undefined) return plain;
  const [, sunk, hit, number] = /^(?:sunk:(\d{1,3})|hit:(\d{1,3})#(\d{1,2}))$/.exec(text) || [];
  if (sunk) return SUNK_LENGTH + Number(sunk);
  if (hit) return HIT_SHIP + 64 * Number(hit) + Number(number);
  throw new Refusal("answer “{text}”: write miss, hit, sunk, sunk:LENGTH or hit:LENGTH#NUMBER", { text });
}

export function answerText(code) {
  if (code >= HIT_SHIP) return `hit:${Math.floor((code - HIT_SHIP) / 64)}#${(code - HIT_SHIP) % 64}`;
  return code >= SUNK_LENGTH ? `sunk:${code - SUNK_LENGTH}` : ["miss", "hit", "sunk"][code];
}
