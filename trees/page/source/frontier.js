// The frontier of a sweep over a board, row by row [Knuth2011]: its profiles and the steps between.
//
// A *profile* says what the next cell of every column must be: a digit 0 free, 1 water, k + 1
// (k >= 1) a cell of a vertical ship of which k cells are still to come. Profiles before cell c of a
// row form layer c; layer `width` is layer 0 of the next row. A *step* is water on a cell, the next
// cell of a ship begun above, or a whole ship that begins here. Profiles within a row that leave no
// choice are left out, and the steps to them joined with the one that leads on. All profiles of all
// layers are numbered consecutively: *nodes*. As in seabattle.enumerate.counting, the ships used are
// the axis of a vector of sums or, where few choices are met, part of the profile (*counted*).
//
// Steps that are open or closed together, as they begin the same ship and make the same cells
// water, form a class.

import { Refusal } from "./rules.js";

const WATER = 0, NEXT_CELL = 1;
export const FIRST_SHIP = 2;
const FREE = 0, BLOCKED = 1;
const MOST_PROFILES = 3_000_000; // in one layer; some 1 GB with their steps
const MOST_FORESEEN = 10_000_000; // some ten seconds
const FULL_ENOUGH = 0.25; // a vector of sums is faster when at least this share of it is met
const FIRST_CAPACITY = 1 << 12;

// Numbered keys: whole numbers below 2^53 in an open-addressing table.
class Keys {
  constructor() {
    this.keys = new Float64Array(FIRST_CAPACITY);
    this.slots = new Int32Array(2 * FIRST_CAPACITY);
    this.count = 0;
  }

  slot(key) {
    const size = this.slots.length - 1;
    let hash = Math.imul((key >>> 0) ^ Math.imul((key / 4294967296) >>> 0, 0x85ebca6b), 0x9e3779b1);
    hash ^= hash >>> 15;
    let slot = hash & size;
    while (this.slots[slot] !== 0 && this.keys[this.slots[slot] - 1] !== key) slot = (slot + 1) & size;
    return slot;
  }

  number(key) {
    const slot = this.slot(key);
    if (this.slots[slot] !== 0) return this.slots[slot] - 1;
    if (this.count === this.keys.length) {
      this.grow();
      return this.number(key);
    }
    this.keys[this.count++] = key;
    this.slots[slot] = this.count;
    return this.count - 1;
  }

  grow() {
    if (this.count >= MOST_PROFILES) throw new Refusal("this board is too large to be counted exactly");
    const keys = new Float64Array(2 * this.keys.length);
    keys.set(this.keys);
    this.keys = keys;
    this.slots = new Int32Array(2 * keys.length);
    for (let i = 0; i < this.count; i++) this.slots[this.slot(keys[i])] = i + 1;
  }
}

// A column of the table of steps, which grows.
function grown(array, needed) {
  if (needed <= array.length) return array;
  const larger = new array.constructor(2 * array.length);
  larger.set(array);
  return larger;
}

export class Frontier {
  // width: cells in a row; contact; lengths, ships: distinct ship lengths, longest first, and how
  // many of each; counted: whether ships used are part of the profile, by default what is faster.
  constructor(width, contact, lengths, ships, counted = null) {
    Object.assign(this, { width, contact, lengths, ships });
    this.kinds = FIRST_SHIP + 2 * lengths.length;
    this.base = lengths[0] + 1;
    this.uses = ships.reduce((product, count) => product * (count + 1), 1);
    let stride = 1;
    this.strides = ships.map((count) => { const mine = stride; stride *= count + 1; return mine; });
    const room = this.base ** width;
    if (room >= 2 ** 53 || (counted === null && this.foreseen() > MOST_FORESEEN)) throw new Refusal("this board is too large to be counted exactly");
    this.counted = counted === null ? room * this.uses < 2 ** 53 && this.isSparse() : counted;
    if (counted === null) this.join(this.find());
  }

  // How many steps there will be, about, from those of narrow boards.
  foreseen() {
    if (this.width <= 10) return 0;
    const [fewer, more] = [6, 7].map((width) => new Frontier(width, this.contact, this.lengths, this.ships, false).find().steps.count);
    return more * (more / fewer) ** (this.width - 7);
  }

  // Whether few choices of used ships are possible with each profile, decided on a narrow board.
  isSparse() {
    const narrow = new Frontier(Math.min(this.width, 7), this.contact, this.lengths, this.ships, false);
    const { keys } = narrow.find();
    let pairs = 0;
    for (let i = 0; i < keys[0].count; i++) pairs += narrow.feasible(keys[0].keys[i]);
    return pairs < FULL_ENOUGH * keys[0].count * this.uses;
  }

