// The problem that a search works on, as `problem.py` makes it for Python: rows, weights, symmetries.
//
// In answer mode `hit` a row is an occupancy, which layouts may share; in the other modes it is a
// layout, with its ships. Why keys are exact, and what certain hits cost, is told in exact_search.py.

import { MISS } from "../shared/codes.js";
import { Refusal, atCorner, isJoined } from "./rules.js";

// Families of answers, numbered as the core has them.
export const CLOSED_SUNK = 1;
export const OPEN_SUNK = 2;
export const NAMED = 3;
export const HIT = 4;

const WIDE_CELLS = 126; // of masks of two words
const WORD_CELLS = 64, ONE_WORD_CELLS = 40;
const MOST_OPEN_LAYOUTS = 1 << 14; // of a game whose keys hold a bit per layout
const MOST_SHIPS = 4; // that are looked at one by one
const LONGEST_LINE = 8; // of which misses are listed
const LEAST_COUNTED_CELLS = 30, LEAST_COUNTED_ROWS = 1500; // of games of mode `hit` where what hits leave is counted
const MOST_TOTAL = 2n ** 41n; // weights times cells stay below this
const MOST_PATTERNS = 2 ** 40, MOST_COUNTED_SHIPS = 12;

const bit = (cell) => 1n << BigInt(cell);

export function cellsOf(mask) {
  const found = [];
  for (let cell = 0; mask; cell++, mask >>= 1n) if (mask & 1n) found.push(cell);
  return found;
}

// Permutations of the cells that map the board, what is blocked and ships that are not turned to
// themselves; the identity first.
function boardSymmetries({ rows, columns, blocked, ships }) {
  const straight = (r, c) => r * columns + c, across = (r, c) => c * columns + r, found = new Map();
  for (const grid of rows === columns ? [straight, across] : [straight]) {
    for (const down of [true, false]) {
      for (const right of [true, false]) {
        const image = Array.from({ length: rows * columns }, (_, cell) => {
          const r = Math.floor(cell / columns), c = cell % columns;
          return grid(down ? r : rows - 1 - r, right ? c : columns - 1 - c);
        });
        found.set(image.join(), image);
      }
    }
  }
  const fixed = ships.filter((ship) => ship.fixed).map((ship) => ship.ways[0]);
  const corner = (cells) => atCorner(cells).join(" ");
  const drawn = fixed.map(corner).sort().join("|");
  const moved = (image) => fixed.map((form) => corner(form.map(([r, c]) => [Math.floor(image[straight(r, c)] / columns), image[straight(r, c)] % columns]))).sort().join("|");
  return [...found.values()].filter((image) => [...blocked].every((cell) => blocked.has(image[cell])) && moved(image) === drawn);
}

// Whether some ship is joined at corners only.
function joinedAtCorners({ ships }) {
  return ships.some(({ ways: [form] }) => !isJoined(form, false));
}

export class Problem {
  // layouts: all that fit the position, each its placement numbers in increasing order, in their order
  // weights: BigInts, null where all are 1; partial: whether only cells that may be occupied count
  constructor(position, layouts, { weights = null, partial = false } = {}) {
    const { rules } = position;
    Object.assign(this, { position, rules, layouts, layoutWeights: weights, weights: weights || layouts.map(() => 1n) });
    this.refuse();
    this.mode = rules.answers === "hit" ? HIT : rules.answers === "ship" ? NAMED : rules.contact === "sides" ? OPEN_SUNK : CLOSED_SUNK;
    const masks = rules.placements.map(({ cells }) => cells.reduce((mask, cell) => mask | bit(cell), 0n));
    this.boardRows = layouts.map((numbers) => numbers.reduce((mask, number) => mask | masks[number], 0n));
    this.groups = layouts.map((_, i) => [i]); // layouts of each row
    this.merge();
    this.boardCells = this.cellsInQuestion(partial);
    this.cells = this.boardCells.length;
    this.renumbered = this.cells < rules.cells;
    this.onBoard = rules.ships.every(({ isLine }) => isLine) && !this.renumbered;
    this.words = this.cells <= WORD_CELLS ? 1 : 2;
    this.cellOf = new Map(this.boardCells.map((cell, i) => [cell, i]));
    this.rows = this.renumbered ? this.boardRows.map((mask) => this.mask(mask)) : this.boardRows;
    this.occupied = this.boardRows.reduce((all, mask) => all | mask, 0n);
    this.certain = this.boardRows.reduce((all, mask) => all & mask, this.occupied);
    this.hit = position.shots.reduce((mask, [cell, code]) => (code === MISS ? mask : mask | bit(cell)), 0n);
    this.symmetries = this.keptSymmetries();
    if (this.mode === OPEN_SUNK && this.size > MOST_OPEN_LAYOUTS) throw new Refusal("{layouts} layouts are too many to be solved", { layouts: this.size });
  }

