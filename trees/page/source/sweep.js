// A frontier sweep over one board: sums over all layouts that satisfy some constraints.
//
// Forward sums say in how many ways a node is reached, backward sums in how many ways the fleet can
// be completed from it; of a placement, the layouts that have it are the sum over the steps that
// begin it of the product of both. Each layout counts 1, or the product of its placements' weights.
//
// Sums are Float64Arrays. Every sum of layouts that counts is at most the number of layouts, and
// additions of whole numbers round upwards at most to a power of 2: so where the total found is
// below 2^53, all sums that count are exact.
//
// What takes long is a generator that yields now and then, so that it can be given up.

import { FIRST_SHIP, frontier } from "./frontier.js";
import { Refusal } from "./rules.js";

const MOST_BYTES = 2 ** 30;
const MOST_BLOCKS = 30; // of a vector of sums: bits of a mask

// Memory of the sums, reused by one sweep after another.
const buffers = new Map();

function buffer(name, length) {
  const known = buffers.get(name);
  if (known && known.length >= length && known.length < 16 * length + 65536) return known;
  const fresh = new Float64Array(length);
  buffers.set(name, fresh);
  return fresh;
}

// Vectors of sums by ships used are cut into blocks; a mask says which blocks of a node's vector
// count, those that the fleet can reach and that lead to its end. What a step does with vectors at
// `from` and `to` of one array, block by block of a mask:
//   fresh: blocks that are written for the first time

function add(sums, from, to, mask, fresh, size) {
  for (let left = mask; left !== 0;) {
    const block = 31 - Math.clz32(left), end = from + (block + 1) * size;
    left &= ~(1 << block);
    let u = from + block * size, v = to + block * size;
    if ((fresh >>> block) & 1) for (; u < end; u++, v++) sums[v] = sums[u];
    else for (; u < end; u++, v++) sums[v] += sums[u];
  }
}

function clear(sums, at, mask, size) {
  for (let block = 0; mask >>> block !== 0; block++) if ((mask >>> block) & 1) sums.fill(0, at + block * size, at + (block + 1) * size);
}

function ones(mask) {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count++;
  return count;
}

// One more ship of a kind: to another block, or within each period of a block.
function move(sums, from, to, mask, fresh, size, ship, weight) {
  const { by, shift, period } = ship;
  for (let left = mask; left !== 0;) {
    const block = 31 - Math.clz32(left), aim = block + by;
    left &= ~(1 << block);
    const u = from + block * size, v = to + aim * size;
    if ((fresh >>> aim) & 1) sums.fill(0, v, v + size);
    for (let begin = 0; begin < size; begin += period) {
      for (let i = u + begin, j = v + begin + shift, last = v + begin + period; j < last; i++, j++) sums[j] += sums[i] * weight;
    }
  }
}

// The same backwards; returns the sum of all layouts with this ship.
function moveBack(behind, ahead, from, to, mask, size, ship, weight) {
  const { by, shift, period } = ship;
  let sum = 0;
  for (let left = mask; left !== 0;) {
    const block = 31 - Math.clz32(left), u = from + block * size, v = to + (block + by) * size;
    left &= ~(1 << block);
    for (let begin = 0; begin < size; begin += period) {
      for (let i = u + begin, j = v + begin + shift, last = v + begin + period; j < last; i++, j++) {
        const rest = behind[j] * weight;
        behind[i] += rest;
        sum += ahead[i] * rest;
      }
    }
  }
  return sum;
}

export class Sweep {
  // weights: by placement, null where every layout counts 1
  constructor(rules, constraints, { weights = null } = {}) {
    Object.assign(this, { rules, constraints, weights });
    this.turned = rules.columns > rules.rows; // columns are swept in place of rows
    this.width = Math.min(rules.rows, rules.columns);
    this.rows = Math.max(rules.rows, rules.columns);
    this.frontier = frontier(this.width, rules);
    this.setAxis();
    this.setRows();
  }

