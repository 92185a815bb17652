// Trees, shot by shot, grown by the core: the one that best shots lead to, or that of a greedy rule.
//
// A tree is grown in preorder, the smallest answer code first. It is kept as the explorer reads it:
// `words`, nodes in preorder (cell + 1, number of answers, their codes; or 0 and the layouts of a leaf
// in two words), and `order`, the layouts in the order of their leaves.

import { answerText } from "../shared/codes.js";
import { FULL } from "./core.js";
import { HIT } from "./problem.js";
import { limitOf } from "./search.js";

// What is shot, numbered as the core has it: the cell that halves the weight best, the one of most
// weight, the first of equal ones, or a best shot.
export const HALF = 0;
export const HITS = 1;
export const BEST = 2;

const FIRST_MEMORY = 1 << 16;
const NODES = { shots: "int16_t", parents: "int32_t", answers: "uint16_t", leaf: "int64_t" };

// Room for so many nodes, with what is in a smaller one.
function nodesFor(core, room, smaller = null) {
  return Object.fromEntries(Object.entries(NODES).map(([name, kind]) => {
    const made = core.array(kind, room);
    if (smaller) made.items.set(smaller[name].items);
    return [name, made];
  }));
}

// The memory of a tree that has no nodes yet.
function begun(search, start) {
  const { core } = search;
  for (let size = FIRST_MEMORY; ; size *= 2) {
    const { top } = core, memory = core.memory_of(size);
    if (core.tree_make(search.memory, start, memory) !== FULL) return memory;
    core.top = top;
  }
}

// Its memory is given back with that of the search.
//   asked: of a best tree, goal and limit as the search takes them, and `exactRows`: sub-tables of more
//   rows are shot at greedily
export function* growTree(search, kind, { exactRows = Infinity, ...asked } = {}) {
  const { core, problem } = search, { mode, size, position } = problem, { top } = core;
  const path = mode === HIT ? [] : position.shots.map(([cell]) => problem.cellOf.get(cell)).filter((cell) => cell !== undefined);
  const shot = path.reduce((mask, cell) => mask | (1n << BigInt(cell)), 0n), dueFirst = kind === BEST ? problem.hitsAreShot : mode !== HIT;
  const start = core.structure("tree_start", {
    mode: problem.answerMode, miss_limit: limitOf(asked.goal, asked.limit), positive: 0,
    path: core.array("int16_t", path), shot: core.array("uint64_t", problem.wordsOf([shot])),
  });
  const policy = core.structure("policy", { kind, level: -1, exact_rows: Math.min(exactRows, size), asks: 0, due_first: dueFirst ? 1 : 0, random_ties: 0 });
  const nobody = core.structure("asked", { rows: null, hit: null, count: 0, shot: -1 });
  const growth = core.array("int64_t", 6), members = core.array("int32_t", size), found = core.array("int64_t", problem.cells + 1), memory = begun(search, start);
  let room = 2 * size + 1, nodes = nodesFor(core, room), last = core.top;
  const emit = () => core.tree_grow(search.memory, memory, policy, search.question(asked), search.counted, core.structure("nodes", { ...nodes, members, found }), growth, nobody);
  while ((yield* search.run(emit)) === FULL) {
    room *= 2;
    nodes = nodesFor(core, room, nodes);
    last = core.top;
  }
  const tree = treeOf(problem, { growth, members, found, ...nodes });
  if (core.top === last) core.top = top; // else the search has taken memory above
  return tree;
}

// The tree of the nodes that were grown.
function treeOf(problem, { growth, members, found, shots, parents, answers, leaf }) {
  const [count, , , total, worst] = Array.from(growth.items, Number), codes = Array.from({ length: count }, () => []);
  for (let v = 1; v < count; v++) codes[parents.items[v]].push(answers.items[v]);
  const words = [], order = [], rows = members.items, cells = shots.items, ends = leaf.items;
  let listed = 0;
  for (let v = 0; v < count; v++) {
    if (cells[v] >= 0) {
      words.push(problem.boardCells[cells[v]] + 1, codes[v].length, ...codes[v]);
      continue;
    }
    const layouts = Array.from(rows.subarray(listed, Number(ends[v]))).flatMap((row) => problem.groups[row]).sort((a, b) => a - b);
    listed = Number(ends[v]);
    words.push(0, layouts.length & 0xffff, layouts.length >> 16);
    order.push(...layouts);
  }
  return { words, order, total, worst, distribution: Array.from(found.items.subarray(0, worst + 1), Number) };
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
