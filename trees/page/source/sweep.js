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

// Memory of the sums, reused by one sweep after another.
const buffers = new Map();

function buffer(name, length) {
  const known = buffers.get(name);
  if (known && known.length >= length && known.length < 16 * length + 65536) return known;
  const fresh = new Float64Array(length);
  buffers.set(name, fresh);
  return fresh;
}

export class Sweep {
  // weights: by placement, null where every layout counts 1
  //   turned: whether columns are swept in place of rows; upwards: whether from the last one
  constructor(rules, constraints, { weights = null, turned = rules.columns > rules.rows, upwards = false } = {}) {
    Object.assign(this, { rules, constraints, weights, turned, upwards });
    this.width = turned ? rules.rows : rules.columns;
    this.rows = turned ? rules.columns : rules.rows;
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
    this.shifts = new Int32Array(front.kinds);
    this.movable = Array.from({ length: front.kinds }, () => null);
    if (front.counted) {
      const begin = left.reduce((sum, afloat, t) => sum + front.strides[t] * (front.ships[t] - afloat), 0) * front.base ** front.width;
      this.first = front.keys.indexOf(begin);
      this.full = 0;
      return;
    }
    for (const afloat of left) this.entries *= afloat + 1;
    this.full = this.entries - 1;
    let stride = 1;
    left.forEach((afloat, t) => {
      const move = [];
      for (let u = 0; u < this.entries; u++) if (Math.floor(u / stride) % (afloat + 1) < afloat) move.push(u);
      for (const kind of [FIRST_SHIP + 2 * t, FIRST_SHIP + 2 * t + 1]) {
        this.shifts[kind] = stride;
        this.movable[kind] = Int32Array.from(move);
      }
      stride *= afloat + 1;
    });
  }

