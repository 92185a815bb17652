// One of several fleets, "3,2|4,2": the map over all of them, as `several.py` makes it for Python.
//
// Nobody knows which of them is hidden. Each layout of each weighs the same, so that numbers and maps
// are sums; an answer that a fleet cannot give, or that none of its layouts gives, leaves it none.

import { BETWEEN } from "../shared/games.js";
import { CountedMap, countMap } from "./counter.js";
import { Position } from "./position.js";
import { Refusal, rulesOf } from "./rules.js";

export const areSeveral = ({ fleet }) => String(fleet).includes(BETWEEN);

const oneEach = (body) => body.fleet.split(BETWEEN).map((fleet) => ({ ...body, fleet }));

// What `does` makes of the first fleet that allows it; with the fleets as they were given.
export function withOne(body, does) {
  if (!areSeveral(body)) return does(body);
  const refused = [], each = oneEach(body), fleet = each.map((one) => rulesOf(one).document.fleet).join(BETWEEN);
  for (const one of each) {
    try {
      return { ...does(one), fleet };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
    }
  }
  throw refused[0];
}

// {map, fleets: of each its text and the layouts it has left}
export function* severalMap(body) {
  const parts = [], fleets = [], refused = [];
  for (const one of oneEach(body)) {
    const fleet = rulesOf(one).document.fleet;
    try {
      const map = yield* countMap(Position.read(one));
      if (map.estimated) throw new Refusal("this board is too large to count over several fleets");
      parts.push(map);
      fleets.push({ fleet, layouts: map.layouts });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.push(error);
      fleets.push({ fleet, layouts: 0 });
    }
  }
  if (!parts.length) throw refused[0];
  const layouts = parts.reduce((sum, map) => sum + map.layouts, 0);
  return { map: new CountedMap(parts[0].position, layouts, layouts, null, { parts }), fleets };
}
