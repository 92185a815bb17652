"use strict";
// Answers: their codes, as in seabattle.enumerate.game.answers, and how a person says them.

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

// An answer as a person says it: in short for the eye, in full for the ear.
function answerShort(code) {
  return answerText(code).replace(":", " ");
}

function answerWords(code) {
  const length = lengthTold(code);
  return length ? `${answerShort(code)}, a ship of length ${length}` : answerText(code);
}

function answerKind(code) {
  return code === MISS ? "miss" : isSunk(code) ? "sunk" : "hit";
}

function counted(number, noun) {
  const many = { miss: "misses" }[noun] || `${noun}s`;
  return `${number.toLocaleString("en")} ${number === 1 ? noun : many}`;
}
