"use strict";
// Answers: their codes, as in seabattle.enumerate.answers, and how a person says them.

const MISS = 0, HIT = 1, SUNK = 2, SUNK_LENGTH = 0x100, HIT_SHIP = 0x4000;

function isSunk(code) {
  return code === SUNK || (code >= SUNK_LENGTH && code < HIT_SHIP);
}

function answerText(code) {
  if (code >= HIT_SHIP) {
    const rest = code - HIT_SHIP;
    return `hit:${Math.floor(rest / 64)}#${rest % 64}`;
  }
  if (code >= SUNK_LENGTH) return `sunk:${code - SUNK_LENGTH}`;
  return ["miss", "hit", "sunk"][code];
}

// Length of the ship that an answer names or tells, 0 if none.
function lengthTold(code) {
  return code >= HIT_SHIP ? Math.floor((code - HIT_SHIP) / 64) : code >= SUNK_LENGTH ? code - SUNK_LENGTH : 0;
}

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth"];

function ordinal(number) {
  const ending = [11, 12, 13].includes(number % 100) ? "th" : ["th", "st", "nd", "rd"][number % 10] || "th";
  return t(ORDINALS[number] || "{number}th", { number }).replace(`${number}th`, `${number}${ending}`);
}

// What a ship is called in a few letters: its length, with its number among equal ones.
function shipShort(code, fleet) {
  const length = lengthTold(code), alone = fleet.filter((each) => each === length).length === 1;
  return code < HIT_SHIP || alone ? String(length) : `${length}#${(code - HIT_SHIP) % 64}`;
}

// An answer as a person says it: in short for the eye, in full for the ear. The words are those of
// answer_words in seabattle.enumerate.answers.
function answerShort(code, fleet) {
  return lengthTold(code) ? `${t(answerKind(code))} ${shipShort(code, fleet)}` : t(answerText(code));
}

function answerWords(code, fleet) {
  const length = lengthTold(code);
  if (!length) return t(answerText(code));
  if (code < HIT_SHIP) return t("sunk, a ship of length {length}", { length });
  const number = (code - HIT_SHIP) % 64, alone = !shipShort(code, fleet).includes("#");
  return alone ? t("hit, the ship of length {length}", { length }) : t("hit, the {ordinal} ship of length {length} to be hit", { ordinal: ordinal(number), length });
}

function answerKind(code) {
  return code === MISS ? "miss" : isSunk(code) ? "sunk" : "hit";
}
