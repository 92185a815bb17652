// What can be answered to a shot, and which ships the answers so far have sunk.

import { answerShort } from "./answers.js";
import { answerCode, lengthTold } from "./codes.js";
import { shownSunk } from "./game.js";
import { countOf, gameOf, lengthsOf, shipNames, tellsLength } from "./record.js";
import { t } from "./words.js";

// Answers that the rules know for a cell: {answer, kind, word, note, likely}. The word is for the
// button; `likely` is false where the answers so far speak against it, though it can be given.
export function repliesAt(state, cell) {
  const others = state.shots.filter(([name]) => name !== cell);
  const replies = [{ answer: "miss", kind: "miss", word: t("Miss"), likely: true }];
  if (state.answers === "ship") return [...replies, ...namedReplies(state, others, cell)];
  replies.push({ answer: "hit", kind: "hit", word: t("Hit"), likely: true });
  if (state.answers === "hit") return replies;
  if (!tellsLength(state)) return [...replies, { answer: "sunk", kind: "sunk", word: t("Sunk"), likely: true }];
  const left = leftOf({ ...state, shots: others });
  for (const length of lengthsOf(state)) {
    const likely = left.get(length) > 0 && runsThrough(state, cell, length).length > 0;
    replies.push({ answer: `sunk:${length}`, kind: "sunk", word: t("Sunk {length}", { length }), note: shipNames(state, length), likely });
  }
  return replies;
}

function namedReplies(state, others, cell) {
  const replies = [];
  for (const length of lengthsOf(state)) {
    const hits = new Map();
    for (const [name, answer] of others) {
      if (answer.startsWith(`hit:${length}#`)) hits.set(answer, [...(hits.get(answer) || []), name]);
    }
    for (const [answer, cells] of hits) {
      const word = countOf(state, length) === 1 ? t("Hit the {length}", { length }) : t("The {length} at {cell}", { length, cell: cells[0] });
      const note = t("{count} of {length} hit", { count: cells.length, length });
      replies.push({ answer, kind: "hit", word, note, likely: cells.length < length });
    }
    if (hits.size === countOf(state, length)) continue;
    const own = (state.shots.find(([name]) => name === cell) || ["", ""])[1];
    let number = 1;
    while (hits.has(`hit:${length}#${number}`)) number++;
    const answer = own.startsWith(`hit:${length}#`) && !hits.has(own) ? own : `hit:${length}#${number}`;
    const word = t(countOf(state, length) === 1 ? "Hit the {length}" : hits.size ? "Hit another {length}" : "Hit a {length}", { length });
    replies.push({ answer, kind: "hit", word, likely: true });
  }
  return replies;
}

// Straight runs of so many cells through a cell, all others of which were hit before and sank
// nothing: what a ship sunk there can be. Cells of ships that are known are left out.
function runsThrough(state, cell, length) {
  const game = gameOf(state), { ships = [], shots } = state;
  const made = shots.findIndex(([name]) => name === cell);
  const before = made < 0 || state.ordered === false ? shots : shots.slice(0, made);
  const known = new Set(ships.flatMap((ship) => game.ship(ship)));
  const hit = new Set(before.filter(([name, answer]) => answer === "hit" && !known.has(game.cell(name))).map(([name]) => game.cell(name)));
  const at = game.cell(cell), column = at % game.columns, row = Math.floor(at / game.columns), runs = [];
  for (const [step, place, size] of [[1, column, game.columns], [game.columns, row, game.rows]]) {
    if (length === 1 && step > 1) continue;
    for (let first = Math.max(0, length - size + place); first <= Math.min(place, length - 1); first++) {
      const run = Array.from({ length }, (_, i) => at + (i - first) * step);
      if (run.every((each) => each === at || hit.has(each))) runs.push(run);
    }
  }
  return runs;
}

// Sunk ships whose cells follow from the answers, as cell numbers, and the lengths of the others:
// {ships: [[cell, ...], ...], lengths: [length, or null where it is not known, ...]}.
export function sunkShips(state) {
  const game = gameOf(state), { shots } = state;
  if (state.answers === "ship" || state.contact !== "sides") {
    return { ships: shownSunk(game, state.answers, shots.map(([cell, answer]) => [game.cell(cell), answerCode(answer)])), lengths: [] };
  }
  const ships = [], lengths = [], known = (state.ships || []).map((ship) => game.ship(ship));
  for (const [cell, answer] of shots.filter(([, answer]) => answer.startsWith("sunk"))) {
    const at = game.cell(cell), length = lengthTold(answerCode(answer));
    const own = known.find((ship) => ship.includes(at) && (!length || ship.length === length));
    const runs = own ? [own] : (length ? [length] : lengthsOf(state)).flatMap((each) => runsThrough(state, cell, each));
    if (runs.length === 1) ships.push(runs[0]);
    else lengths.push(length || null);
  }
  return { ships, lengths };
}

// How many ships of each length are not known to be sunk.
export function leftOf(state) {
  const left = new Map(lengthsOf(state).map((length) => [length, countOf(state, length)]));
  const { ships, lengths } = sunkShips(state);
  for (const length of [...ships.map((ship) => ship.length), ...lengths]) if (left.has(length)) left.set(length, left.get(length) - 1);
  return left;
}

// An answer in a few letters: the number of a ship is left out where its length says enough.
export function answerSaid(rules, answer) {
  return answerShort(answerCode(answer), gameOf(rules).fleet);
}
