// Solving a game: the optimal tree for an objective, proven and grown, with what is known meanwhile.
//
// The interval is what is proven at least, and what the best tree known costs: at first that of a
// greedy rule. The optimum is asked for at once; where that takes long, better trees are grown (small
// sub-tables exactly, larger ones greedily), and then budgets rise from the lower bound, so that the
// interval narrows while the search goes on. All work is counted, so that every machine says the same
// until it is stopped.

import { MISS } from "../shared/codes.js";
import { MOST_SOLVED } from "../shared/games.js";
import { countLayouts, listLayouts } from "./counter.js";
import { BEST, HALF, HITS, finished, growTree, treeFile } from "./grown.js";
import { Problem, cellsOf } from "./problem.js";
import { Refusal } from "./rules.js";
import { LOST, NoMoreRoom, Search, TOTAL, WORST } from "./search.js";

const STRAIGHT = 30_000_000; // steps of the search before anything else is tried
const EXACT_ROWS = [30, 100, 333]; // most rows of what is solved exactly for better trees
const FIRST_STEP = 64; // the lower bound rises by this part of the gap at first
const SPLIT_ROWS = 64; // least rows of a sub-table whose answers split what it lacks, in a long search

class Stopped extends Error {}

// {goal, limit} of an objective such as "mean", "worst" or "within:5"
function readObjective(text = "mean") {
  const [, misses] = /^within:(\d{1,3})$/.exec(text) || [];
  if (misses !== undefined && Number(misses) <= 125) return { goal: LOST, limit: Number(misses) };
  if (text === "mean" || text === "worst") return { goal: text === "mean" ? TOTAL : WORST, limit: null };
  throw new Refusal("objective “{text}”: there are mean, worst and within:K", { text: String(text) });
}

// The problem of a position, whose layouts are listed.
function* problemOf(position, most = MOST_SOLVED, options = {}) {
  const layouts = yield* countLayouts(position);
  if (!layouts) throw new Refusal(position.shots.length ? "no layout fits these answers" : "the fleet has no layout on this board under this contact rule");
  if (layouts > most) throw new Refusal("{layouts} layouts are too many to be solved here; up to {most} are, such as those of 5x5 with 3,2,1", { layouts, most });
  return new Problem(position, yield* listLayouts(position), { partial: position.rules.cells > 64 && position.shots.length > 0, ...options });
}

class Run {
  constructor(problem, objective, say, control) {
    Object.assign(this, { problem, objective, say, control, ...readObjective(objective), lower: 0, stage: "", search: new Search(problem) });
    this.limit = this.limit === null ? null : Math.min(this.limit, problem.cells);
  }

  // What is sought, of a tree.
  cost(tree) { return this.goal === WORST ? tree.worst : this.goal === LOST ? this.problem.weight - finished(tree, this.limit) : tree.total; }

  get upper() { return this.cost(this.tree); }

  take(tree) {
    const rank = (each) => [this.cost(each), each.total + each.worst];
    if (!this.tree || rank(tree)[0] < rank(this.tree)[0] || (rank(tree)[0] === rank(this.tree)[0] && rank(tree)[1] < rank(this.tree)[1])) this.tree = tree;
  }

  // Lets a generator work; it can be stopped wherever it rests.
  *until(work, stage) {
    this.stage = stage;
    for (;;) {
      if (this.control.stopped) throw new Stopped();
      const { done, value } = work.next();
      if (done) return value;
      this.say(this.known());
      yield;
    }
  }

  known() {
    const { states, nodes } = this.search.counters;
    return { stage: this.stage, lower: this.lower, upper: this.upper, keys: states, nodes, layouts: this.problem.layouts.length, weight: this.problem.weight };
  }

  ask(asked) { return this.search.ask({ goal: this.goal, limit: this.limit, ...asked }); }

  best(asked) { return growTree(this.search, BEST, { goal: this.goal, limit: this.limit, ...asked }); }

  *grow() {
    this.greedy = { hits: yield* growTree(this.search, HITS), half: yield* growTree(this.search, HALF) };
    this.take(this.greedy.hits);
    this.take(this.greedy.half);
  }

  // The bound that is known before any shot: of the root and of what its shots leave. What is counted
  // meanwhile counts for nothing, so that the search finds the same keys and sub-tables as without it.
  *begin() {
    yield* this.search.prepare();
    const { states, ...before } = this.search.counters;
    while (this.lower < this.upper) {
      const value = yield* this.ask({ budget: this.lower + 1, most: this.problem.size * this.search.stepsOfRow });
      if (!value || value.misses <= this.lower) break;
      this.lower = Math.min(value.misses, this.upper);
    }
    this.search.counters = before;
  }

  *prove() {
    yield* this.until(this.begin(), "bounds");
    const straight = yield* this.until(this.ask({ budget: this.upper + 1, most: STRAIGHT }), "search");
    if (straight) return straight;
    for (const exactRows of EXACT_ROWS) this.take(yield* this.until(this.best({ exactRows }), "better trees"));
    return yield* this.rise();
  }

