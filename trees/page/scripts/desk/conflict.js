// Answers that cannot stand together, and the single changes that repair them.
//
// Answers are taken in the order given, up to the first that contradicts those before. The others are
// left out, all misses at once, then halves of what cannot be, the farthest from that one first, as
// long as the rest still contradicts itself: what is left is a conflict none of whose answers can be
// left out. Changes that make the whole game fit come first, those after which most layouts fit before
// the others; then the changes that repair this conflict only. When all the work is done that may be,
// what is known by then is told: a conflict that may not be the smallest, and the changes found.

import { MISS, answerText } from "../shared/codes.js";
import { CONTACTS } from "../shared/games.js";
import { sweepOf } from "./counter.js";
import { fits } from "./fitting.js";
import { Position } from "./position.js";
import { Refusal, rulesOf } from "./rules.js";

const MOST_WEIGHED = 30; // changes whose layouts are counted
const MOST_TRIED = 2e9; // additions of all trials whether answers fit, half of them until the conflict is told

function said(position) {
  return [...position.shots.map((_, shot) => ({ shot })), ...position.ships.map((ship) => ({ ship }))];
}

// The claims that are kept, as a position and what counts of it.
function stands(position, claims, spent) {
  const kept = new Uint8Array(position.shots.length), ships = [];
  for (const { shot, ship } of claims) {
    if (ship) ships.push(ship);
    else kept[shot] = 1;
  }
  return fits(new Position(position.rules, position.shots, position.ordered, ships), { kept, known: ships.length > 0, spent });
}

// Known ships are said with the last of their shots.
function inOrder(position) {
  const last = ({ shot, ship }) => (ship ? Math.max(...ship.map((cell) => position.order[cell])) + 0.5 : shot);
  return said(position).sort((one, other) => last(one) - last(other));
}

function* smallest(position, spent) {
  const claims = inOrder(position), { columns } = position.rules;
  let low = 0, high = claims.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (stands(position, claims.slice(0, middle), spent)) low = middle;
    else high = middle;
    yield;
  }
  const until = claims.slice(0, high), newest = until[high - 1];
  const cells = ({ shot, ship }) => ship || [position.shots[shot][0]];
  const apart = (one) => Math.min(...cells(one).flatMap((a) => cells(newest).map((b) => Math.abs((a % columns) - (b % columns)) + Math.abs(Math.floor(a / columns) - Math.floor(b / columns)))));
  const far = until.slice(0, -1).sort((one, other) => apart(other) - apart(one));
  const missed = ({ ship, shot }) => !ship && position.shots[shot][1] === MISS;
  const groups = [far.filter(missed), far.filter((claim) => !missed(claim))];
  let left = until;
  while (groups.length && spent.work < MOST_TRIED / 2) {
    const group = groups.shift(), fewer = left.filter((claim) => !group.includes(claim)), half = group.length >> 1;
    if (!stands(position, fewer, spent)) left = fewer;
    else if (half) groups.unshift(group.slice(0, half), group.slice(half));
    yield;
  }
  return { claims: left, until };
}

function withContact(position, contact) {
  const { rules } = position, silent = rules.contact !== "sides" && rules.answers === "sunk" && contact === "sides";
  return new Position(rulesOf({ ...rules.document, contact, announce: silent ? "none" : rules.announce }),
    position.shots, position.ordered, position.ships);
}

// The conflict of a position, null where some layout fits all of it.
export function* conflict(position) {
  const { rules } = position, spent = { work: 0 };
  if (fits(position)) return null;
  if (!fits(new Position(rules))) throw new Refusal("the fleet has no layout on this board under this contact rule");
  const { claims, until } = yield* smallest(position, spent);
  const shots = claims.filter(({ ship }) => !ship).map(({ shot }) => shot).sort((a, b) => a - b);
  const kept = Uint8Array.from(position.shots, (_, shot) => (until.some((claim) => claim.shot === shot) ? 1 : 0));
  const whole = [], partly = [];
  for (const shot of shots) {
    const [cell, told] = position.shots[shot];
    for (const code of rules.possible) {
      const changed = position.change(shot, code);
      if (code === told || changed.shots[shot][1] !== code || spent.work > MOST_TRIED) continue;
      if (fits(changed, { spent })) whole.push({ change: [rules.name(cell), answerText(code)], changed });
      else if (fits(changed, { kept, spent })) partly.push([rules.name(cell), answerText(code)]);
      yield;
    }
  }
  if (whole.length > 1 && whole.length <= MOST_WEIGHED) {
    for (const each of whole) {
      const sweep = sweepOf(each.changed);
      each.layouts = sweep ? yield* sweep.total() : 0;
    }
    whole.sort((one, other) => other.layouts - one.layouts);
  }
  const looser = CONTACTS.slice(CONTACTS.indexOf(rules.contact) + 1);
  const contact = looser.find((each) => fits(withContact(position, each), { sweep: false }, false)) || null;
  return {
    answers: shots.map((shot) => position.said(shot)), shots: shots.map((shot) => shot + 1),
    ships: claims.filter(({ ship }) => ship).map(({ ship }) => rules.shipName(ship)), contact_that_fits: contact,
    changes: [...whole.map(({ change }) => change), ...partly], repairs: whole.length,
  };
}