  refuse() {
    const { rules } = this, forms = rules.types.flatMap(({ ways }) => ways.map(String));
    if (new Set(forms).size < forms.length) throw new Refusal("two kinds of ships may lie on the same cells, so that a search cannot tell them apart");
    if (rules.answers === "sunk" && rules.contact === "corners" && joinedAtCorners(rules)) throw new Refusal("a ship is joined at corners, where ships may touch: hits do not show which ship is sunk");
    const sum = this.weights.reduce((all, weight) => all + weight, 0n);
    if (sum * BigInt(rules.cells) >= MOST_TOTAL) throw new Refusal("{layouts} layouts are too many to be solved", { layouts: this.layouts.length });
  }

  // One row for all layouts on the same cells, in mode `hit`.
  merge() {
    if (this.mode !== HIT) return;
    const rows = new Map();
    this.boardRows.forEach((mask, i) => { if (rows.has(mask)) rows.get(mask).push(i); else rows.set(mask, [i]); });
    if (rows.size === this.layouts.length) return;
    this.boardRows = [...rows.keys()];
    this.groups = [...rows.values()];
    this.weights = this.groups.map((group) => group.reduce((sum, i) => sum + this.weights[i], 0n));
  }

  get size() { return this.boardRows.length; }

  get weight() { return Number(this.weights.reduce((sum, weight) => sum + weight, 0n)); }

  // Of the board; all of them where the board fits the words of the search.
  cellsInQuestion(partial) {
    const { cells } = this.rules;
    if (cells <= WIDE_CELLS && !partial) return [...Array(cells).keys()];
    const found = cellsOf(this.boardRows.reduce((all, mask) => all | mask, 0n));
    if (found.length > WIDE_CELLS) throw new Refusal("{cells} cells may be occupied still, too many to search", { cells: found.length });
    return found;
  }

  // The search's cells among some of the board's.
  mask(boardMask) {
    if (!this.renumbered) return boardMask;
    return cellsOf(boardMask).reduce((mask, cell) => (this.cellOf.has(cell) ? mask | bit(this.cellOf.get(cell)) : mask), 0n);
  }

  boardMask(mask) { return cellsOf(mask).reduce((found, cell) => found | bit(this.boardCells[cell]), 0n); }

  // Masks as words of 64 bits, the low one first.
  wordsOf(masks) {
    return BigUint64Array.from(masks.flatMap((mask) => (this.words === 1 ? [mask] : [mask & (2n ** 64n - 1n), mask >> 64n])));
  }

  // Row that each row becomes under a symmetry, null if some row becomes none.
  rowImages(symmetry) {
    if (!this.rowAt) this.rowAt = new Map(this.rowKeys((cell) => cell).map((key, row) => [key, row]));
    const found = this.rowKeys((cell) => symmetry[cell]).map((key) => this.rowAt.get(key));
    return found.includes(undefined) ? null : found;
  }

  rowKeys(image) {
    if (this.mode === HIT) return this.rows.map((mask) => cellsOf(mask).reduce((moved, cell) => moved | bit(image(cell)), 0n));
    const key = ({ type, cells }, by) => `${type}:${Array.from(cells, by).sort((a, b) => a - b)}`, { placements } = this.rules;
    if (!this.placementAt) this.placementAt = new Map(placements.map((placement) => [key(placement, (cell) => cell), placement.number]));
    const moved = placements.map((placement) => this.placementAt.get(key(placement, image)));
    return this.layouts.map((numbers) => numbers.map((number) => moved[number]).sort((a, b) => a - b).join());
  }

