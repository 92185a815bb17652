// The rules that there are, and the two games that have names.

import { HIT, MISS, SUNK, SUNK_LENGTH, lengthTold, namedHit } from "./codes.js";

export const BETWEEN = "|"; // between fleets of which one is hidden
export const CONTACTS = ["none", "corners", "sides"];
export const ANSWERS = ["hit", "sunk", "ship"];
export const ANNOUNCES = ["length", "none"];

export const POSITION_FORMAT = "seabattle-position";

// Limits of what the page does.
export const MOST_CELLS = 900; // of a board
export const FEW_LAYOUTS = 2000; // with more left, exact play is not looked for
export const MOST_SOLVED = 10_000; // layouts of a game that is solved
export const MOST_SALVO = 5; // shots in a turn

export const NAMED_GAMES = {
  russian: { board: "10x10", fleet: "4,3,3,2,2,2,1,1,1,1", contact: "none", answers: "sunk", announce: "length" },
  hasbro: { board: "10x10", fleet: "5,4,3,3,2", contact: "sides", answers: "sunk", announce: "length" },
};

// What a fleet answers to a shot after others, [cell, code]; ships as their cells.
export function answerOf({ answers, tellsLength }, ships, shots, cell) {
  const ship = ships.find((cells) => cells.includes(cell));
  if (!ship) return MISS;
  if (answers === "hit") return HIT;
  if (answers === "ship") {
    const own = shots.find(([each]) => ship.includes(each));
    if (own) return own[1];
    const before = new Set(shots.map(([, code]) => code).filter((code) => lengthTold(code) === ship.length));
    return namedHit(ship.length, before.size + 1);
  }
  const made = new Set(shots.map(([each]) => each));
  if (!ship.every((each) => each === cell || made.has(each))) return HIT;
  return tellsLength ? SUNK_LENGTH + ship.length : SUNK;
}
