// A hidden layout set by clicking cells: which rule it breaks, if any, and which ships it holds.

import { groupsOf } from "../shared/game.js";
import { counted, listed } from "../shared/words.js";

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
        return wrong(`${names(group)} are joined side by side but not in one straight line: a ship is straight, and ships must not share a side.`, group);
      }
      if (group.length > longest) {
        return wrong(`${game.shipName(group)} is ${group.length} cells long: the longest ship of this fleet has ${longest}.`, group);
      }
    }
  }
  if (game.contact === "none") {
    for (const cell of set) {
      const touching = game.corners(cell).find((near) => set.has(near));
      if (touching !== undefined && !groups.some((g) => g.includes(cell) && g.includes(touching))) {
        const pair = [cell, touching].sort((a, b) => a - b);
        return wrong(`Ships at ${names(pair)} touch at a corner: under this contact rule ships do not touch, even diagonally.`, pair);
      }
    }
  }
  if (!set.size) return { state: "empty", text: `No cell is set. The fleet has ${counted(game.fleetCells, "cell")}.`, cells: [] };
  if (set.size < game.fleetCells) {
    return { state: "unfinished", text: `${set.size} of ${game.fleetCells} cells are set, ${game.fleetCells - set.size} to go.`, cells: [] };
  }
  if (set.size > game.fleetCells) {
    return wrong(`${set.size} cells are set: the fleet has ${game.fleetCells}.`, []);
  }
  if (game.contact !== "sides") {
    for (let length = longest; length > 0; length--) {
      const have = groups.filter((g) => g.length === length);
      const want = game.fleet.filter((l) => l === length).length;
      if (have.length > want) {
        return wrong(`There ${have.length === 1 ? "is" : "are"} ${counted(have.length, "ship")} of length ${length} (${listed(have.map((g) => game.shipName(g)))}): the fleet has ${want || "none"}.`, have.flat());
      }
    }
  }
  return { state: "right", text: "", cells: [] };
}
