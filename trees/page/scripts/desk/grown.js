// Trees, shot by shot: the one that best shots lead to, or that of a greedy rule.
//
// A tree is grown in preorder, the smallest answer code first. It is kept as the explorer reads it:
// `words`, nodes in preorder (cell + 1, number of answers, their codes; or 0 and the layouts of a leaf
// in two words), and `order`, the layouts in the order of their leaves.

import { MISS, answerText } from "../shared/codes.js";
import { PLAIN, cellsOf } from "./problem.js";
import { INFEASIBLE, LOST, TOTAL } from "./search.js";

// The cell not known of most weight, or the one that halves it best; the first of equal ones.
function greedyShot(problem, rows, unknown, half) {
  const weights = new Float64Array(problem.rules.cells);
  let whole = 0;
  for (const row of rows) {
    const weight = Number(problem.weights[row]);
    whole += weight;
    for (const cell of problem.rowCells(row)) weights[cell] += weight;
  }
  let chosen = -1, best = -Infinity;
  for (const cell of cellsOf(unknown)) {
    const score = half ? -Math.abs(2 * weights[cell] - whole) : weights[cell];
    if (score > best) [chosen, best] = [cell, score];
  }
  return chosen;
}

// choose: a generator of the shot for {rows, unknown, hit, limit}; hitsFirst: whether certain hits are
// shot before it is asked; limit: misses that a path may have
function* growTree(problem, choose, { hitsFirst, limit = Infinity }) {
  const { position, rules } = problem, before = problem.mode === PLAIN ? [] : position.shots.map(([cell]) => cell);
  const words = [], order = [], weight = [], shot = new Uint8Array(rules.cells);
  const stack = [{ rows: [...problem.boardRows.keys()], depth: before.length, misses: 0, limit }], path = before.slice();
  let shots = 0, total = 0, grown = 0;
  while (stack.length) {
    const { rows, depth, misses, cell: last, limit: left } = stack.pop();
    if (last !== undefined) path[depth - 1] = last;
    const history = path.slice(0, depth);
    shot.fill(0);
    for (const cell of history) shot[cell] = 1;
    let certain = problem.boardRows[rows[0]], occupied = 0n;
    for (const row of rows) {
      certain &= problem.boardRows[row];
      occupied |= problem.boardRows[row];
    }
    if (certain === occupied) {
      const layouts = rows.flatMap((row) => problem.groups[row]).sort((a, b) => a - b);
      words.push(0, layouts.length & 0xffff, layouts.length >> 16);
      order.push(...layouts);
      for (const row of rows) {
        const mine = Number(problem.weights[row]);
        total += misses * mine;
        weight[misses] = (weight[misses] || 0) + mine;
      }
      continue;
    }
    const hit = history.reduce((mask, cell) => mask | (certain & (1n << BigInt(cell))), 0n);
    const [due] = hitsFirst ? cellsOf(certain & ~hit) : [];
    const cell = due === undefined ? yield* choose({ rows, unknown: occupied & ~certain, hit, limit: left }) : due, parts = new Map();
    for (const row of rows) {
      const code = problem.answer(row, cell, shot, history);
      if (parts.has(code)) parts.get(code).push(row);
      else parts.set(code, [row]);
    }
    const codes = [...parts.keys()].sort((a, b) => a - b);
    words.push(cell + 1, codes.length, ...codes);
    shots++;
    for (const code of codes.reverse()) {
      const missed = code === MISS ? 1 : 0;
      stack.push({ rows: parts.get(code), depth: depth + 1, misses: misses + missed, cell, limit: left - missed });
    }
    if (++grown % 64 === 0) yield;
  }
  const distribution = Array.from(weight, (each) => each || 0);
  return { words, order, shots, total, worst: distribution.length - 1, distribution };
}

export const greedyTree = (problem, rule) => growTree(problem, function* ({ rows, unknown }) { return greedyShot(problem, rows, unknown, rule === "half"); }, { hitsFirst: problem.mode !== PLAIN });

// A best tree by a search; sub-tables of more rows than `exactRows` are shot at greedily.
export function* bestTree(search, { goal = TOTAL, limit = null, exactRows = Infinity } = {}) {
  const { problem } = search;
  return yield* growTree(problem, function* best({ rows, unknown, hit, limit: left }) {
    if (rows.length > exactRows || (goal === LOST && left < 0)) return greedyShot(problem, rows, unknown, false);
    const shot = yield* search.shot(rows, { goal, hit, budget: INFEASIBLE, limit: limit === null ? null : left });
    return shot < 0 ? greedyShot(problem, rows, unknown, false) : shot;
  }, { hitsFirst: problem.hitsAreShot, limit: limit === null ? Infinity : limit });
}

// How much of the weight is found with so many misses at most.
export const finished = ({ distribution }, misses) => distribution.slice(0, misses + 1).reduce((sum, each) => sum + each, 0);

// The text of a tree file.
//   claims: objective, status and `reading`
export function treeFile(problem, tree, claims) {
  const { rules, position, layouts, layoutWeights } = problem, { words, order } = tree;
  const names = new Map(), name = (number) => {
    if (!names.has(number)) names.set(number, rules.shipName(rules.placements[number].cells));
    return names.get(number);
  };
  const shots = position.shots.map((_, i) => position.said(i)), ships = position.ships.map((ship) => rules.shipName(ship));
  const plain = position.ordered && !ships.length;
  const head = {
    format: "seabattle-tree", version: 1, ...rules.document, reading: "full", ...claims, total_misses: tree.total, worst_misses: tree.worst,
    ...(layoutWeights ? { weights: order.map((layout) => Number(layoutWeights[layout])) } : {}),
    ...(plain && !shots.length ? {} : { position: plain ? shots : { shots, ...(position.ordered ? {} : { ordered: false }), ...(ships.length ? { ships } : {}) } }),
  };
  const nodes = [], open = [];
  let row = 0;
  for (let at = 0; at < words.length;) {
    const above = open.at(-1), number = nodes.length;
    if (above) {
      above.next[answerText(above.codes.shift())] = number;
      if (!above.codes.length) open.pop();
    }
    if (words[at] === 0) {
      const count = words[at + 1] + 65536 * words[at + 2];
      nodes.push({ layouts: order.slice(row, row + count).map((layout) => layouts[layout].map(name)) });
      row += count;
      at += 3;
    } else {
      const count = words[at + 1], next = {};
      nodes.push({ shot: rules.name(words[at] - 1), next });
      open.push({ next, codes: words.slice(at + 2, at + 2 + count) });
      at += 2 + count;
    }
  }
  return `${JSON.stringify(head).slice(0, -1)}, "nodes": [\n${nodes.map((node) => JSON.stringify(node)).join(",\n")}\n]}\n`;
}
