// A game pasted as text, as people write it.
//
// A board: its rows as lines, "." for a cell not shot, "o" a miss, "x" a hit, "#" a cell of a sunk
// ship; letters and numbers may stand beside. Or answers: "C4 hit, D5 miss, E5 sunk=3", numbered or not, the
// cell before the answer or behind it, as in "1. C4: hit", "hit C4", "C-4 - hit".

import { Refusal, rulesOf } from "./rules.js";

const HEAD = /^\s*A(?:\s*[B-Z])*\s*$/i;
const ROW = /^\s*\d*\s*((?:[.ox#]\s*)+)$/i;
const ANSWER = /^(?:([a-zа-я]+)[\s:=–—-]+)?([a-zа-я]{1,2}\d{1,2}|\d{1,2}[a-zа-я]{1,2})(?:[\s:=–—-]+([a-zа-я]+))?(?:[\s:=]*(\d+(?:#\d+)?))?$/i;
const WORDS = { miss: "miss", m: "miss", o: "miss", "мимо": "miss", hit: "hit", h: "hit", x: "hit", "попал": "hit", "ранил": "hit", "ранен": "hit", sunk: "sunk", s: "sunk", "убил": "sunk", "убит": "sunk", "потопил": "sunk" };

// The document of a position; `game` are the rules in which it is read.
export function readText(text, game) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  return lines.some((line) => ROW.test(line)) ? readBoard(lines, game) : readAnswers(text, game);
}

function readBoard(lines, game) {
  const rows = lines.slice(HEAD.test(lines[0]) ? 1 : 0).map((line) => {
    const [, cells] = ROW.exec(line) || [];
    if (!cells) throw new Refusal("row “{row}”: write one sign for each cell, . not shot, o missed, x hit, # sunk", { row: line.trim() });
    return cells.replace(/\s/g, "").toLowerCase();
  });
  const odd = rows.find((row) => row.length !== rows[0].length);
  if (odd) throw new Refusal("row “{row}” has {cells} cells, and the first row {columns}", { row: odd, cells: odd.length, columns: rows[0].length });
  const signs = rows.join(""), answers = signs.includes("#") && game.answers === "hit" ? "sunk" : game.answers;
  const rules = rulesOf({ ...game, answers, board: `${rows.length}x${rows[0].length}` });
  if (answers === "ship" && /[x#]/.test(signs)) throw new Refusal("a board does not say which ship is hit: write answers such as C4 hit:3#1");
  const at = (sign) => [...signs].flatMap((each, cell) => (each === sign ? [cell] : [])), ships = sunkShips(rules, at("#"));
  const sunk = ships.flatMap((ship) => ship.map((cell, i) => [cell, i < ship.length - 1 ? "hit" : rules.tellsLength ? `sunk:${ship.length}` : "sunk"]));
  const shots = [...at("o").map((cell) => [cell, "miss"]), ...at("x").map((cell) => [cell, "hit"]), ...sunk];
  return { ...rules.document, shots: shots.map(([cell, answer]) => [rules.name(cell), answer]), ordered: false, ships: rules.contact === "sides" ? ships.map((ship) => rules.shipName(ship)) : [] };
}

// The one set of the fleet's ships that covers exactly the sunk cells.
function sunkShips(rules, cells) {
  const among = new Set(cells), ships = rules.placements.filter((ship) => ship.cells.every((cell) => among.has(cell))), found = [];
  const cover = (rest, left, chosen) => {
    if (!rest.length) found.push(chosen);
    for (const ship of ships) {
      if (!rest.length || found.length > 1) return;
      const free = ship.cells.includes(rest[0]) && ship.cells.every((cell) => rest.includes(cell)) && left.get(ship.length) > 0;
      if (!free || chosen.some((other) => other.cells.some((cell) => ship.halo.includes(cell)))) continue;
      cover(rest.filter((cell) => !ship.cells.includes(cell)), new Map(left).set(ship.length, left.get(ship.length) - 1), [...chosen, ship]);
    }
  };
  cover(cells, rules.counts, []);
  const parts = { cells: cells.map((cell) => rules.name(cell)).join(", ") };
  if (!found.length) throw new Refusal("sunk cells {cells}: they are no ships of the fleet", parts);
  if (found.length > 1) throw new Refusal("sunk cells {cells}: they can be several sets of ships", parts);
  return found[0].map((ship) => ship.cells);
}

function readAnswers(text, game) {
  const rules = rulesOf(game);
  const shots = text.split(/[,;\n]+/).map((each) => each.trim().replace(/^\d+\s*[.)]\s*/, "")).filter(Boolean).map((each) => {
    const [, before = "", name, after = "", length] = ANSWER.exec(each.replace(/^([a-zа-я]{1,2})-(\d)/i, "$1$2")) || [], kind = before && after ? null : WORDS[(before || after).toLowerCase()];
    if (!kind) throw new Refusal("“{text}”: write a cell and its answer, such as C4 hit, or a board of . o x #", { text: each.slice(0, 40) });
    return [rules.name(rules.cell(name)), kind + (length ? `:${length}` : "")];
  });
  return { ...rules.document, shots };
}
