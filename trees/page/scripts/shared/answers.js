// Answers as a person says them.

import { HIT_SHIP, MISS, answerText, isSunk, lengthTold } from "./codes.js";
import { t } from "./words.js";

// How ships may lie, as in CONTACT_WORDS of seabattle.enumerate.answers.
export function contactWords(contact) {
  return t({ none: "ships do not touch", corners: "ships may touch at corners", sides: "ships may touch" }[contact]);
}

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth"];

function ordinal(number) {
  const ending = [11, 12, 13].includes(number % 100) ? "th" : ["th", "st", "nd", "rd"][number % 10] || "th";
  return t(ORDINALS[number] || "{number}th", { number }).replace(`${number}th`, `${number}${ending}`);
}

// What a ship is called in a few letters: its length, with its number among equal ones.
export function shipShort(code, fleet) {
  const length = lengthTold(code), alone = fleet.filter((each) => each === length).length === 1;
  return code < HIT_SHIP || alone ? String(length) : `${length}#${(code - HIT_SHIP) % 64}`;
}

// An answer as a person says it: in short for the eye, in full for the ear. The words are those of
// answer_words in seabattle.enumerate.answers.
export function answerShort(code, fleet) {
  return lengthTold(code) ? `${t(answerKind(code))} ${shipShort(code, fleet)}` : t(answerText(code));
}

export function answerWords(code, fleet) {
  const length = lengthTold(code);
  if (!length) return t(answerText(code));
  if (code < HIT_SHIP) return t("sunk, a ship of length {length}", { length });
  const number = (code - HIT_SHIP) % 64, alone = !shipShort(code, fleet).includes("#");
  return alone ? t("hit, the ship of length {length}", { length }) : t("hit, the {ordinal} ship of length {length} to be hit", { ordinal: ordinal(number), length });
}

export function answerKind(code) {
  return code === MISS ? "miss" : isSunk(code) ? "sunk" : "hit";
}

// What a cell that was shot shows: its mark, the ship that the answer tells, and both in words.
//   sunk: whether its ship is known to be sunk
export function shotLook(code, fleet, sunk) {
  const kind = answerKind(code), mark = sunk ? "sunk" : kind;
  return { mark, tag: lengthTold(code) ? shipShort(code, fleet) : "", word: answerWords(code, fleet) + (mark === kind ? "" : `, ${t("ship sunk")}`) };
}
