// A game pasted as text, as people write it: a board, or answers.
//
// A board has a line for each row, in signs that have one meaning wherever they are met, as `board_text.py`
// reads them; a line above, such as "~=unknown, !=miss, *=hit", says what others mean. Cells stand side
// by side or apart, by spaces, bars, commas or semicolons; letters and numbers may stand beside. Answers are
// "C4 hit, D5 miss, E5 sunk=3", numbered or not, the cell before the answer or behind it, as in
// "1. C4: hit", "hit C4", "C-4 - hit".

import { ALPHABETS, Grid } from "../shared/grid.js";
import { Refusal, rulesOf } from "./rules.js";

const SIGNS = { unknown: ".·~-_?0Ww⬜◻□░🟦", miss: "oO○Mm🌊💦", hit: "xX×1Hh💥🔥🎯", sunk: "#☠💀" };
const KNOWN = new Map([["", "unknown"], ...Object.entries(SIGNS).flatMap(([meaning, signs]) => Array.from(signs, (sign) => [sign, meaning]))]);
const SEA = "🌊"; // alone it can be water that was shot, or not
const TOLD = /^\s*\S+\s*=\s*(?:unknown|miss|hit|sunk)(?:\s*,\s*\S+\s*=\s*(?:unknown|miss|hit|sunk))*\s*$/i;
const FENCE = /^\s*\x60{3}/;
const RULED = /^(?=.*[|+\u2500-\u257f])[\s|+:=\u2500-\u257f-]*(?:[-=─═━]{2,}|:-|-:|[+\u250c-\u254b\u2552-\u256c])[\s|+:=\u2500-\u257f-]*$/;
const ANSWER = /^(?:([a-zа-я]+)[\s:=–—-]+)?([a-zа-я]{1,2}\d{1,2}|\d{1,2}[a-zа-я]{1,2})(?:[\s:=–—-]+([a-zа-я]+))?(?:[\s:=]*(\d+(?:#\d+)?))?$/i;
const WORDS = { miss: "miss", m: "miss", o: "miss", "мимо": "miss", hit: "hit", h: "hit", x: "hit", "попал": "hit", "ранил": "hit", "ранен": "hit", sunk: "sunk", s: "sunk", "убил": "sunk", "убит": "sunk", "потопил": "sunk" };

// The document of a position; `game` are the rules in which it is read.
export function readText(given, game) {
  const text = rowsOfArray(given.replace(/^\ufeff/, ""));
  const answers = text.split(/[,;\n]+/).map((each) => each.trim().replace(/^\d+\s*[.)]\s*/, "")).filter(Boolean);
  const lines = tabled(text).split(/\r?\n/).filter((line) => line.trim());
  return lines.length > 1 && !answers.some(answerIn) ? readBoard(lines, game) : readAnswers(answers, game);
}

// An array that is printed on one line, with a line for each row.
function rowsOfArray(text) {
  if (!/^\s*[[({]/.test(text)) return text;
  if (text.split("[").length > text.split("]").length) throw new Refusal("the array of rows is cut short: a bracket is not closed");
  return text.replace(/([\])}])[\s,]*([[({])/g, "$1\n$2");
}

// A table copied from a spreadsheet with semicolons in place of its tabs: then its empty cells are cells, at the ends
// of a row, too, and where a row has no others. A board that is set in by tabs is no such table.
function tabled(text) {
  const lines = text.split(/\r?\n/).filter(Boolean), head = TOLD.test(lines[0]) ? lines.splice(0, 1) : [];
  const rows = lines.map((line) => line.split("\t").map((part) => part.trim())), parts = rows.flat(), width = Math.max(...rows.map((row) => row.length));
  if (width < 2 || parts.some((part) => /[|;,\s]/.test(part))) return text;
  const apart = lines.some((line) => line.replace(/^\t+/, "").includes("\t")), signs = parts.every((part) => signsOf(part).length < 2);
  if (!apart && (!signs || rows.every((row) => row.length === width))) return text;
  return [...head, ...rows.map((row) => [...row, ...Array(width - row.length).fill("")].join(";"))].join("\n");
}

// {name, kind, length} of an answer, null for what is none.
function answerIn(text) {
  const [, before = "", name, after = "", length] = ANSWER.exec(text.replace(/^([a-zа-я]{1,2})-(\d)/i, "$1$2")) || [], kind = before && after ? null : WORDS[(before || after).toLowerCase()];
  return kind ? { name, kind, length } : null;
}

function readAnswers(answers, game) {
  const rules = rulesOf(game);
  const shots = answers.map((text) => {
    const { name, kind, length } = answerIn(text) || {};
    if (!kind) throw new Refusal("“{text}”: write a cell and its answer, such as C4 hit, or a board of . o x #", { text: text.slice(0, 40) });
    return [rules.name(rules.cell(name)), kind + (length ? `:${length}` : "")];
  });
  return { ...rules.document, shots };
}

// Whether a line counts the columns by letters or numbers.
function countsColumns(line) {
  const names = line.toUpperCase().split(/[\s|,;]+/).filter(Boolean), joined = names.join("");
  const counted = [...Object.keys(ALPHABETS).map((letters) => (_, column) => new Grid(1, names.length, letters).columnName(column)), (_, column) => String(column + 1), (_, column) => String(column)];
  if (names.length > 1 && counted.some((name) => String(names.map(name)) === String(names))) return true;
  return joined.length > 1 && Object.values(ALPHABETS).some((alphabet) => alphabet.startsWith(joined));
}

// The lines without that of no heads, which Markdown asks for above a table without any.
function withoutEmptyHead(lines) {
  const ruled = lines.filter((line) => RULED.test(line)).length, empty = !lines[0].replace(/[\s|]/g, "");
  return empty && lines.length > 3 && ruled === 1 && RULED.test(lines[1]) ? lines.slice(1) : lines;
}

// The rows without their letters or numbers in front, where all have them in order.
function withoutNames(rows, headed) {
  for (const alphabet of [null, ...Object.values(ALPHABETS)]) {
    const name = (row) => (alphabet ? alphabet[row] : String(row + 1)), rest = rows.map((row, i) => (row.toUpperCase().startsWith(name(i)) ? row.slice(name(i).length) : ""));
    const cells = alphabet ? /\S/ : headed ? /^\D/ : /^\D.*[^\s|,;\d]/; // a number before numbers alone can be a cell
    if (rest.every((row) => cells.test(row))) return rest.map((row) => row.replace(/^(?:[:).]?(?=\s)\s*[|,;]?|\s*[|,;])/, ""));
  }
  return rows;
}

// The signs of a row; between separators an empty cell is one that was not shot.
function signsOf(row) {
  const separator = ["|", ";", ",", "\t"].find((each) => row.includes(each));
  return (separator ? row.split(separator) : [row]).flatMap((part) => {
    const signs = Array.from(part.replace(/\s|\ufe0e|\ufe0f/g, ""));
    return signs.length || !separator ? signs : [""];
  });
}

// What each sign of a board means; refused where that is not known, or can be several things.
function meaningsOf(signs, told) {
  const known = new Map([...KNOWN, ...told]), strange = signs.filter((sign) => !known.has(sign));
  const alike = Object.keys(SIGNS).map((meaning) => signs.filter((sign) => !told.has(sign) && known.get(sign) === meaning)).find((group) => group.length > 1);
  const parts = { signs: signs.map((sign) => sign || "␣").join(" "), strange: strange.join(" "), alike: (alike || []).map((sign) => sign || "␣").join(" "), example: `${(strange.length ? strange : alike || [SEA])[0] || "."}=miss` };
  parts.known = Object.entries(SIGNS).map(([meaning, all]) => `${Array.from(all).join(" ")} ${meaning}`).join(", ");
  if (strange.length) throw new Refusal("the board has the signs {signs}, of which {strange} are not known: say what they mean in a line above, such as {example} (unknown, miss, hit or sunk); known are {known}", parts);
  if (alike) throw new Refusal("the board has the signs {alike}, which can all mean the same: say what they mean in a line above, such as {example} (unknown, miss, hit or sunk)", parts);
  if (signs.includes(SEA) && !told.has(SEA) && !signs.some((sign) => known.get(sign) === "unknown")) throw new Refusal("the board has the sign 🌊 for water, shot or not: say which in a line above, such as 🌊=miss");
  return known;
}

function readBoard(lines, game) {
  const told = new Map(TOLD.test(lines[0]) ? lines[0].split(",").map((each) => each.split(/=(?=[^=]*$)/).map((part) => part.trim())).map(([sign, meaning]) => [sign, meaning.toLowerCase()]) : []);
  const drawn = withoutEmptyHead(lines.slice(told.size ? 1 : 0).filter((line) => !FENCE.test(line))).filter((line) => !RULED.test(line)).map((line) => line.replace(/[[\](){}'"]/g, "").trim());
  const inner = drawn.map((line) => (/^\|.*\|$/.test(line) ? line.slice(1, -1) : line)).map((line) => line.trim());
  const headed = inner.length > 1 && countsColumns(inner[0]);
  const rows = withoutNames(headed ? inner.slice(1) : inner, headed).map(signsOf);
  const odd = rows.find((row) => row.length !== rows[0].length);
  if (odd) throw new Refusal("row “{row}” has {cells} cells, and the first row {columns}", { row: odd.join(" "), cells: odd.length, columns: rows[0].length });
  const meaning = meaningsOf([...new Set(rows.flat())], told), shown = rows.flat().map((sign) => meaning.get(sign)), answers = shown.includes("sunk") && game.answers === "hit" ? "sunk" : game.answers;
  const rules = rulesOf({ ...game, answers, board: `${rows.length}x${rows[0].length}` });
  if (answers === "ship" && (shown.includes("hit") || shown.includes("sunk"))) throw new Refusal("a board does not say which ship is hit: write answers such as C4 hit:3#1");
  const at = (what) => [...shown.keys()].filter((cell) => shown[cell] === what), ships = sunkShips(rules, at("sunk"));
  const sunk = ships.flatMap((ship) => ship.map((cell, i) => [cell, i < ship.length - 1 ? "hit" : rules.tellsLength ? `sunk:${ship.length}` : "sunk"]));
  const shots = [...at("miss").map((cell) => [cell, "miss"]), ...at("hit").map((cell) => [cell, "hit"]), ...sunk];
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
