// A complete strategy file: the misses to come after any shot in any position, and trees that go on
// from there. It does what a probe in Python does, and shares its words: H are the cells that all
// layouts left occupy, M those that none does; a position is *closed* when all of H has been shot.
//
// Sets of cells are pairs of 32-bit masks, the cells below 32 and the others. Keys are one or two
// words of 64 bits, each as its high and its low half. See trees/page/complete_files.py for the
// bytes, and trees/strategy/keys.py for the keys.

import { groupsOf } from "../shared/game.js";
import { answerOf } from "../shared/games.js";
import { Strategy } from "../walk/strategy.js";

const HALF = 2 ** 32;

async function unzipped(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class CompleteFile {
  static async open(strategy, data) {
    return new CompleteFile(strategy, data, await unzipped(data.packed));
  }

  constructor(strategy, data, bytes) {
    this.game = strategy.game;
    this.answers = strategy.answers;
    this.width = strategy.width;
    this.objective = data.objective;
    this.states = data.states;
    this.checked = data.checked;
    this.read(data, bytes);
    const { cells } = this.game;
    const mask = (some) => [0, 1].map((half) => some.reduce((sum, cell) => (cell >> 5 === half ? sum | (1 << (cell & 31)) : sum), 0));
    this.placements = this.game.placements.map(mask);
    this.near = Array.from({ length: cells }, (_, cell) => mask(this.game.sides(cell)));
    const base = data.wide ? 2n : 3n;
    const powers = Array.from({ length: cells }, (_, cell) => base ** BigInt(cell));
    const halves = powers.map((power) => [Number(power >> 32n), Number(power & 0xffffffffn)]);
    this.wide = data.wide;
    this.symmetries = data.symmetries.map((images) => {
      const back = new Array(cells);
      images.forEach((image, cell) => { back[image] = cell; });
      return { images, back, shares: images.map((image) => halves[image]) };
    });
  }

  // Planes of bytes: the lowest byte of every number, then the next.
  read(data, bytes) {
    const { states, words } = data;
    let at = states;
    const numbers = (planes) => {
      const found = new Float64Array(states);
      for (let scale = 1; planes > 0; planes--, scale *= 256, at += states) {
        for (let i = 0; i < states; i++) found[i] += scale * bytes[at + i];
      }
      return found;
    };
    this.shots = bytes.subarray(0, states);
    this.values = numbers(data.bytes);
    this.keys = [];
    for (let word = 0; word < words; word++) {
      const low = numbers(4), high = numbers(4);
      for (let i = 1; word === 0 && i < states; i++) { // differences
        high[i] += high[i - 1] + Math.floor((low[i] + low[i - 1]) / HALF);
        low[i] = (low[i] + low[i - 1]) % HALF;
      }
      this.keys.push(high, low);
    }
    if (at !== bytes.length) throw new Error("the strategy file in it has another length than it says");
  }

  // ------------------------------------------------------------------ layouts

  // The layouts of some rows of a tree: masks, and numbers from 0, which may change places.
  layoutsOf(strategy, start, end) {
    const count = end - start, low = new Int32Array(count), high = new Int32Array(count);
    const ships = strategy.ships.subarray(start * this.width, end * this.width);
    for (let i = 0; i < ships.length; i++) {
      const [a, b] = this.placements[ships[i]], layout = Math.floor(i / this.width);
      low[layout] |= a;
      high[layout] |= b;
    }
    return { low, high, ships, all: Int32Array.from({ length: count }, (_, i) => i) };
  }

  // H and the cells that some layout occupies.
  close(layouts, ids) {
    let h0 = -1, h1 = -1, o0 = 0, o1 = 0;
    for (const id of ids) {
      h0 &= layouts.low[id];
      h1 &= layouts.high[id];
      o0 |= layouts.low[id];
      o1 |= layouts.high[id];
    }
    return { certain: [h0, h1], occupied: [o0, o1], one: h0 === o0 && h1 === o1 };
  }

  cellsOf(mask) {
    const cells = [];
    for (let cell = 0; cell < this.game.cells; cell++) if (holds(mask, cell)) cells.push(cell);
    return cells;
  }

  // Place in the fleet of the ship in each of some cells, in their order; equal ships take theirs
  // as they are met.
  places(layouts, id, cells) {
    const { fleet } = this.game, ships = layouts.ships, first = id * this.width;
    const found = new Map();
    return cells.map((cell) => {
      let ship = 0;
      while (!holds(this.placements[ships[first + ship]], cell)) ship++;
      if (!found.has(ship)) {
        const length = this.game.placements[ships[first + ship]].length;
        const met = [...found.keys()].filter((each) => this.game.placements[ships[first + each]].length === length).length;
        found.set(ship, fleet.filter((each) => each > length).length + met);
      }
      return found.get(ship);
    });
  }

  // The parts of some layouts that agree on the answers to shooting all of H.
  split(layouts, ids, certain) {
    if (this.answers === "hit") return [ids];
    let tell;
    if (this.answers === "ship") {
      const cells = this.cellsOf(certain);
      tell = (id) => this.places(layouts, id, cells).join(" ");
    } else {
      const around = groupsOf(this.game, this.cellsOf(certain)).map((group) =>
        [0, 1].map((half) => group.reduce((sum, cell) => sum | this.near[cell][half], 0) & ~certain[half]));
      tell = (id) => around.map(([a, b]) => (layouts.low[id] & a || layouts.high[id] & b ? 0 : 1)).join("");
    }
    const parts = new Map();
    for (const id of ids) {
      const told = tell(id);
      if (!parts.has(told)) parts.set(told, []);
      parts.get(told).push(id);
    }
    return [...parts.values()];
  }

  // ------------------------------------------------------------------ looking positions up

  // The closed parts of a position that have more than one occupancy: place in the file, symmetry.
  locate(layouts, ids) {
    const found = [], open = [ids];
    while (open.length) {
      const part = open.pop(), { certain, occupied, one } = this.close(layouts, part);
      if (one) continue;
      const parts = this.split(layouts, part, certain);
      if (parts.length > 1) open.push(...parts);
      else found.push(this.find(layouts, part[0], certain, occupied));
    }
    return found;
  }

  find(layouts, id, certain, occupied) {
    const inside = this.cellsOf(certain);
    const outside = [];
    for (let cell = 0; cell < this.game.cells; cell++) if (!holds(occupied, cell)) outside.push(cell);
    let best = null, symmetry = -1;
    this.symmetries.forEach((each, g) => {
      const key = this.wide ? [...summed(each.shares, inside), ...summed(each.shares, outside)]
        : summed(each.shares, inside, outside);
      if (best !== null && before(best, key)) return; // a second word cannot help
      if (this.answers === "ship") {
        const images = inside.map((cell) => each.images[cell]).sort((a, b) => a - b);
        key.push(...this.digits(this.places(layouts, id, images.map((image) => each.back[image]))));
      }
      if (best === null || before(key, best)) [best, symmetry] = [key, g];
    });
    const { keys } = this;
    const below = (i) => {
      for (let word = 0; word < best.length; word++) if (keys[word][i] !== best[word]) return keys[word][i] < best[word];
      return false;
    };
    let a = 0, b = this.states;
    while (a < b) {
      const middle = (a + b) >>> 1;
      if (below(middle)) a = middle + 1;
      else b = middle;
    }
    if (a === this.states || best.some((word, i) => keys[i][a] !== word)) throw new Error("the strategy file in it lacks a position");
    return { place: a, symmetry };
  }

  // A number with these digits, the first the highest, to the base of the number of ships.
  digits(places) {
    let high = 0, low = 0;
    for (const digit of places) {
      low = low * this.width + digit;
      high = high * this.width + Math.floor(low / HALF);
      low %= HALF;
    }
    return [high, low];
  }

  // Misses to come: total over the layouts, or in the worst case.
  value(layouts, ids) {
    const below = this.locate(layouts, ids).map(({ place }) => this.values[place]);
    return this.objective === "mean" ? below.reduce((sum, each) => sum + each, 0) : Math.max(0, ...below);
  }

  valueOfShot(layouts, ids, cell) {
    const parts = [[], []];
    for (const id of ids) parts[occupies(layouts, id, cell)].push(id);
    return parts.reduce((value, part, hit) => {
      if (!part.length) return value;
      const missed = hit ? 0 : 1, below = this.value(layouts, part);
      return this.objective === "mean" ? value + missed * part.length + below : Math.max(value, missed + below);
    }, 0);
  }

  // What every cell not shot yet costs at a node of a tree: misses more than the best shot, as a
  // total over the layouts or in the worst case. A certain hit is free.
  costsAt(strategy, node) {
    const layouts = this.layoutsOf(strategy, strategy.start[node], strategy.end[node]);
    const least = this.value(layouts, layouts.all), shot = new Set(strategy.shotsBefore(node).map(([cell]) => cell));
    const { certain } = this.close(layouts, layouts.all);
    const costs = new Map();
    for (let cell = 0; cell < this.game.cells; cell++) {
      if (shot.has(cell)) continue;
      costs.set(cell, holds(certain, cell) ? 0 : this.valueOfShot(layouts, layouts.all, cell) - least);
    }
    return { least, costs, certain: new Set(this.cellsOf(certain)) };
  }

  // ------------------------------------------------------------------ growing trees

  // The tree in which a cell is shot at a node, and then what the file advises.
  graft(strategy, node, cell) {
    const start = strategy.start[node], end = strategy.end[node];
    const layouts = this.layoutsOf(strategy, start, end);
    const words = [], order = [];
    this.grow(layouts, layouts.all, strategy.shotsBefore(node), cell, words, order);
    let next = node + 1;
    while (next < strategy.size && strategy.depth[next] > strategy.depth[node]) next++;
    const after = next < strategy.size ? strategy.wordAt[next] : strategy.words.length;
    const { width } = this, ships = strategy.ships.slice();
    order.forEach((id, i) => ships.set(layouts.ships.subarray(id * width, (id + 1) * width), (start + i) * width));
    return new Strategy({
      ...strategy,
      ships,
      nodes: Uint16Array.from([...strategy.words.subarray(0, strategy.wordAt[node]), ...words, ...strategy.words.subarray(after)]),
    }, this.game, false);
  }

  // Nodes in preorder as words, and the layouts of the leaves in that order.
  grow(layouts, ids, shots, cell, words, order) {
    if (cell < 0) cell = this.advice(layouts, ids, shots);
    if (cell < 0) {
      words.push(0, ids.length % 65536, Math.floor(ids.length / 65536));
      order.push(...ids);
      return;
    }
    const parts = new Map();
    for (const id of ids) {
      const code = this.answer(layouts, id, shots, cell);
      if (!parts.has(code)) parts.set(code, []);
      parts.get(code).push(id);
    }
    const codes = [...parts.keys()].sort((a, b) => a - b);
    words.push(cell + 1, codes.length, ...codes);
    for (const code of codes) this.grow(layouts, parts.get(code), [...shots, [cell, code]], -1, words, order);
  }

  // The shot that the file advises, -1 when one occupancy is left.
  advice(layouts, ids, shots) {
    const { certain, one } = this.close(layouts, ids);
    if (one) return -1;
    if (this.answers !== "hit") {
      const made = new Set(shots.map(([cell]) => cell));
      const pending = this.cellsOf(certain).find((cell) => !made.has(cell));
      if (pending !== undefined) return pending;
    }
    const [{ place, symmetry }] = this.locate(layouts, ids);
    return this.symmetries[symmetry].back[this.shots[place]];
  }

  answer(layouts, id, shots, cell) {
    const ships = Array.from(layouts.ships.subarray(id * this.width, (id + 1) * this.width), (number) => this.game.placements[number]);
    return answerOf(this, ships, shots, cell);
  }
}

function holds(mask, cell) {
  return (mask[cell >> 5] >>> (cell & 31)) & 1;
}

function occupies(layouts, id, cell) {
  return ((cell < 32 ? layouts.low : layouts.high)[id] >>> (cell & 31)) & 1;
}

// Sum of the shares of some cells, and twice those of others, as two halves.
function summed(shares, once, twice = []) {
  let high = 0, low = 0;
  for (const cell of once) { high += shares[cell][0]; low += shares[cell][1]; }
  for (const cell of twice) { high += 2 * shares[cell][0]; low += 2 * shares[cell][1]; }
  return [high + Math.floor(low / HALF), low % HALF];
}

// Whether a key is below another in the words that both have.
function before(one, other) {
  const words = Math.min(one.length, other.length);
  for (let i = 0; i < words; i++) if (one[i] !== other[i]) return one[i] < other[i];
  return false;
}
