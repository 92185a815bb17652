// A match: a person and the program each hide a fleet, and shoot in turn.
//
// A match is a plain document that never changes: each shot gives the next one, so that it can be
// kept by the browser and taken up again. What the program's player is asked is the position of its
// own shots; `hidden`, its fleet, is shown only once the match is over.

import { MISS, answerText } from "../shared/codes.js";
import { answerOf } from "../shared/games.js";
import { countLayouts, drawLayout } from "./counter.js";
import { chanceToWin } from "./outlook.js";
import { PLAYERS } from "./players.js";
import { Position } from "./position.js";
import { Refusal, rulesOf } from "./rules.js";

// A random number below 1, for an opponent that nobody can foresee.
export const chance = () => Math.random();

const SHOTS = { you: "yours", program: "program" };

function positionOf(match, side) {
  return Position.read({ ...match, ships: [], ...match[SHOTS[side]] });
}

function after(match, cell) {
  const rules = rulesOf(match), side = match.turn, position = positionOf(match, side);
  if (position.order[cell] >= 0) throw new Refusal("{cell} was shot before.", { cell: rules.name(cell) });
  const ships = (side === "you" ? match.hidden : match.your_ships).map((ship) => rules.ship(ship));
  const code = answerOf(rules, ships, position.shots, cell), shots = [...match[SHOTS[side]].shots, [rules.name(cell), answerText(code)]];
  const sunk = position.hits + (code === MISS ? 0 : 1) === rules.fleetCells;
  const other = side === "you" ? "program" : "you";
  return ended({
    ...match, [SHOTS[side]]: { ...match[SHOTS[side]], shots }, order: [...match.order, side],
    turn: sunk ? null : code !== MISS && match.options.again ? side : other, winner: sunk ? side : null,
  });
}

function ended(match) {
  return match.turn === null ? { ...match, its_ships: match.hidden } : match;
}

// After the program's shots, until it is the person's turn or over.
function* reply(match) {
  let now = match;
  while (now.turn === "program") {
    now = after(now, yield* PLAYERS[now.options.player](positionOf(now, "program"), chance));
  }
  return now;
}

// With `options.from`, a position, the person goes on from there: the program's fleet is one that fits.
export function* begin({ options, ...game }) {
  const { ships, from = null, ...terms } = options, rules = rulesOf(game);
  const start = from ? Position.read(from) : new Position(rules), drawn = yield* drawLayout(start, options.hide === "people" ? "people" : "uniform", chance);
  if (!drawn) throw new Refusal("no fleet can be drawn for this game");
  const first = options.first === "toss" ? ["you", "program"][Math.floor(chance() * 2)] : options.first;
  const { shots = [], ordered, ships: known } = from || {};
  return yield* reply({
    ...game, options: terms, turn: first, winner: null, resigned: false, yours: { shots, ...(ordered === false ? { ordered } : {}), ...(known ? { ships: known } : {}) }, program: { shots: [] }, order: shots.map(() => "you"),
    your_ships: ships, its_ships: null, hidden: drawn.map((number) => rules.shipName(rules.placements[number].cells)),
  });
}

export function* shoot(match, name) {
  if (match.turn !== "you") throw new Refusal("it is not your turn");
  return yield* reply(after(match, rulesOf(match).cell(name)));
}

// The person's chance to win, if both shoot the likeliest cells from now on.
export function* outlook(match) {
  const rules = rulesOf(match), sides = [];
  for (const side of ["you", "program"]) {
    const position = positionOf(match, side);
    sides.push({ layouts: yield* countLayouts(position), left: rules.fleetCells - position.hits });
  }
  return { chance: chanceToWin(rules, ...sides, match.options.again) };
}

export function resign(match) {
  return ended({ ...match, turn: null, winner: "program", resigned: true });
}