  keptSymmetries() {
    if (this.renumbered) return [[...Array(this.cells).keys()]];
    return boardSymmetries(this.rules).filter((symmetry) => {
      const images = this.rowImages(symmetry);
      return images && images.every((image, row) => this.weights[image] === this.weights[row]);
    });
  }

  // Whether certain hits come first: they are free, and may tell something.
  get hitsAreShot() { return this.mode === CLOSED_SUNK || this.mode === NAMED; }

  get looksAtShips() { return this.mode === NAMED || this.rules.ships.length <= MOST_SHIPS; }

  // Whether what hits leave is worth counting.
  get isCounted() {
    const { contact, ships } = this.rules;
    if (!this.looksAtShips || this.words > 1 || !ships.every(({ isLine }) => isLine)) return false;
    return this.mode === CLOSED_SUNK || (this.mode === HIT && this.onBoard && contact !== "sides" && this.cells >= LEAST_COUNTED_CELLS && this.size >= LEAST_COUNTED_ROWS);
  }

  get nameWords() {
    if (this.mode !== NAMED) return 0;
    const { ships, fleetCells } = this.rules, names = Math.max(2, ships.length);
    return fleetCells * Math.log2(names) <= 64 ? 1 : Math.ceil(fleetCells / Math.floor(64 / Math.ceil(Math.log2(names))));
  }

  get keyWords() {
    if (this.mode === OPEN_SUNK) return this.words + Math.ceil(this.size / 64);
    return this.nameWords + (this.cells > ONE_WORD_CELLS || this.nameWords > 1 ? 2 * this.words : 1);
  }

  // As the core numbers the modes of answers.
  get answerMode() { return { [HIT]: 0, [NAMED]: 3 }[this.mode] ?? (this.rules.tellsLength ? 2 : 1); }

  get announced() { return this.mode === OPEN_SUNK && this.rules.tellsLength; }

  get reveals() {
    return this.hitsAreShot && this.rules.contact !== "sides" && this.rules.fleet[0] <= LONGEST_LINE && this.looksAtShips && this.onBoard;
  }

  // The game as the core takes it: the fields of seabattle_search_game, arrays as {kind, items}.
  get game() {
    const { rules } = this, big = (kind, items) => ({ kind, items }), corners = joinedAtCorners(rules);
    const masks = rules.placements.map(({ cells }) => this.mask(cells.reduce((mask, cell) => mask | bit(cell), 0n)));
    const looked = this.mode !== HIT && this.layouts.flatMap((numbers) => numbers.map((number) => masks[number]));
    const sides = this.boardCells.map((cell) => this.mask(rules.near(cell, corners).reduce((mask, near) => mask | bit(near), 0n)));
    const longs = (numbers) => big("int64_t", BigInt64Array.from(numbers, BigInt));
    return {
      family: this.mode, cells: this.cells, words: this.words, key_words: this.keyWords, announced: this.announced ? 1 : 0,
      bounds: 1, ordering: 1, dominance: 1, lookahead: 1, budgets: 1, coverage: 1, reveal_rows: this.reveals ? 16 : 0,
      rows: big("uint64_t", this.wordsOf(this.rows)), weights: big("int64_t", BigInt64Array.from(this.weights)),
      ships: looked ? big("uint64_t", this.wordsOf(looked)) : null, lengths: longs(rules.fleet), sides: big("uint64_t", this.wordsOf(sides)),
      moves: longs(this.symmetries.flat()), images: this.mode === OPEN_SUNK ? big("int32_t", Int32Array.from(this.symmetries.flatMap((symmetry) => this.rowImages(symmetry) || [...Array(this.size).keys()]))) : null,
      patterns: longs(this.mode === OPEN_SUNK ? openPatterns(this) : sinkingPatterns(rules.fleet)), lines: this.reveals ? longs(lineMisses(rules.fleet)) : null,
    };
  }
}

// Ways to place the sinkings still to come among the hits still to come: (sets of ships, cells hit),
// see bounds.py.
function sinkingPatterns(lengths) {
  if (lengths.length > MOST_COUNTED_SHIPS) return [0];
  const key = lengths.join();
  if (!patternsOf.has(key)) patternsOf.set(key, listPatterns(lengths));
  return patternsOf.get(key);
}