  // In how many choices of used ships those that a profile is in the middle of can be.
  feasible(key) {
    const begun = new Int32Array(this.base + 1);
    for (let i = 0; i < this.width; i++) {
      for (let k = 1; k < key % this.base; k++) begun[k]++;
      key = Math.floor(key / this.base);
    }
    let pairs = 0;
    for (let use = 0; use < this.uses; use++) {
      let fine = true;
      for (let k = this.lengths[0] - 1; k > 0 && fine; k--) {
        let longer = 0;
        this.lengths.forEach((length, t) => { if (length > k) longer += Math.floor(use / this.strides[t]) % (this.ships[t] + 1); });
        fine = begun[k] <= longer;
      }
      pairs += fine;
    }
    return pairs;
  }


  // Every profile and every step: {keys, homes, steps}; the list of a layer is keys[homes[layer]].
  find() {
    const { width, contact, lengths, ships, kinds, base, counted, strides } = this;
    const homes = Array.from({ length: width + 1 }, (_, c) => (contact === "sides" ? 0 : c));
    const keys = Array.from({ length: homes[width] + 1 }, () => new Keys());
    keys[0].number(0);
    keys[homes[width]].number(0);
    const power = Float64Array.from({ length: width + 1 }, (_, c) => base ** c);
    const longer = new Int32Array(lengths[0]);
    lengths.forEach((length, t) => { for (let k = 0; k < length; k++) longer[k] += ships[t]; });
    const finished = contact === "sides" ? FREE : BLOCKED, beside = contact === "none" ? BLOCKED : FREE;
    const touching = contact === "sides", done = new Int32Array(width + 1), digits = new Int32Array(width);
    let from = new Int32Array(1 << 14), onto = new Int32Array(1 << 14), codes = new Int32Array(1 << 14), layer = new Uint8Array(1 << 14), count = 0;
    for (;;) {
      for (let c = 0; c < width; c++) {
        const home = keys[homes[c]];
        while (done[c] < home.count) {
          const source = done[c]++, key = home.keys[source];
          if (count + kinds > from.length) {
            [from, onto, codes, layer] = [from, onto, codes, layer].map((array) => grown(array, count + kinds));
          }
          let rest = key;
          for (let i = 0; i < width; i++) {
            const high = Math.floor(rest / base);
            digits[i] = rest - high * base;
            rest = high;
          }
          const used = rest, here = digits[c];
          const first = here > BLOCKED ? NEXT_CELL : WATER, last = here > BLOCKED ? FIRST_SHIP : here === BLOCKED ? NEXT_CELL : kinds;
          for (let kind = first; kind < last; kind++) {
            if (kind === NEXT_CELL && here <= BLOCKED) continue;
            let delta = 0, to = c + 1;
            if (kind === WATER) {
              delta = -here * power[c];
            } else {
              let long = 1, down = 0;
              if (kind === NEXT_CELL) {
                down = here - 2;
              } else {
                const t = (kind - FIRST_SHIP) >> 1;
                if (kind & 1) {
                  long = lengths[t];
                  if (long === 1) continue;
                } else {
                  down = lengths[t] - 1;
                }
                if (counted) {
                  if (Math.floor(used / strides[t]) % (ships[t] + 1) === ships[t]) continue;
                  delta = strides[t] * power[width];
                }
              }
              const end = c + long;
              if (end > width) continue;
              let free = true;
              for (let i = c + 1; i < end; i++) free = free && digits[i] === FREE;
              if (!touching && end < width) free = free && digits[end] <= BLOCKED;
              if (!free) continue;
              const below = down > 0 ? down + 1 : finished;
              for (let i = c; i < end; i++) delta += (below - digits[i]) * power[i];
              to = end;
              if (!touching) {
                const edge = down > 0 ? BLOCKED : beside;
                if (c > 0 && edge === BLOCKED) delta += (BLOCKED - digits[c - 1]) * power[c - 1];
                if (end < width) {
                  delta += (edge - digits[end]) * power[end];
                  to = end + 1;
                }
              }
              if (kind >= FIRST_SHIP && down > 0 && !counted) {
                digits[c] = below;
                const fits = this.fits(digits, longer);
                digits[c] = here;
                if (!fits) continue;
              }
            }
            from[count] = source;
            layer[count] = to;
            onto[count] = keys[homes[to]].number(key + delta);
            codes[count++] = c * kinds + kind;
          }
        }
      }
      const end = keys[homes[width]];
      for (let i = keys[0].count; i < end.count; i++) keys[0].number(end.keys[i]);
      if (homes.every((home, c) => c === width || done[c] === keys[home].count)) break;
    }
    return { keys, homes, steps: { from, onto, codes, layer, count } };
  }

