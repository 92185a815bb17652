// A game: its board, its fleet, and what cells and ships are called.

import { MISS, isSunk, lengthTold } from "./codes.js";
import { Grid } from "./grid.js";
import { LETTERS } from "./words.js";

// Number of cells of a ship as text: "3", "3h", "2x3", "xx/x.=".
export function shipLength(ship) {
  const [, high, wide] = /^(\d+)x(\d+)=?$/.exec(ship) || [];
  return high ? high * wide : Number.parseInt(ship, 10) || ship.replace(/[^x]/g, "").length;
}

export class Game extends Grid {
  constructor(data) {
    super(data.rows, data.columns, LETTERS);
    this.fleet = data.fleet;
    this.ships = data.ships || data.fleet.map(String); // as text
    this.fleets = data.fleets || [this.ships]; // of which one is hidden
    this.contact = data.contact;
    this.placements = data.placements;
    this.ways = data.ways; // of each ship the forms in which it may lie
    this.blocked = new Set((data.blocked || "").split(",").filter(Boolean).map((name) => this.cell(name)));
    this.fleetCells = this.fleet.reduce((sum, length) => sum + length, 0);
  }

  corners(cell) {
    const sides = this.sides(cell);
    return this.near(cell, true).filter((each) => !sides.includes(each));
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

// Sunk ships as the answers [cell, code] show them, each its cells; where ships may touch side by side, of
// each sinking its cell alone.
export function shownSunk(game, answers, shots) {
  const hits = shots.filter(([, code]) => code !== MISS);
  if (answers === "ship") {
    const ofShip = (named) => hits.filter(([, code]) => code === named).map(([cell]) => cell).sort((a, b) => a - b);
    return [...new Set(hits.map(([, code]) => code))].filter((code) => ofShip(code).length === lengthTold(code)).map(ofShip);
  }
  const last = new Set(hits.filter(([, code]) => isSunk(code)).map(([cell]) => cell));
  if (game.contact === "sides") return [...last].map((cell) => [cell]);
  return groupsOf(game, hits.map(([cell]) => cell)).filter((group) => group.some((cell) => last.has(cell)));
}