const patternsOf = new Map();

function listPatterns(lengths) {
  const cells = lengths.reduce((sum, length) => sum + length, 0), width = cells + 1, patterns = new Array(width << lengths.length).fill(0), known = new Map();
  for (let afloat = 1; afloat < 1 << lengths.length; afloat++) {
    const left = lengths.filter((_, d) => (afloat >> d) & 1).sort((a, b) => a - b), key = left.join();
    if (!known.has(key)) known.set(key, sinkingsOf(left));
    known.get(key).forEach((ways, hit) => { patterns[afloat * width + hit] = ways; });
  }
  return patterns;
}

function sinkingsOf(left) {
  const sum = left.reduce((all, length) => all + length, 0), sums = left.map((_, i) => left.slice(0, i + 1).reduce((all, length) => all + length, 0));
  return Array.from({ length: sum - left.length + 1 }, (_, hit) => {
    const hits = sum - hit, least = sums.map((all, i) => Math.max(i + 1, all - hit));
    let ways = new Array(left.length + 1).fill(0);
    ways[0] = 1;
    for (let place = 1; place <= hits; place++) {
      const next = new Array(left.length + 1).fill(0);
      ways.forEach((count, sunk) => {
        if (place < hits) next[sunk] += count;
        if (sunk < left.length && place >= least[sunk]) next[sunk + 1] += count;
      });
      ways = next;
    }
    return Math.min(Math.max(1, ways[left.length]), MOST_PATTERNS);
  });
}

// Layouts that share their misses, at most, where ships may touch; see coverage.py.
function openPatterns({ rules, rows, announced }) {
  const { fleet } = rules;
  if (fleet.length > MOST_COUNTED_SHIPS) return [0];
  const width = rules.fleetCells + 1, patterns = new Array(width << fleet.length).fill(0), many = new Map();
  for (const mask of rows) many.set(mask, (many.get(mask) || 0) + 1);
  const alike = [...many.values()].reduce((most, count) => Math.max(most, count), 0), factorial = (n) => (n < 2 ? 1 : n * factorial(n - 1));
  const choose = (n, k) => Array.from({ length: k }).reduce((ways, _, i) => (ways * (n - i)) / (i + 1), 1);
  for (let afloat = 1; afloat < 1 << fleet.length; afloat++) {
    const left = fleet.filter((_, d) => (afloat >> d) & 1), sum = left.reduce((all, length) => all + length, 0);
    const repeats = [...new Set(left)].reduce((product, length) => product * factorial(left.filter((each) => each === length).length), 1);
    const orders = announced ? factorial(left.length) / repeats : 1;
    for (let hit = 0; hit <= sum - left.length; hit++) patterns[afloat * width + hit] = Math.min(alike * orders * choose(sum - hit - 1, left.length - 1), MOST_PATTERNS);
  }
  return patterns;
}

// Least misses of every set of placements of ships of some lengths over a known cell: (longest + 1,
// 4^longest), see reveal_bound.py.
function lineMisses(lengths) {
  const longest = lengths[0], width = 4 ** longest, misses = new Array((longest + 1) * width).fill(0);
  for (const length of new Set(lengths)) if (length > 1) missesOfLength(length).forEach((least, set) => { misses[length * width + set] = least; });
  return misses;
}

function missesOfLength(length) {
  const sets = 4 ** length, size = new Uint8Array(sets), least = new Int32Array(sets), columns = new Set(), order = Array.from({ length: 2 * length + 1 }, () => []);
  const placed = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => 2 ** (from + i)).reduce((sum, each) => sum + each, 0);
  for (let step = 1; step < length; step++) for (const column of [placed(step, length), placed(0, length - step)]) columns.add(column).add(column * 2 ** length);
  for (let set = 0; set < sets; set++) {
    size[set] = set ? size[set >> 1] + (set & 1) : 0;
    order[size[set]].push(set);
  }
  for (const set of order.slice(2).flat()) {
    let best = Infinity;
    for (const column of columns) {
      const hit = set & column, missed = set & ~column;
      if (hit && missed) best = Math.min(best, size[missed] + least[missed] + least[hit]);
    }
    least[set] = best;
  }
  return least;
}