  // The board's cell at a place of the sweep.
  cellAt(row, column) {
    const at = this.upwards ? this.rows - 1 - row : row;
    return this.turned ? column * this.rules.columns + at : at * this.rules.columns + column;
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

  // Forward sums of one row from those of its first nodes, `into` and `touched` are written.
  //   before: {nodes: numbers in their layer, sums}
  forward(row, before, into, touched) {
    const { entries: width, shifts, movable, frontier: front } = this, { starts, targets, classes, classKinds, classCodes, last } = front;
    const opened = this.opened[row], scale = this.scale.subarray(row * this.width * front.kinds);
    touched.fill(0);
    before.nodes.forEach((node, i) => {
      touched[node] = 1;
      for (let u = 0; u < width; u++) into[node * width + u] = before.sums[i * width + u];
    });
    for (let node = 0; node < last; node++) {
      if (touched[node] === 0) continue;
      const from = node * width;
      for (let e = starts[node]; e < starts[node + 1]; e++) {
        const mine = classes[e];
        if (opened[mine] === 0) continue;
        const target = targets[e], to = target * width, kind = classKinds[mine];
        if (touched[target] === 0) {
          touched[target] = 1;
          for (let u = to; u < to + width; u++) into[u] = 0;
        }
        if (width === 1) {
          into[to] += into[from] * scale[classCodes[mine]];
        } else if (kind < FIRST_SHIP) {
          for (let u = 0; u < width; u++) into[to + u] += into[from + u];
        } else {
          const move = movable[kind], shifted = to + shifts[kind], weight = scale[classCodes[mine]];
          for (let i = 0; i < move.length; i++) into[shifted + move[i]] += into[from + move[i]] * weight;
        }
      }
    }
  }

  endOfRow(sums, touched) {
    const { entries: width, frontier: { last, profiles } } = this, nodes = [];
    for (let node = 0; node < profiles; node++) if (touched[last + node]) nodes.push(node);
    const kept = new Float64Array(nodes.length * width);
    nodes.forEach((node, i) => kept.set(sums.subarray((last + node) * width, (last + node + 1) * width), i * width));
    return { nodes: Int32Array.from(nodes), sums: kept };
  }

  // The profiles between rows with their forward sums; those before the first row that differs are
  // taken from the last sweep.
  *boundaries() {
    if (this.bounds) return this.bounds;
    const begin = new Float64Array(this.entries);
    begin[0] = 1;
    let bounds = [{ nodes: Int32Array.of(this.first), sums: begin }];
    const shared = Sweep.last && !this.weights && Sweep.last.beginsLike(this) ? Sweep.last : null;
    if (shared) {
      let same = 0;
      while (same < this.rows && this.opened[same].every((open, i) => open === shared.opened[same][i])) same++;
      bounds = shared.bounds.slice(0, same + 1);
    }
    const { nodes } = this.frontier, sums = buffer("forward", nodes * this.entries);
    this.touched = new Uint8Array(nodes);
    for (let row = bounds.length - 1; row < this.rows; row++) {
      this.forward(row, bounds[row], sums, this.touched);
      bounds.push(this.endOfRow(sums, this.touched));
      yield (row + 1) / this.rows;
    }
    this.bounds = bounds;
    if (!this.weights) Sweep.last = this;
    return bounds;
  }

  beginsLike(other) {
    return this.frontier === other.frontier && this.turned === other.turned && this.upwards === other.upwards &&
      this.constraints.left.every((afloat, t) => afloat === other.constraints.left[t]);
  }

  isEnd(node) {
    const { counted, keys, uses, base, width } = this.frontier;
    return !counted || keys[node] >= (uses - 1) * base ** width;
  }

  // The sum over all layouts.
  *total() {
    const { nodes, sums } = (yield* this.boundaries())[this.rows];
    let total = 0;
    nodes.forEach((node, i) => { if (this.isEnd(node)) total += sums[i * this.entries + this.full]; });
    return total;
  }

  // ---------------------------------------------------------------- backward

  afterAll(nodes) {
    const sums = new Float64Array(nodes.length * this.entries);
    nodes.forEach((node, i) => { if (this.isEnd(node)) sums[i * this.entries + this.full] = 1; });
    return sums;
  }

  // Backward sums of the nodes touched in a row, from those at its end; `behind` is written, and
  // where `starts` are wanted, to them the sum of the layouts in which a ship begins with each code
  // is added (`ahead` are then the forward sums).
  backward(row, end, after, behind, touched, ahead, starts) {
    const { entries: width, shifts, movable, frontier: front } = this, { starts: first, targets, classes, classKinds, classCodes, last } = front;
    const opened = this.opened[row], scale = this.scale.subarray(row * this.width * front.kinds);
    end.nodes.forEach((node, i) => behind.set(after.subarray(i * width, (i + 1) * width), (last + node) * width));
    for (let node = last - 1; node >= 0; node--) {
      if (touched[node] === 0) continue;
      const from = node * width;
      if (width === 1) {
        let sum = 0;
        const ways = ahead[node];
        for (let e = first[node]; e < first[node + 1]; e++) {
          const mine = classes[e];
          if (opened[mine] === 0) continue;
          const code = classCodes[mine], rest = behind[targets[e]] * scale[code];
          sum += rest;
          starts[code] += ways * rest;
        }
        behind[node] = sum;
        continue;
      }
      for (let u = from; u < from + width; u++) behind[u] = 0;
      for (let e = first[node]; e < first[node + 1]; e++) {
        const mine = classes[e];
        if (opened[mine] === 0) continue;
        const to = targets[e] * width, kind = classKinds[mine];
        if (kind < FIRST_SHIP) {
          for (let u = 0; u < width; u++) behind[from + u] += behind[to + u];
          continue;
        }
        const move = movable[kind], shifted = to + shifts[kind], code = classCodes[mine], weight = scale[code];
        let sum = 0;
        for (let i = 0; i < move.length; i++) {
          const u = move[i], rest = behind[shifted + u] * weight;
          behind[from + u] += rest;
          sum += ahead[from + u] * rest;
        }
        starts[code] += sum;
      }
    }
  }

  atStart({ nodes }, behind) {
    const width = this.entries, sums = new Float64Array(nodes.length * width);
    nodes.forEach((node, i) => sums.set(behind.subarray(node * width, (node + 1) * width), i * width));
    return sums;
  }

  // By placement, the sum over the layouts that have it.
  *placementSums() {
    const bounds = yield* this.boundaries(), { nodes, kinds } = this.frontier, codes = this.width * kinds;
    const ahead = buffer("forward", nodes * this.entries), behind = buffer("backward", nodes * this.entries);
    const starts = new Float64Array(this.rows * codes);
    let after = this.afterAll(bounds[this.rows].nodes);
    for (let row = this.rows - 1; row >= 0; row--) {
      this.forward(row, bounds[row], ahead, this.touched || (this.touched = new Uint8Array(nodes)));
      this.backward(row, bounds[row + 1], after, behind, this.touched, ahead, starts.subarray(row * codes));
      after = this.atStart(bounds[row], behind);
      yield (this.rows - row) / this.rows;
    }
    return Float64Array.from(this.codeOf, (code) => starts[code]);
  }

  // ---------------------------------------------------------------- walks along the sums

  // Layouts, each an array of placement numbers: `count` drawn by their sums, or all of them.
  *walks(count, random) {
    const bounds = yield* this.boundaries(), { nodes, kinds, last } = this.frontier, codes = this.width * kinds;
    const behind = buffer("backward", nodes * this.entries), none = buffer("forward", nodes * this.entries);
    const touched = new Uint8Array(nodes), completions = [this.afterAll(bounds[this.rows].nodes)], nothing = new Float64Array(codes);
    for (let row = this.rows - 1; row >= 0; row--) {
      this.reach(row, bounds[row], touched);
      this.backward(row, bounds[row + 1], completions[0], behind, touched, none, nothing);
      completions.unshift(this.atStart(bounds[row], behind));
      yield 0.5;
    }
    let walks = Array.from({ length: count === null ? 1 : count }, () => ({ node: this.first, used: 0, ships: [] }));
    for (let row = 0; row < this.rows; row++) {
      this.reach(row, bounds[row], touched);
      this.backward(row, bounds[row + 1], completions[row + 1], behind, touched, none, nothing);
      const done = [];
      const open = walks;
      while (open.length) {
        const walk = open.pop();
        if (walk.node >= last) done.push({ ...walk, node: walk.node - last });
        else open.push(...(count === null ? this.waysOn(walk, row, behind) : [this.wayOn(walk, row, behind, random)]));
      }
      walks = done;
      yield 0.5;
    }
    return walks.map(({ ships }) => ships.sort((a, b) => a - b));
  }

  // The nodes that are reached in a row.
  reach(row, before, touched) {
    const { starts, targets, classes, last } = this.frontier, opened = this.opened[row];
    touched.fill(0);
    for (const node of before.nodes) touched[node] = 1;
    for (let node = 0; node < last; node++) {
      if (touched[node]) for (let e = starts[node]; e < starts[node + 1]; e++) if (opened[classes[e]]) touched[targets[e]] = 1;
    }
  }

  // Where a walk can go by one step, each with the sum of what follows.
  waysOn({ node, used, ships }, row, behind) {
    const { starts, targets, classes, classKinds, classCodes, kinds } = this.frontier, codes = this.width * kinds, found = [];
    for (let e = starts[node]; e < starts[node + 1]; e++) {
      const mine = classes[e], kind = classKinds[mine], at = row * codes + classCodes[mine];
      if (!this.opened[row][mine]) continue;
      const move = this.movable[kind];
      if (move && !move.includes(used)) continue;
      const to = used + this.shifts[kind], sum = behind[targets[e] * this.entries + to] * this.scale[at];
      if (sum > 0) found.push({ node: targets[e], used: to, ships: kind < FIRST_SHIP ? ships : [...ships, this.placementAt[at]], sum });
    }
    return found;
  }

  wayOn(walk, row, behind, random) {
    const ways = this.waysOn(walk, row, behind);
    let at = random() * ways.reduce((sum, way) => sum + way.sum, 0);
    return ways.find((way) => (at -= way.sum) < 0) || ways[ways.length - 1];
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
