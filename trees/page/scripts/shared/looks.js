// What shots show on a board: marks, the ships they sank, and water that follows from them.

import { shotLook } from "./answers.js";
import { joinsOf } from "./board.js";
import { answerCode } from "./codes.js";
import { el, percent, shipShape } from "./elements.js";
import { gameOf } from "./record.js";
import { sunkShips } from "./replies.js";
import { LANGUAGE, counted, listed, t } from "./words.js";

export function missesOf(shots) {
  return shots.filter(([, answer]) => answer === "miss").length;
}

// Cells beside hits and sunk ships that the contact rule leaves empty.
function waterBeside(game, state, ships) {
  const water = new Set();
  if (state.contact === "sides") return water;
  for (const cell of ships.flat()) game.sides(cell).forEach((near) => water.add(near));
  if (state.contact === "none") {
    for (const [name, answer] of state.shots) if (answer !== "miss") game.corners(game.cell(name)).forEach((near) => water.add(near));
  }
  for (const [name] of state.shots) water.delete(game.cell(name));
  return water;
}

// How each cell looks after the shots of a state, for BoardView.show.
//   ships: the fleet where it is known; outline: whether it is drawn so that numbers can be read on it;
//   map: {occupancy, layouts} for chances; best: names of cells to recommend; fresh: whether the last shot moves.
export function looksOfShots(game, state, { ships = null, outline = false, map = null, best = [], fresh = false } = {}) {
  const { shots } = state;
  const known = ships || [];
  const sunk = sunkShips(state).ships;
  const sunkCells = new Set(sunk.flat()), inShip = new Set(known.flat()), good = new Set(best);
  const joins = joinsOf(game, ships || sunk);
  const water = ships ? new Set() : waterBeside(game, state, sunk);
  const answers = new Map(shots.map(([name, answer]) => [game.cell(name), answerCode(answer)]));
  const last = shots.length ? game.cell(shots[shots.length - 1][0]) : -1;
  const shares = map ? sharesOf(map) : [];
  return Array.from({ length: game.cells }, (_, cell) => {
    const look = { joins: joins.get(cell) || "", fresh: fresh && cell === last };
    const words = [];
    const code = answers.get(cell);
    if (code !== undefined) {
      Object.assign(look, shotLook(code, game.fleet, sunkCells.has(cell)));
      words.push(look.word);
      look.found = inShip.has(cell) && look.mark === "hit";
    } else {
      look.found = inShip.has(cell) && !outline;
      look.ghost = inShip.has(cell) && outline;
      look.target = good.has(game.name(cell));
      if (look.target) words.push(t("best shot"));
      if (ships) words.push(inShip.has(cell) ? t("ship") : t("water"));
      if (map) {
        look.share = shares[cell];
        words.push(look.share > 0 ? t("chance of a ship {percent} percent", { percent: percent(look.share) }) : t("no ship can be here"));
      } else if (water.has(cell)) {
        look.also = "is-water";
        words.push(t("no ship can be here"));
      } else if (!ships) {
        words.push(t("not shot yet"));
      }
    }
    look.word = words.join(", ");
    return look;
  });
}

// A fleet with the ships sunk struck out; `unknown` more are sunk, of lengths not told; `told`: whether
// sinkings are.
export function fleetList(game, lengthsSunk, unknown = 0, told = true) {
  const left = lengthsSunk.slice(), shapes = [], sunk = [], others = [];
  for (const ship of [...game.fleet.keys()].sort((a, b) => game.fleet[b] - game.fleet[a])) {
    const at = left.indexOf(game.fleet[ship]), shape = shipShape(game.ships[ship]);
    if (at >= 0) left.splice(at, 1);
    (at < 0 ? others : sunk).push(game.ships[ship]);
    shapes.push(at < 0 ? shape : el("span", { class: "gone" }, shape));
  }
  const afloat = t("{afloat} of {ships} afloat", { afloat: others.length - unknown, ships: counted(game.fleet.length, "ship") });
  const words = !told ? t("sinkings are not announced") : unknown ? `${afloat}, ${t("{unknown} sunk of unknown length", { unknown })}` : afloat;
  return el("p", { class: "fleet roll" }, ...shapes, el("span", { class: "hint" }, words),
    el("span", { class: "sr" }, sunk.length ? `; ${t("sunk: {sunk}; others: {others}", { sunk: listed(sunk), others: listed(others) || t("none") })}` : `; ${t("Fleet: {ships}", { ships: others.join(", ") })}`));
}

// The fleet of a game as far as its answers tell which ships are sunk.
export function toldFleet(state) {
  const { ships, lengths } = sunkShips(state);
  return fleetList(gameOf(state), [...ships.map((cells) => cells.length), ...lengths.filter(Boolean)], lengths.filter((length) => !length).length, state.answers !== "hit");
}

// The chances in a map, by cell.
export function sharesOf({ chances, occupancy, layouts }, whole = layouts) {
  return chances ? chances.flat() : occupancy.flat().map((count) => count / whole);
}

// How a number of layouts is said: beyond 2^53 it is rounded, as where it is estimated.
export function layoutsText({ layouts, about, estimated }, noun = true) {
  const short = layouts < 1e6 ? layouts.toLocaleString(LANGUAGE) : layouts.toPrecision(4).replace(/e\+(\d+)/, (_, power) => ` × 10^${power}`);
  if (about || estimated) return t(noun ? "about {number} layouts" : "about {number}", { number: short });
  return noun ? counted(layouts, "layout") : layouts.toLocaleString(LANGUAGE);
}
