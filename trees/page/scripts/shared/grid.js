// A grid of cells, and what cells and ships are called: "C4", "A1:A4", "A1+B1+A2" where it is no line.
//
// Columns have Latin or Russian letters, in which В5 is the third column. What is written in the
// letters of the other alphabet names no cell here.

export const ALPHABETS = { latin: "ABCDEFGHIJKLMNOPQRSTUVWXYZ", russian: "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ" };

export class Grid {
  constructor(rows, columns, letters = "latin") {
    Object.assign(this, { rows, columns, cells: rows * columns, letters });
  }

  columnName(column) {
    const alphabet = ALPHABETS[this.letters];
    let name = "";
    for (let c = column + 1; c > 0; c = Math.floor((c - 1) / alphabet.length)) name = alphabet[(c - 1) % alphabet.length] + name;
    return name;
  }

  name(cell) {
    return this.columnName(cell % this.columns) + (Math.floor(cell / this.columns) + 1);
  }

  // Number of a cell, written "C4", "c4" or "4C"; -1 where there is none of this name.
  cell(name) {
    const alphabet = ALPHABETS[this.letters], [, before, row, after] = /^(\p{L}{0,2})([1-9]\d?)(\p{L}{0,2})$/u.exec(String(name).trim().toUpperCase()) || [];
    if (!row || Boolean(before) === Boolean(after)) return -1;
    let column = 0;
    for (const letter of before || after) {
      if (!alphabet.includes(letter)) return -1;
      column = column * alphabet.length + alphabet.indexOf(letter) + 1;
    }
    return column <= this.columns && row <= this.rows ? (row - 1) * this.columns + column - 1 : -1;
  }

  // Cells of a ship by its name, in reading order; null where they are not all there, or its ends neither
  // in one row nor in one column.
  ship(name) {
    if (name.includes("+")) {
      const cells = name.split("+").map((each) => this.cell(each)).sort((a, b) => a - b);
      return cells[0] < 0 ? null : cells;
    }
    const [first, last = first, ...more] = name.split(":").map((each) => this.cell(each)).sort((a, b) => a - b);
    return first < 0 || more.length ? null : this.line(first, last);
  }

  // The cells from one to another, null where they share neither a row nor a column.
  line(first, last) {
    const across = Math.floor(first / this.columns) === Math.floor(last / this.columns), step = across ? 1 : this.columns;
    return (last - first) % step ? null : Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step);
  }

  shipName(cells) {
    const [first, last] = [cells[0], cells.at(-1)];
    if (cells.length === 1) return this.name(first);
    return String(this.line(first, last)) === String(cells) ? `${this.name(first)}:${this.name(last)}` : cells.map((cell) => this.name(cell)).join("+");
  }

  // Cells around a cell, those at its corners too if these are asked for.
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

  sides(cell) { return this.near(cell, false); }
}

const ANY = 99; // rows and columns, more than any board has
const NAMES = /^[A-ZА-Я]{1,2}\d{1,2}([:+,][A-ZА-Я]{1,2}\d{1,2})*$/;

// A document with all its cells named in other letters.
export function renamed(document, from, to) {
  if (from === to) return document;
  const before = new Grid(ANY, ANY, from), after = new Grid(ANY, ANY, to);
  const cell = (name) => after.name(before.cell(name));
  return JSON.parse(JSON.stringify(document), (_, value) => (typeof value === "string" && NAMES.test(value) ? value.replace(/[A-ZА-Я]+\d+/g, cell) : value));
}
