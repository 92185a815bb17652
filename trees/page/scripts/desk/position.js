// A position, and what it says about each placement: claims, constraints.
//
// Every answer concerns one ship only, the one on the cell shot. So a layout fits a position if and
// only if each of its ships, taken alone, would have given the answers on its cells, and every cell
// hit has a ship: a position reduces to *allowed* placements and *required* cells. Answers that are
// left out are taken for unknown, their shots for made.

import { HIT, HIT_SHIP, MISS, SUNK, SUNK_LENGTH, answerCode, answerText, lengthTold, numberTold, renumbered } from "../shared/codes.js";
import { Refusal, rulesOf } from "./rules.js";

export class Position {
  // shots: pairs [cell, code]; ships: cells of sunk ships that are known beyond the answers.
  constructor(rules, shots = [], ordered = true, ships = []) {
    this.rules = rules;
    this.shots = shots;
    this.ordered = ordered;
    this.ships = ships;
  }

  // The position of a document, as in a position file; its answers may contradict each other.
  static read(document) {
    const rules = rulesOf(document), seen = new Set(), { ordered = true, ships = [] } = document;
    const possible = new Set(rules.possible);
    if (!ordered && rules.answers === "sunk") possible.add(SUNK);
    const shots = (document.shots || []).map(([name, text]) => {
      const cell = rules.cell(name), code = answerCode(text);
      if (code === undefined) throw new Refusal("answer “{text}”: write miss, hit, sunk, sunk:LENGTH or hit:LENGTH#NUMBER", { text });
      if (!possible.has(code)) throw new Refusal("shot {name}: answer “{text}” does not belong to these rules", { name, text });
      if (seen.has(cell)) throw new Refusal("cell {name} is given twice", { name });
      seen.add(cell);
      return [cell, code];
    });
    const position = new Position(rules, shots, ordered, ships.map((ship) => rules.ship(ship)));
    for (const ship of position.ships) {
      const open = ship.find((cell) => !(position.codeAt(cell) > MISS));
      if (open !== undefined) throw new Refusal("sunk ship {ship}: its cell {cell} is not hit", { ship: rules.shipName(ship), cell: rules.name(open) });
    }
    return position;
  }

  // By cell: the number of the shot at it, -1 if there was none.
  get order() {
    if (!this.madeOrder) {
      this.madeOrder = new Int16Array(this.rules.cells).fill(-1);
      this.shots.forEach(([cell], shot) => { this.madeOrder[cell] = shot; });
    }
    return this.madeOrder;
  }

  codeAt(cell) {
    const shot = this.order[cell];
    return shot < 0 ? -1 : this.shots[shot][1];
  }

  shoot(cell, code) { return new Position(this.rules, [...this.shots, [cell, code]], this.ordered, this.ships); }

  // The first shots, and the known ships that they hit.
  first(count) {
    const shots = this.shots.slice(0, count), made = new Set(shots.map(([cell]) => cell));
    return new Position(this.rules, shots, this.ordered, this.ships.filter((ship) => ship.every((cell) => made.has(cell))));
  }

  // Another answer to a shot, in its place; equal ships are numbered anew as they are first hit.
  change(shot, code) {
    const shots = this.shots.map((each, i) => (i === shot ? [each[0], code] : each));
    const cell = this.shots[shot][0];
    return new Position(this.rules, renumbered(shots), this.ordered, this.ships.filter((ship) => !ship.includes(cell)));
  }

  get hits() { return this.shots.filter(([, code]) => code !== MISS).length; }

  get over() { return this.hits === this.rules.fleetCells; }

  said(shot) { return [this.rules.name(this.shots[shot][0]), answerText(this.shots[shot][1])]; }
}


// Whether equal ships are numbered in the order in which they are first hit.
function numberedRight(position) {
  const shots = position.ordered ? position.shots : [...position.shots].sort((a, b) => a[1] - b[1]);
  const highest = {};
  return shots.every(([, code]) => {
    if (code < HIT_SHIP) return true;
    const length = lengthTold(code), number = numberTold(code), most = highest[length] || 0;
    highest[length] = Math.max(most, number);
    return number <= most + 1;
  });
}

