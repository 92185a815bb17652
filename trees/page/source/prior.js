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
