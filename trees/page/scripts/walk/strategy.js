// The strategies of the page: unpacked trees with the numbers of every node.
//
// A tree arrives in preorder, so the layouts below a node are one range of rows, the path of a
// layout follows the children whose range holds its row, and no rule of the game is needed here.

import { MISS } from "../shared/codes.js";

function unpack16(text) {
  const raw = atob(text);
  const words = new Uint16Array(raw.length / 2);
  for (let i = 0; i < words.length; i++) {
    words[i] = raw.charCodeAt(2 * i) | (raw.charCodeAt(2 * i + 1) << 8);
  }
  return words;
}

export class Strategy {
  // Words are base64 or already unpacked; a tree that is only walked needs no index of its layouts.
  constructor(data, game, indexed = true) {
    Object.assign(this, {
      game,
      name: data.name,
      answers: data.answers,
      told: data.told,
      possible: data.possible,
      reading: data.reading,
      objective: data.objective,
      status: data.status,
      position: data.position,
    });
    this.width = game.fleet.length;
    this.ships = typeof data.ships === "string" ? unpack16(data.ships) : data.ships;
    this.layouts = this.ships.length / this.width;
    this.weights = data.weights;
    this.words = typeof data.nodes === "string" ? unpack16(data.nodes) : data.nodes;
    this.readNodes(this.words);
    this.addUp();
    if (indexed) this.index();
  }

  index() {
    this.rowOf = new Map();
    for (let row = 0; row < this.layouts; row++) this.rowOf.set(this.keyOf(row), row);
  }

  // Nodes in preorder: shot + 1, number of answers, answer codes; or 0 and the layouts in two words.
  readNodes(words) {
    this.shot = [];
    this.parent = [];
    this.code = [];
    this.kids = [];
    this.depth = [];
    this.start = [];
    this.end = [];
    this.wordAt = [];
    const open = [];
    let row = 0;
    for (let at = 0; at < words.length;) {
      const node = this.shot.length;
      this.wordAt.push(at);
      const above = open.length ? open[open.length - 1] : null;
      this.parent.push(above ? above.node : -1);
      this.code.push(above ? above.codes[this.kids[above.node].length] : -1);
      this.depth.push(open.length);
      if (above) this.kids[above.node].push(node);
      this.start.push(row);
      this.kids.push([]);
      if (words[at] === 0) {
        row += words[at + 1] + 65536 * words[at + 2];
        at += 3;
        this.shot.push(-1);
        this.end.push(row);
        while (open.length && this.kids[open[open.length - 1].node].length === open[open.length - 1].codes.length) {
          this.end[open.pop().node] = row;
        }
      } else {
        const count = words[at + 1];
        this.shot.push(words[at] - 1);
        this.end.push(-1);
        open.push({ node, codes: words.subarray(at + 2, at + 2 + count) });
        at += 2 + count;
      }
    }
    this.size = this.shot.length;
    this.deepest = this.depth.reduce((most, depth) => Math.max(most, depth), 0);
  }

  weightOf(row) {
    return this.weights ? this.weights[row] : 1;
  }

  // Misses so far, weight, total and worst misses still to come, and misses of every layout.
  addUp() {
    this.missed = new Int32Array(this.size);
    this.worst = new Int32Array(this.size);
    this.weight = new Float64Array(this.size);
    this.total = new Float64Array(this.size);
    this.cost = new Int32Array(this.layouts);
    for (let v = 1; v < this.size; v++) {
      this.missed[v] = this.missed[this.parent[v]] + (this.code[v] === MISS ? 1 : 0);
    }
    for (let v = this.size - 1; v >= 0; v--) {
      if (this.shot[v] < 0) {
        for (let row = this.start[v]; row < this.end[v]; row++) {
          this.weight[v] += this.weightOf(row);
          this.cost[row] = this.missed[v];
        }
      }
      const p = this.parent[v], miss = this.code[v] === MISS ? 1 : 0;
      if (p < 0) continue;
      this.weight[p] += this.weight[v];
      this.total[p] += this.total[v] + miss * this.weight[v];
      this.worst[p] = Math.max(this.worst[p], this.worst[v] + miss);
    }
  }

  left(v) {
    return this.end[v] - this.start[v];
  }

  mean(v) {
    return this.weight[v] > 0 ? this.total[v] / this.weight[v] : 0;
  }

  // The mean as a fraction where that is exact, else an empty text.
  fraction(v) {
    const exact = this.weight[v] <= Number.MAX_SAFE_INTEGER && this.total[v] <= Number.MAX_SAFE_INTEGER;
    return exact ? `${this.total[v]}/${this.weight[v]}` : "";
  }

  shipsOf(row) {
    const ships = [];
    for (let i = row * this.width; i < (row + 1) * this.width; i++) {
      ships.push(this.game.placements[this.ships[i]]);
    }
    return ships;
  }

  keyOf(row) {
    return Array.from(this.ships.subarray(row * this.width, (row + 1) * this.width)).sort((a, b) => a - b).join(" ");
  }

  cellsOf(row) {
    return this.shipsOf(row).flat();
  }

  // Weight of the layouts below a node that occupy each cell.
  occupancy(v) {
    const sums = new Float64Array(this.game.cells);
    for (let row = this.start[v]; row < this.end[v]; row++) {
      const weight = this.weightOf(row);
      for (let i = row * this.width; i < (row + 1) * this.width; i++) {
        for (const cell of this.game.placements[this.ships[i]]) sums[cell] += weight;
      }
    }
    return sums;
  }

  pathTo(v) {
    const path = [];
    for (let u = v; u >= 0; u = this.parent[u]) path.push(u);
    return path.reverse();
  }

  pathOfRow(row) {
    const path = [0];
    for (;;) {
      const next = this.kids[path[path.length - 1]].find((u) => row >= this.start[u] && row < this.end[u]);
      if (next === undefined) return path;
      path.push(next);
    }
  }

  // Shots before a node with their answers: [cell, code], those before the tree begins first.
  shotsBefore(v) {
    const shots = this.position.slice();
    for (const u of this.pathTo(v)) {
      if (this.parent[u] >= 0) shots.push([this.shot[this.parent[u]], this.code[u]]);
    }
    return shots;
  }
}