  // A sweep over a position's constraints; null where it would take too much memory.
  static of(rules, constraints, weights = null) {
    const width = Math.min(rules.rows, rules.columns);
    if ((rules.lengths[0] + 1) ** width >= 2 ** 53) return null;
    let made;
    try {
      made = new Sweep(rules, constraints, { weights });
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
    return made.bytes > MOST_BYTES ? null : made;
  }

  // Additions that a map takes, about.
  get work() { return 3 * this.rows * this.frontier.targets.length * this.entries; }

  // How a ship of each kind moves along the axis of ships used, where a sweep begins and ends.
  setAxis() {
    const { frontier: front, constraints: { left } } = this;
    this.first = 0;
    this.entries = 1;
    this.size = 1; // entries of a block
    this.ships = Array.from({ length: front.kinds }, () => ({ by: 0, shift: 0, period: 1, stride: 0, can: -1 }));
    if (front.counted) {
      const begin = left.reduce((sum, afloat, t) => sum + front.strides[t] * (front.ships[t] - afloat), 0) * front.base ** front.width;
      this.first = front.keys.indexOf(begin);
      this.full = 0;
      this.all = 1;
      return;
    }
    for (const afloat of left) this.entries *= afloat + 1;
    this.full = this.entries - 1;
    // The ships that are most have the least stride: blocks hold whole periods of some of them.
    const axes = [...left.keys()].sort((a, b) => left[b] - left[a]);
    let stride = 1;
    const strides = axes.map((t) => { const mine = stride; stride *= left[t] + 1; return mine; });
    this.size = [...strides, stride].find((size) => this.entries / size <= MOST_BLOCKS);
    this.all = 2 ** (this.entries / this.size) - 1;
    axes.forEach((t, i) => {
      const step = strides[i], period = step * (left[t] + 1), { size } = this, ship = { by: 0, shift: step, period, stride: step, can: this.all };
      if (step >= size) {
        Object.assign(ship, { by: step / size, shift: 0, period: size, can: 0 });
        for (let block = 0; block < this.entries / size; block++) if ((block * size) % period < period - step) ship.can |= 1 << block;
      }
      this.ships[FIRST_SHIP + 2 * t] = this.ships[FIRST_SHIP + 2 * t + 1] = ship;
    });
  }

  // The board's cell at a place of the sweep.
  cellAt(row, column) {
    return this.turned ? column * this.rules.columns + row : row * this.rules.columns + column;
  }

  // Which classes of steps each row opens, and the weights of its steps, by code.
  setRows() {
    const { rows, width, frontier: front, rules, constraints } = this, codes = width * front.kinds;
    const place = new Int32Array(rules.cells), required = new Int32Array(rows);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < width; column++) {
        const cell = this.cellAt(row, column);
        place[cell] = row * width + column;
        if (constraints.required[cell]) required[row] |= 1 << column;
      }
    }
    const allowed = new Uint8Array(rows * codes);
    this.codeOf = Int32Array.from(rules.placements, ({ cells, type, length }) => {
      const ends = [place[cells[0]], place[cells[length - 1]]], across = width > 1 && Math.abs(ends[1] - ends[0]) === length - 1 && length > 1;
      return Math.min(...ends) * front.kinds + FIRST_SHIP + 2 * type + (across ? 1 : 0);
    });
    this.placementAt = new Int32Array(rows * codes).fill(-1);
    this.scale = new Float64Array(rows * codes).fill(1);
    this.codeOf.forEach((code, number) => {
      allowed[code] = constraints.allowed[number];
      this.placementAt[code] = number;
      if (this.weights) this.scale[code] = this.weights[number];
    });
    const { classCodes, classWaters, classKinds } = front;
    this.opened = Array.from({ length: rows }, (_, row) => Uint8Array.from(classCodes, (code, mine) => (
      (classWaters[mine] & required[row]) === 0 && (classKinds[mine] < FIRST_SHIP || allowed[row * codes + code] === 1) ? 1 : 0)));
  }

  // Bytes of the sums of a map.
  get bytes() { return 8 * this.entries * (2 * this.frontier.nodes + this.rows * this.frontier.profiles); }

  // ---------------------------------------------------------------- forward

  // Forward sums of one row from those of its first nodes; `into` and the masks `live` are written.
  //   before: {nodes: numbers in their layer, live: masks, sums: their blocks one after another};
  //   wanted: masks of what counts afterwards
  forward(row, before, into, live, wanted) {
    if (this.frontier.counted) { this.forwardCounted(row, before, into, live); return; }
    const { entries: width, size, ships, frontier: { starts, targets, classes, classKinds, classCodes, last } } = this;
    const opened = this.opened[row], scale = this.scale.subarray(row * this.width * this.frontier.kinds);
    live.fill(0);
    this.unpack(before, into, 0);
    before.nodes.forEach((node, i) => { live[node] = before.live[i] & wanted[node]; });
    for (let node = 0; node < last; node++) {
      const mask = live[node];
      if (mask === 0) continue;
      const from = node * width;
      for (let e = starts[node]; e < starts[node + 1]; e++) {
        const mine = classes[e];
        if (opened[mine] === 0) continue;
        const target = targets[e], had = live[target], kind = classKinds[mine];
        const ship = ships[kind], moved = mask & ship.can & (wanted[target] >>> ship.by);
        if (moved === 0) continue;
        const reached = moved << ship.by;
        live[target] = had | reached;
        if (kind < FIRST_SHIP) add(into, from, target * width, moved, reached & ~had, size);
        else move(into, from, target * width, moved, reached & ~had, size, ship, scale[classCodes[mine]]);
      }
    }
  }

  // The same where ships used are part of the profile.
  forwardCounted(row, before, into, live) {
    const { frontier: { starts, targets, classes, classCodes, last } } = this;
    const opened = this.opened[row], scale = this.scale.subarray(row * this.width * this.frontier.kinds);
    live.fill(0);
    for (let i = 0; i < before.nodes.length; i++) {
      live[before.nodes[i]] = 1;
      into[before.nodes[i]] = before.sums[i];
    }
    for (let node = 0; node < last; node++) {
      if (live[node] === 0) continue;
      for (let e = starts[node]; e < starts[node + 1]; e++) {
        const mine = classes[e], target = targets[e];
        if (opened[mine] === 0) continue;
        into[target] = (live[target] === 0 ? 0 : into[target]) + into[node] * scale[classCodes[mine]];
        live[target] = 1;
      }
    }
  }

  // The sums of some nodes, numbered from `first`, without the blocks that do not count.
  pack(nodes, sums, live, first) {
    const { entries: width, size } = this;
    let count = 0, blocks = 0;
    for (let i = 0; i < nodes.length; i++) {
      const mask = live[first + nodes[i]];
      if (mask !== 0) count++;
      blocks += ones(mask);
    }
    const kept = new Int32Array(count), masks = new Int32Array(count), packed = new Float64Array(size * blocks);
    let at = 0;
    count = 0;
    for (let i = 0; i < nodes.length; i++) {
      const node = first + nodes[i], mask = live[node];
      if (mask === 0) continue;
      kept[count] = nodes[i];
      masks[count++] = mask;
      for (let block = 0; mask >>> block !== 0; block++) {
        if (((mask >>> block) & 1) === 0) continue;
        const from = node * width + block * size;
        for (let u = 0; u < size; u++) packed[at++] = sums[from + u];
      }
    }
    return { nodes: kept, live: masks, sums: packed };
  }

  unpack({ nodes, live, sums: packed }, sums, first) {
    const { entries: width, size } = this;
    let at = 0;
    nodes.forEach((node, i) => {
      for (let block = 0; live[i] >>> block !== 0; block++) {
        if (((live[i] >>> block) & 1) === 0) continue;
        const to = (first + node) * width + block * size;
        for (let u = 0; u < size; u++) sums[to + u] = packed[at++];
      }
    });
  }

  // The profiles between rows with their forward sums; those before the first row that differs are
  // taken from the last sweep.
  *boundaries() {
    if (this.bounds) return this.bounds;
    const { nodes, last, profiles } = this.frontier, begin = new Float64Array(this.size);
    begin[0] = 1;
    let bounds = [{ nodes: Int32Array.of(this.first), live: Int32Array.of(1), sums: begin }];
    const shared = Sweep.last && !this.weights && Sweep.last.beginsLike(this) ? Sweep.last : null;
    if (shared) {
      let same = 0;
      while (same < this.rows && this.opened[same].every((open, i) => open === shared.opened[same][i])) same++;
      bounds = shared.bounds.slice(0, same + 1);
    }
    const sums = buffer("forward", nodes * this.entries), live = this.masks(nodes), wanted = this.masks(nodes).fill(this.all);
    const every = Int32Array.from({ length: profiles }, (_, node) => node);
    for (let row = bounds.length - 1; row < this.rows; row++) {
      this.forward(row, bounds[row], sums, live, wanted);
      bounds.push(this.pack(every, sums, live, last));
      yield (row + 1) / this.rows;
    }
    this.bounds = bounds;
    if (!this.weights) Sweep.last = this;
    return bounds;
  }

  beginsLike(other) {
    return this.frontier === other.frontier && this.turned === other.turned &&
      this.constraints.left.every((afloat, t) => afloat === other.constraints.left[t]);
  }

  isEnd(node) {
    const { counted, keys, uses, base, width } = this.frontier;
    return !counted || keys[node] >= (uses - 1) * base ** width;
  }

  // The sum over all layouts.
  *total() {
    const { nodes, live, sums } = (yield* this.boundaries())[this.rows], { size } = this;
    const whole = Math.floor(this.full / size); // the block in which all ships are used
    let total = 0, at = 0;
    nodes.forEach((node, i) => {
      at += size * ones(live[i]); // that block is the last one
      if (this.isEnd(node) && (live[i] >>> whole) & 1) total += sums[at - 1];
    });
    return total;
  }

  // ---------------------------------------------------------------- backward

  // After the last row: all ships are used.
  get end() {
    const { size, full } = this, nodes = this.bounds[this.rows].nodes.filter((node) => this.isEnd(node));
    const sums = new Float64Array(nodes.length * size);
    for (let i = 0; i < nodes.length; i++) sums[i * size + (full % size)] = 1;
    return { nodes, live: new Int32Array(nodes.length).fill(1 << Math.floor(full / size)), sums };
  }

  // What of each node leads to something of what follows a row, as masks.
  want(row, after, wanted) {
    const { ships, frontier: { starts, targets, classes, classKinds, last } } = this, opened = this.opened[row];
    wanted.fill(0);
    after.nodes.forEach((node, i) => { wanted[last + node] = after.live[i]; });
    for (let node = last - 1; node >= 0; node--) {
      let mask = 0;
      for (let e = starts[node]; e < starts[node + 1]; e++) {
        const mine = classes[e], next = wanted[targets[e]];
        if (next === 0 || opened[mine] === 0) continue;
        const { by, can } = ships[classKinds[mine]];
        mask |= (next >>> by) & can;
      }
      wanted[node] = mask;
    }
  }

  // Backward sums of a row from those after it; returns those before it. `tables` are {ahead,
  // behind, live, wanted}, by node; to `begun` is added, by code, the sum of the layouts in which a
  // ship begins there.
  backward(row, after, { ahead, behind, live, wanted }, begun) {
    const { entries: width, size, ships, frontier: { starts, targets, classes, classKinds, classCodes, last } } = this;
    const opened = this.opened[row], scale = this.scale.subarray(row * this.width * this.frontier.kinds);
    if (this.frontier.counted) return this.backwardCounted(row, after, { ahead, behind, live, wanted }, begun);
    this.want(row, after, wanted);
    this.forward(row, this.bounds[row], ahead, live, wanted);
    this.unpack(after, behind, last);
    for (let node = last - 1; node >= 0; node--) {
      const mask = live[node];
      if (mask === 0) continue;
      const from = node * width;
      let fresh = mask;
      for (let e = starts[node]; e < starts[node + 1]; e++) {
        const mine = classes[e];
        if (opened[mine] === 0) continue;
        const target = targets[e], kind = classKinds[mine], ship = ships[kind], moved = mask & ship.can & (live[target] >>> ship.by);
        if (moved === 0) continue;
        if (kind < FIRST_SHIP) {
          add(behind, target * width, from, moved, moved & fresh, size);
        } else {
          clear(behind, from, moved & fresh, size);
          const code = classCodes[mine];
          begun[code] += moveBack(behind, ahead, from, target * width, moved, size, ship, scale[code]);
        }
        fresh &= ~moved;
      }
      clear(behind, from, fresh, size);
    }
    return this.pack(this.bounds[row].nodes, behind, live, 0);
  }

  backwardCounted(row, after, { ahead, behind, live }, begun) {
    const { frontier: { starts, targets, classes, classCodes, last } } = this;
    const opened = this.opened[row], scale = this.scale.subarray(row * this.width * this.frontier.kinds);
    this.forwardCounted(row, this.bounds[row], ahead, live);
    live.fill(0, last);
    for (let i = 0; i < after.nodes.length; i++) {
      live[last + after.nodes[i]] = 1;
      behind[last + after.nodes[i]] = after.sums[i];
    }
    for (let node = last - 1; node >= 0; node--) {
      if (live[node] === 0) continue;
      const ways = ahead[node];
      let sum = 0;
      for (let e = starts[node]; e < starts[node + 1]; e++) {
        const mine = classes[e], target = targets[e];
        if (opened[mine] === 0 || live[target] === 0) continue;
        const code = classCodes[mine], rest = behind[target] * scale[code];
        sum += rest;
        begun[code] += ways * rest;
      }
      behind[node] = sum;
      live[node] = sum > 0 ? 1 : 0;
    }
    return this.pack(this.bounds[row].nodes, behind, live, 0);
  }

  masks(many) { return this.frontier.counted ? new Uint8Array(many) : new Int32Array(many); }

  get tables() {
    const { nodes } = this.frontier, many = nodes * this.entries;
    return { ahead: buffer("forward", many), behind: buffer("backward", many), live: this.masks(nodes), wanted: this.masks(nodes) };
  }

  // By placement, the sum over the layouts that have it.
  *placementSums() {
    yield* this.boundaries();
    const { tables } = this, codes = this.width * this.frontier.kinds, begun = new Float64Array(this.rows * codes);
    let after = this.end;
    for (let row = this.rows - 1; row >= 0; row--) {
      after = this.backward(row, after, tables, begun.subarray(row * codes));
      yield (this.rows - row) / this.rows;
    }
    return Float64Array.from(this.codeOf, (code) => begun[code]);
  }

  // ---------------------------------------------------------------- walks along the sums

  // Layouts, each an array of placement numbers: `count` drawn by their sums, or all of them.
  *walks(count, random) {
    yield* this.boundaries();
    const { tables } = this, nothing = new Float64Array(this.width * this.frontier.kinds), after = [this.end], { last } = this.frontier;
    for (let row = this.rows - 1; row > 0; row--) {
      after.unshift(this.backward(row, after[0], tables, nothing));
      yield 0.5;
    }
    let walks = Array.from({ length: count === null ? 1 : count }, () => ({ node: this.first, used: 0, ships: [] }));
    for (let row = 0; row < this.rows; row++) {
      this.backward(row, after[row], tables, nothing);
      const done = [], open = walks;
      while (open.length) {
        const walk = open.pop();
        if (walk.node >= last) done.push({ ...walk, node: walk.node - last });
        else open.push(...(count === null ? this.waysOn(walk, row, tables) : [this.wayOn(walk, row, tables, random)]));
      }
      walks = done;
      yield 0.5;
    }
    return walks.map(({ ships }) => ships.sort((a, b) => a - b));
  }

  // Where a walk can go by one step, each with the sum of what follows.
  waysOn({ node, used, ships }, row, { behind, live }) {
    const { starts, targets, classes, classKinds, classCodes, kinds } = this.frontier, codes = this.width * kinds, found = [];
    for (let e = starts[node]; e < starts[node + 1]; e++) {
      const mine = classes[e], kind = classKinds[mine], at = row * codes + classCodes[mine], ship = this.ships[kind];
      const to = used + ship.stride, block = Math.floor(to / this.size), target = targets[e];
      if (!this.opened[row][mine] || to > this.full || !((live[target] >>> block) & 1) || !this.afloat(used, kind)) continue;
      const sum = behind[target * this.entries + to] * this.scale[at];
      if (sum > 0) found.push({ node: target, used: to, ships: kind < FIRST_SHIP ? ships : [...ships, this.placementAt[at]], sum });
    }
    return found;
  }

  // Whether a ship of this kind is left where some are used.
  afloat(used, kind) {
    const { stride } = this.ships[kind], { left } = this.constraints;
    return stride === 0 || Math.floor(used / stride) % (left[(kind - FIRST_SHIP) >> 1] + 1) < left[(kind - FIRST_SHIP) >> 1];
  }

  wayOn(walk, row, tables, random) {
    const ways = this.waysOn(walk, row, tables);
    let at = random() * ways.reduce((sum, way) => sum + way.sum, 0);
    for (const way of ways) {
      at -= way.sum;
      if (at < 0) return way;
    }
    return ways[ways.length - 1];
  }
}

Sweep.last = null;

// Runs a generator to its end and returns what it returns.
export function finish(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
