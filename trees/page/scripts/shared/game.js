// A game: its board, its fleet, and what cells and ships are called.

// Number of cells of a ship as text: "3", "3h", "2x3", "xx/x.=".
export function shipLength(ship) {
  const [, high, wide] = /^(\d+)x(\d+)=?$/.exec(ship) || [];
  return high ? high * wide : Number.parseInt(ship, 10) || ship.replace(/[^x]/g, "").length;
}

export class Game {
  constructor(data) {
    this.rows = data.rows;
    this.columns = data.columns;
    this.cells = data.rows * data.columns;
    this.fleet = data.fleet;
    this.ships = data.ships || data.fleet.map(String); // as text
    this.contact = data.contact;
    this.placements = data.placements;
    this.blocked = new Set((data.blocked || "").split(",").filter(Boolean).map((name) => this.cell(name)));
    this.fleetCells = this.fleet.reduce((sum, length) => sum + length, 0);
  }

  columnName(column) {
    let name = "";
    for (let c = column + 1; c > 0; c = Math.floor((c - 1) / 26)) {
      name = String.fromCharCode(65 + ((c - 1) % 26)) + name;
    }
    return name;
  }

  name(cell) {
    return this.columnName(cell % this.columns) + (Math.floor(cell / this.columns) + 1);
  }

  // Number of a cell, -1 where there is none of this name.
  cell(name) {
    const found = /^([A-Z]{1,2})([1-9]\d?)$/.exec(name);
    if (!found) return -1;
    let column = 0;
    for (const letter of found[1]) column = column * 26 + letter.charCodeAt(0) - 64;
    const row = Number(found[2]);
    return column <= this.columns && row <= this.rows ? (row - 1) * this.columns + column - 1 : -1;
  }

  // Names of the cells of a ship such as "A1:A4".
  cellsOf(ship) {
    if (ship.includes("+")) return ship.split("+");
    const [first, last = first] = ship.split(":");
    const from = this.cell(first), to = this.cell(last), step = to - from < this.columns ? 1 : this.columns;
    const cells = [];
    for (let cell = from; cell <= to; cell += step) cells.push(this.name(cell));
    return cells;
  }

  shipName(cells) {
    const first = this.name(cells[0]), step = cells[1] - cells[0];
    if (cells.length > 1 && !(cells.every((cell, i) => cell === cells[0] + i * step) && (step === this.columns || (step === 1 && this.sides(cells[0]).includes(cells[1]))))) {
      return cells.map((cell) => this.name(cell)).join("+");
    }
    return cells.length === 1 ? first : `${first}:${this.name(cells[cells.length - 1])}`;
  }

  sides(cell) {
    const row = Math.floor(cell / this.columns), column = cell % this.columns;
    const near = [];
    if (row > 0) near.push(cell - this.columns);
    if (column > 0) near.push(cell - 1);
    if (column < this.columns - 1) near.push(cell + 1);
    if (row < this.rows - 1) near.push(cell + this.columns);
    return near;
  }

  corners(cell) {
    const column = cell % this.columns;
    const near = [];
    for (const row of [cell - this.columns, cell + this.columns]) {
      if (row < 0 || row >= this.cells) continue;
      if (column > 0) near.push(row - 1);
      if (column < this.columns - 1) near.push(row + 1);
    }
    return near;
  }
}

// Cells that hang together by their sides.
export function groupsOf(game, cells) {
  const left = new Set(cells), groups = [];
  for (const first of [...left].sort((a, b) => a - b)) {
    if (!left.delete(first)) continue;
    const group = [first];
    for (let i = 0; i < group.length; i++) {
      for (const near of game.sides(group[i])) if (left.delete(near)) group.push(near);
    }
    groups.push(group.sort((a, b) => a - b));
  }
  return groups;
}