  // Whether the fleet has the vertical ships that a profile is in the middle of.
  fits(digits, longer) {
    for (let k = 1; k < longer.length; k++) {
      let begun = 0;
      for (let i = 0; i < digits.length; i++) if (digits[i] > k) begun++;
      if (begun > longer[k]) return false;
    }
    return true;
  }

  // Columns whose cells a step makes water itself, as a mask, by code.
  waters() {
    const { width, kinds, lengths } = this;
    return Int32Array.from({ length: width * kinds }, (_, code) => {
      const column = Math.floor(code / kinds), kind = code % kinds;
      if (kind === WATER) return 1 << column;
      const end = column + (kind >= FIRST_SHIP && kind & 1 ? lengths[(kind - FIRST_SHIP) >> 1] : 1);
      return this.contact !== "sides" && end < width ? 1 << end : 0;
    });
  }

  // Leaves out the profiles within a row that offer no choice, and sorts what is left.
  join({ keys, homes, steps }) {
    const { width, kinds } = this, { from, onto, codes, layer, count } = steps, waters = this.waters();
    // Nodes by key: profiles that a step connects then lie close together in memory.
    const sorted = keys.map((home) => home.keys.slice(0, home.count).sort());
    const ranks = keys.map((home, h) => {
      const rank = new Int32Array(home.count);
      sorted[h].forEach((key, at) => { rank[home.number(key)] = at; });
      return rank;
    });
    const first = new Int32Array(width + 2);
    for (let c = 0; c <= width; c++) first[c + 1] = first[c] + sorted[homes[c]].length;
    const nodes = first[width + 1], out = new Int32Array(nodes), only = new Int32Array(nodes);
    const source = new Int32Array(count), target = new Int32Array(count);
    for (let e = 0; e < count; e++) {
      const c = Math.floor(codes[e] / kinds);
      source[e] = first[c] + ranks[homes[c]][from[e]];
      target[e] = first[layer[e]] + ranks[homes[layer[e]]][onto[e]];
      out[source[e]]++;
      only[source[e]] = e;
    }
    const goes = Int32Array.from({ length: nodes }, (_, node) => node), follows = new Int32Array(nodes);
    for (let node = first[width] - 1; node >= first[1]; node--) {
      const e = only[node];
      if (out[node] === 1 && codes[e] % kinds < FIRST_SHIP) {
        goes[node] = goes[target[e]];
        follows[node] = waters[codes[e]] | follows[target[e]];
      }
    }
    const number = new Int32Array(nodes).fill(-1);
    this.layers = new Int32Array(width + 2);
    let left = 0;
    for (let c = 0; c <= width; c++) {
      this.layers[c] = left;
      for (let node = first[c]; node < first[c + 1]; node++) if (goes[node] === node) number[node] = left++;
    }
    this.layers[width + 1] = left;
    this.nodes = left;
    this.last = this.layers[width]; // first node between this row and the next
    this.profiles = left - this.last;
    this.keys = sorted[0];
    this.starts = new Int32Array(left + 1);
    for (let e = 0; e < count; e++) if (number[source[e]] >= 0) this.starts[number[source[e]] + 1]++;
    for (let node = 0; node < left; node++) this.starts[node + 1] += this.starts[node];
    const at = this.starts.slice(), kept = this.starts[left], classes = new Map();
    this.targets = new Int32Array(kept);
    this.classes = new Int32Array(kept);
    for (let e = 0; e < count; e++) {
      const node = number[source[e]];
      if (node < 0) continue;
      const to = at[node]++, pair = codes[e] * 2 ** width + (waters[codes[e]] | follows[target[e]]);
      let mine = classes.get(pair);
      if (mine === undefined) {
        mine = classes.size;
        classes.set(pair, mine);
      }
      this.targets[to] = number[goes[target[e]]];
      this.classes[to] = mine;
    }
    this.classCodes = Int32Array.from(classes.keys(), (pair) => Math.floor(pair / 2 ** width));
    this.classWaters = Int32Array.from(classes.keys(), (pair) => pair % 2 ** width);
    this.classKinds = this.classCodes.map((code) => code % kinds);
  }
}

const made = new Map();
const MOST_MADE = 3;

const refused = new Map();

function attempt(key, make) {
  try {
    return make();
  } catch (error) {
    refused.set(key, error);
    throw error;
  }
}

// The frontier of boards with this narrow side, made once.
export function frontier(width, rules) {
  const ships = rules.lengths.map((length) => rules.counts.get(length)), key = [width, rules.contact, rules.fleet].join(" ");
  if (refused.has(key)) throw refused.get(key);
  const found = made.get(key) || attempt(key, () => new Frontier(width, rules.contact, rules.lengths, ships));
  made.delete(key);
  while (made.size >= MOST_MADE) made.delete(made.keys().next().value);
  made.set(key, found);
  return found;
}
