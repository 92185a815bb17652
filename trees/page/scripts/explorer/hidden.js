// A hidden layout set by clicking cells: which rule it breaks, if any, and which ships it holds.

import { groupsOf } from "../shared/game.js";
import { counted, listed, t } from "../shared/words.js";

export function isStraight(game, group) {
  const rows = new Set(group.map((c) => Math.floor(c / game.columns)));
  const columns = new Set(group.map((c) => c % game.columns));
  return rows.size === 1 || columns.size === 1;
}

// What is wrong with some cells, or what is still missing: {state, text, cells}.
// state: "empty", "unfinished", "wrong" or "right".
export function judge(game, cells) {
  const set = new Set(cells);
  const names = (some) => listed(some.map((cell) => game.name(cell)));
  const wrong = (text, bad) => ({ state: "wrong", text, cells: bad });
  const groups = groupsOf(game, set);
  const longest = game.fleet[0];
  if (game.contact !== "sides") {
    for (const group of groups) {
      if (!isStraight(game, group)) {
        return wrong(t("{cells} are joined side by side but not in one straight line: a ship is straight, and ships must not share a side.", { cells: names(group) }), group);
      }
      if (group.length > longest) {
        return wrong(t("{ship} is {cells} cells long: the longest ship of this fleet has {longest}.", { ship: game.shipName(group), cells: group.length, longest }), group);
      }
    }
  }
  if (game.contact === "none") {
    for (const cell of set) {
      const touching = game.corners(cell).find((near) => set.has(near));
      if (touching !== undefined && !groups.some((g) => g.includes(cell) && g.includes(touching))) {
        const pair = [cell, touching].sort((a, b) => a - b);
        return wrong(t("{ships} would touch at a corner: under this contact rule ships do not touch, even diagonally.", { ships: names(pair) }), pair);
      }
    }
  }
  if (!set.size) return { state: "empty", text: `${t("No cell is set.")} ${t("The fleet has {cells}.", { cells: counted(game.fleetCells, "cell") })}`, cells: [] };
  if (set.size < game.fleetCells) {
    return { state: "unfinished", text: t("{set} of {cells} cells are set, {left} to go.", { set: set.size, cells: game.fleetCells, left: game.fleetCells - set.size }), cells: [] };
  }
  if (set.size > game.fleetCells) {
    return wrong(t("{set} cells are set: the fleet has {cells}.", { set: set.size, cells: game.fleetCells }), []);
  }
  if (game.contact !== "sides") {
    for (let length = longest; length > 0; length--) {
      const have = groups.filter((g) => g.length === length);
      const want = game.fleet.filter((l) => l === length).length;
      if (have.length > want) {
        return wrong(t("Ships of length {length}: {have} ({ships}), and the fleet has {want}.", { length, have: have.length, ships: listed(have.map((g) => game.shipName(g))), want: want || t("none") }), have.flat());
      }
    }
  }
  return { state: "right", text: "", cells: [] };
}
