// Codes of answers, as in seabattle.enumerate.answers, and their texts.

export const MISS = 0;
export const HIT = 1;
export const SUNK = 2;
export const SUNK_LENGTH = 0x100;
export const HIT_SHIP = 0x4000;

export function isSunk(code) {
  return code === SUNK || (code >= SUNK_LENGTH && code < HIT_SHIP);
}

export function answerText(code) {
  if (code >= HIT_SHIP) return `hit:${lengthTold(code)}#${numberTold(code)}`;
  return code >= SUNK_LENGTH ? `sunk:${code - SUNK_LENGTH}` : ["miss", "hit", "sunk"][code];
}

// Code of a text, undefined where it is no answer.
export function answerCode(text) {
  const [, sunk, hit, number] = /^(?:sunk:(\d{1,3})|hit:(\d{1,3})#(\d{1,2}))$/.exec(text) || [];
  if (sunk) return SUNK_LENGTH + Number(sunk);
  return hit ? namedHit(Number(hit), Number(number)) : { miss: MISS, hit: HIT, sunk: SUNK }[text];
}

// A hit of a ship that is named, by its length and its number among those as long.
export function namedHit(length, number) { return HIT_SHIP + 64 * length + number; }

// Length of the ship that an answer names or tells, 0 if none.
export function lengthTold(code) {
  return code >= HIT_SHIP ? Math.floor((code - HIT_SHIP) / 64) : code >= SUNK_LENGTH ? code - SUNK_LENGTH : 0;
}

export function numberTold(code) { return (code - HIT_SHIP) % 64; }

// Shots [cell, code] whose equal ships are numbered in the order in which they are first hit.
export function renumbered(shots) {
  const names = new Map(), count = {};
  return shots.map(([cell, code]) => {
    if (code < HIT_SHIP) return [cell, code];
    const length = lengthTold(code);
    if (!names.has(code)) {
      count[length] = (count[length] || 0) + 1;
      names.set(code, namedHit(length, count[length]));
    }
    return [cell, names.get(code)];
  });
}