  // Budgets that rise to the optimum: one that is not reached is a lower bound. Each step is to take a
  // fifth to half of all the work so far.
  *rise() {
    let step = Math.max(1, Math.floor((this.upper - this.lower) / FIRST_STEP));
    this.search.splitRows = SPLIT_ROWS;
    for (;;) {
      const before = this.search.counters.nodes, aim = this.lower + step, last = this.upper - aim < step / 2;
      if (last) this.search.splitRows = 0;
      const value = yield* this.until(this.ask({ budget: last ? this.upper + 1 : aim + 1 }), "search");
      if (value.exact) return value;
      this.lower = Math.min(value.misses, this.upper);
      const { nodes } = this.search.counters, taken = nodes - before;
      if (5 * taken < nodes) step *= 2;
      else if (2 * taken > nodes) step = Math.max(1, Math.floor(step / 2));
    }
  }

  // The tree of what is proven, in the search that knows it.
  *optimum(value) {
    let { goal } = this, before = { states: 0, nodes: 0 };
    this.lower = value.misses;
    if (goal === LOST && value.misses === 0) { // nothing is lost: then as few misses as can be
      before = this.search.counters;
      this.search.release();
      this.search = new Search(this.problem);
      goal = TOTAL;
      yield* this.until(this.search.ask({ limit: this.limit }), "search");
    }
    const states = before.states + this.search.counters.states, nodes = before.nodes + this.search.counters.nodes;
    this.tree = yield* this.until(this.best({ goal }), "tree");
    this.worked = { keys: states, nodes };
    if (this.upper !== value.misses) throw new Error(`the tree grown costs ${this.upper}, not ${value.misses}`);
  }

  // Least cost of every first shot, by cell of the board; those that are equal by symmetry are asked once.
  *values(tell) {
    const { problem } = this, open = problem.occupied & ~problem.certain, shot = new Set(problem.position.shots.map(([cell]) => cell)), { rules: { cells } } = problem;
    if (this.goal === LOST) return;
    const values = new Array(cells).fill(null);
    for (let cell = 0; cell < cells; cell++) if (!(problem.occupied & (1n << BigInt(cell)))) values[cell] = this.lower + (this.goal === WORST ? 1 : problem.weight);
    for (const cell of cellsOf(problem.certain)) values[cell] = this.lower;
    for (const cell of shot) values[cell] = null;
    for (const cell of cellsOf(open)) {
      if (values[cell] !== null) continue;
      const { misses } = yield* this.until(this.ask({ cell }), "first shots");
      for (const image of problem.symmetries) values[problem.boardCells[image[problem.cellOf.get(cell)]]] = misses;
      tell(values.slice());
    }
  }

  // What is known in the end, with the best tree.
  document(status) {
    const { problem, tree, greedy, objective } = this, { rules, position } = problem, shown = ({ total, worst, distribution }) => ({ total, worst, distribution });
    const missed = position.shots.filter(([, code]) => code === MISS).length;
    return {
      ...this.known(), ...(this.worked || {}), ...shown(tree), status, objective, missed,
      ...(this.goal === LOST ? { within: this.limit, finished: finished(tree, this.limit) } : {}),
      greedy: { half: shown(greedy.half), hits: shown(greedy.hits) },
      rules: rules.document, position: position.shots, possible: rules.possible, placements: rules.placements.map(({ cells }) => Array.from(cells)),
      words: tree.words, ships: tree.order.flatMap((layout) => problem.layouts[layout]),
      file: treeFile(problem, tree, { objective, status }),
    };
  }
}

// The document of a solution; `say` is told what is known meanwhile, the solution once it is proven as
// {solved}, and the values of first shots as {values}. `control.stopped` ends it with what is known.
export function* solve(position, { objective = "mean", values = true } = {}, say = () => {}, control = {}) {
  const run = new Run(yield* problemOf(position), objective, say, control);
  let found = null, known = null;
  try {
    yield* run.grow();
    say(run.known());
    yield* run.optimum(yield* run.prove());
    found = run.document("optimal");
    say({ solved: found });
    if (values) yield* run.values((some) => { known = some; say({ values: some }); });
  } catch (error) {
    if (!(error instanceof Stopped || error instanceof NoMoreRoom)) throw error;
    if (!found) found = { ...run.document("bounded"), stopped: error instanceof Stopped ? "" : "memory" };
  } finally {
    run.search.release();
  }
  return { ...found, values: known };
}

// For tests: what the core answers to one question in a table that does not grow, as
// [misses, keys, sub-tables].
export function* signature(position, { goal, limit, slots }) {
  const search = new Search(yield* problemOf(position, Infinity), { slots });
  try {
    const { misses } = yield* search.ask({ goal: [TOTAL, WORST, LOST][goal], limit });
    const { states, nodes } = search.counters;
    return [misses, states, nodes];
  } finally {
    search.release();
  }
}
