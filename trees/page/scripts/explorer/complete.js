// A complete strategy file: the misses to come after any shot in any position, and trees that go on
// from there. It does what a probe in Python does, and shares its words: H are the cells that all
// layouts left occupy, M those that none does; a position is *closed* when all of H has been shot.
//
// Sets of cells are masks, keys one or more words of 64 bits. See trees/page/complete_files.py for the
// bytes, and trees/strategy/keys.py for the keys.

import { groupsOf } from "../shared/game.js";
import { answerOf } from "../shared/games.js";
import { Strategy } from "../walk/strategy.js";

const bit = (cell) => 1n << BigInt(cell);
const summed = (shares, cells) => cells.reduce((sum, cell) => sum + shares[cell], 0n);

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
    const mask = (some) => some.reduce((sum, cell) => sum | bit(cell), 0n), base = data.wide ? 2n : 3n;
    this.bits = Array.from({ length: cells }, (_, cell) => bit(cell));
    this.placements = this.game.placements.map(mask);
    this.near = this.bits.map((_, cell) => mask(this.game.sides(cell)));
    const powers = this.bits.map((_, cell) => base ** BigInt(cell));
    this.wide = data.wide;
    this.symmetries = data.symmetries.map((images) => {
      const back = new Array(cells);
      images.forEach((image, cell) => { back[image] = cell; });
      return { images, back, shares: images.map((image) => powers[image]) };
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
    this.keys = Array.from({ length: words }, () => {
      const packed = new Uint8Array(8 * states);
      for (let plane = 0; plane < 8; plane++, at += states) {
        for (let i = 0; i < states; i++) packed[8 * i + plane] = bytes[at + i];
      }
      return new BigUint64Array(packed.buffer);
    });
    for (let i = 1; i < states; i++) this.keys[0][i] += this.keys[0][i - 1]; // differences
    if (at !== bytes.length) throw new Error("the strategy file in it has another length than it says");
  }

  // ------------------------------------------------------------------ layouts

  // The layouts of some rows of a tree: masks, and numbers from 0, which may change places.
  layoutsOf(strategy, start, end) {
    const count = end - start, masks = new Array(count).fill(0n);
    const ships = strategy.ships.subarray(start * this.width, end * this.width);
    ships.forEach((ship, i) => { masks[Math.floor(i / this.width)] |= this.placements[ship]; });
    return { masks, ships, all: Int32Array.from({ length: count }, (_, i) => i) };
  }

  // H and the cells that some layout occupies.
  close(layouts, ids) {
    let certain = layouts.masks[ids[0]], occupied = certain;
    for (const id of ids) {
      certain &= layouts.masks[id];
      occupied |= layouts.masks[id];
    }
    return { certain, occupied, one: certain === occupied };
  }

  cellsOf(mask, inside = true) { return [...this.bits.keys()].filter((cell) => Boolean(mask & this.bits[cell]) === inside); }

  // Place in the fleet of the ship in each of some cells, in their order; equal ships take theirs
  // as they are met.
  places(layouts, id, cells) {
    const { fleet } = this.game, ships = layouts.ships, first = id * this.width;
    const found = new Map();
    return cells.map((cell) => {
      let ship = 0;
      while (!(this.placements[ships[first + ship]] & this.bits[cell])) ship++;
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
      const around = groupsOf(this.game, this.cellsOf(certain)).map((group) => group.reduce((sum, cell) => sum | this.near[cell], 0n) & ~certain);
      tell = (id) => around.map((mask) => (layouts.masks[id] & mask ? 0 : 1)).join("");
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
    const inside = this.cellsOf(certain), outside = this.cellsOf(occupied, false);
    let best = null, symmetry = -1;
    this.symmetries.forEach((each, g) => {
      const once = summed(each.shares, inside), twice = summed(each.shares, outside), key = this.wide ? [once, twice] : [once + 2n * twice];
      if (best !== null && before(best, key)) return; // a second word cannot help
      if (this.answers === "ship") {
        const images = inside.map((cell) => each.images[cell]).sort((a, b) => a - b);
        key.push(this.digits(this.places(layouts, id, images.map((image) => each.back[image]))));
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
  digits(places) { return places.reduce((number, digit) => number * BigInt(this.width) + BigInt(digit), 0n); }

  // Misses to come: total over the layouts, or in the worst case.
  value(layouts, ids) {
    const below = this.locate(layouts, ids).map(({ place }) => this.values[place]);
    return this.objective === "mean" ? below.reduce((sum, each) => sum + each, 0) : Math.max(0, ...below);
  }

  valueOfShot(layouts, ids, cell) {
    const parts = [[], []];
    for (const id of ids) parts[layouts.masks[id] & this.bits[cell] ? 1 : 0].push(id);
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
      costs.set(cell, certain & this.bits[cell] ? 0 : this.valueOfShot(layouts, layouts.all, cell) - least);
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

// Whether a key is below another in the words that both have.
function before(one, other) {
  const words = Math.min(one.length, other.length);
  for (let i = 0; i < words; i++) if (one[i] !== other[i]) return one[i] < other[i];
  return false;
}
