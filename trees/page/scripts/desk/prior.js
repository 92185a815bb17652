// How people hide their fleet: a placement weighs the product of the weights of its cells.
//
// PEOPLE is the prior `people` of seabattle.enumerate.priors, put here when the page is assembled.

import { PEOPLE } from "./data.js";

export function priorFits(rules) {
  return `${rules.rows}x${rules.columns}` === PEOPLE.board && rules.document.fleet === PEOPLE.fleet && rules.contact === PEOPLE.contact && !rules.blocked.size;
}

// Weights by placement, null where all layouts are equally likely.
export function placementWeights(rules, prior) {
  if (prior !== "people" || !priorFits(rules)) return null;
  if (!rules.peopleWeights) {
    const cells = PEOPLE.weights.flat();
    rules.peopleWeights = Float64Array.from(rules.placements, (placement) => placement.cells.reduce((product, cell) => product * cells[cell], 1));
  }
  return rules.peopleWeights;
}

// The weights of layouts as whole numbers, by the rule of Python's priors: exact, or rounded where their
// sum would be too large for exact totals. Null where all are equally likely.
export function wholeWeights(rules, prior, layouts) {
  if (prior !== "people" || !priorFits(rules)) return null;
  const digits = PEOPLE.weights.flat().map((weight) => String(weight).split(".")), most = Math.max(...digits.map(([, parts = ""]) => parts.length));
  const cells = digits.map(([whole, parts = ""]) => BigInt(whole + parts.padEnd(most, "0"))), gcd = (a, b) => (b ? gcd(b, a % b) : a);
  let values = layouts.map((numbers) => numbers.reduce((product, number) => rules.placements[number].cells.reduce((all, cell) => all * cells[cell], product), 1n));
  const divisor = values.reduce(gcd, 0n), limit = (2n ** 41n - 1n) / BigInt(rules.cells);
  values = values.map((value) => value / divisor);
  const total = values.reduce((sum, value) => sum + value, 0n), room = limit - BigInt(values.length);
  if (total <= limit) return values;
  return values.map((value) => (value * 2n * room + total) / (2n * total) || 1n);
}