// Whether the ships of a layout have the numbers that the answers kept give them, others being made but
// not known: a ship numbered k of its length is the k-th of it to be hit. Where the order is not known,
// k of that length are hit.
export function numberedAs(position, kept, ships) {
  const { order, shots, rules } = position;
  const hit = ships.map((number) => ({ ...rules.placements[number], first: Math.min(...rules.placements[number].cells.map((cell) => (order[cell] < 0 ? Infinity : order[cell]))) }));
  return shots.every(([cell, code], shot) => {
    if (!kept[shot] || code < HIT_SHIP) return true;
    const own = hit.find(({ cells }) => cells.includes(cell)), others = hit.filter((ship) => ship.length === own.length), number = numberTold(code);
    return position.ordered ? others.filter(({ first }) => first < own.first).length === number - 1 : others.filter(({ first }) => first < Infinity).length >= number;
  });
}

// Whether a placement, taken alone, agrees with the answers that are kept.
//   kept: by number of the shot, 1 where the answer is kept; known: whether known ships count
function agrees(position, placement, named, required, kept, known) {
  const { order, shots, rules } = position, { cells, halo, length } = placement;
  if (halo.some((cell) => required[cell] && !cells.includes(cell))) return false; // a hit beside it
  if (known) {
    for (const ship of position.ships) {
      const same = ship.length === length && ship.every((cell, i) => cell === cells[i]);
      if (!same && ship.some((cell) => cells.includes(cell))) return false;
    }
  }
  const made = cells.filter((cell) => order[cell] >= 0);
  const told = made.filter((cell) => kept[order[cell]]);
  if (!told.length) return true;
  if (told.some((cell) => shots[order[cell]][1] === MISS)) return false;
  if (rules.answers === "hit") return true;
  const code = (cell) => shots[order[cell]][1];
  if (rules.answers === "ship") {
    const first = code(told[0]);
    return lengthTold(first) === length && told.every((cell) => code(cell) === first) && named.get(first) === told.length;
  }
  if (made.length < length) return told.every((cell) => code(cell) === HIT);
  const lastCells = position.ordered ? [cells.reduce((late, cell) => (order[cell] > order[late] ? cell : late))] : cells;
  return lastCells.some((last) => told.every((cell) => {
    const answer = code(cell);
    return cell === last ? answer === SUNK || answer === SUNK_LENGTH + length : answer === HIT;
  }));
}

// What constrains the ships: `allowed` by placement, `required` by cell, `left` ships by type, and
// the placements `fixed`, as those ships can lie in one way only. Null where a cell or a ship shows
// that no layout fits.
//   kept: by shot, 1 where its answer counts; all by default
export function constrain(position, { kept = new Uint8Array(position.shots.length).fill(1), known = true, propagate = true } = {}) {
  const { rules } = position, { placements, covers } = rules;
  if (rules.answers === "ship" && kept.every(Boolean) && !numberedRight(position)) return null;
  const named = new Map(), required = new Uint8Array(rules.cells);
  position.shots.forEach(([cell, code], shot) => {
    if (!kept[shot] || code === MISS) return;
    required[cell] = 1;
    named.set(code, (named.get(code) || 0) + 1);
  });
  const allowed = Uint8Array.from(placements, (placement) => (agrees(position, placement, named, required, kept, known) ? 1 : 0));
  const left = rules.typeCounts.slice(), fixed = [];
  while (propagate) {
    let sure = -1;
    for (let cell = 0; cell < rules.cells && sure < 0; cell++) {
      if (!required[cell]) continue;
      const ways = covers[cell].filter((number) => allowed[number]);
      if (!ways.length) return null;
      if (ways.length === 1) [sure] = ways;
    }
    if (sure < 0) break;
    fixed.push(sure);
    lay(rules, { allowed, required, left }, sure);
    if (left[placements[sure].type] < 0) return null;
  }
  return { allowed, required, left, fixed };
}

// Lays a ship: what it leaves to the others is changed in place.
export function lay({ placements, covers }, { allowed, required, left }, number) {
  const { cells, halo, type } = placements[number];
  for (const cell of cells) required[cell] = 0;
  for (const cell of halo) for (const other of covers[cell]) allowed[other] = 0;
  if (--left[type] <= 0) for (const other of placements) if (other.type === type) allowed[other.number] = 0;
}
