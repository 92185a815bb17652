// An exact search by the core: what it is asked about a problem, and the memory that it takes.
//
// The search is the one of Python (exact_search.py says why its keys are exact): with one thread it
// finds the same values, keys and sub-tables. It lives in the memory of the core, above all that was
// taken there before, until `release`. Work is counted in steps, one for a row looked at, or some more;
// a question is a generator that rests after every slice of them.

import { FULL, STOPPED, theCore } from "./core.js";
import { CLOSED_SUNK, HIT, NAMED, OPEN_SUNK } from "./problem.js";

// What is made least: the misses summed over weighted layouts, those of the worst case, or the weight
// of the layouts that take more misses than the limit.
export const TOTAL = 0;
export const WORST = 1;
export const LOST = 2;

const NO_LIMIT = 127; // in place of a limit of misses
const WORST_CASE = 126; // the same for the goal `WORST`
const INFEASIBLE = 2 ** 41; // misses of what no tree solves within the limit

const FULL_TABLE = 1, FULL_PARTS = 3; // why it stopped
const FIRST_SLOTS = 1 << 14, FIRST_PARTS = 1 << 10, FIRST_MEMORY = 1 << 20;
const FIRST_STATES = 1 << 11, MOST_STATES = 1 << 16, STATE_NUMBERS = 64; // of what hits leave
const MOST_TABLE = 2 ** 29; // bytes; half as much beside it while it grows
const SLICE = 600_000; // steps of work between two rests: some hundredths of a second
const STEPS_OF_ROW = { [HIT]: 1, [CLOSED_SUNK]: 5, [NAMED]: 5, [OPEN_SUNK]: 10 }; // that it takes to look at a row

export class NoMoreRoom extends Error {}

export const limitOf = (goal, limit = null) => (goal === WORST ? WORST_CASE : limit === null ? NO_LIMIT : limit);

export class Search {
  // goal: what is asked of it, as a table tells totals within a limit and lost weight not apart
  constructor(problem, { slots = FIRST_SLOTS, splitRows = 0 } = {}) {
    const core = theCore();
    Object.assign(this, { core, problem, splitRows, bottom: core.top, parts: FIRST_PARTS, spent: 0, stepsOfRow: STEPS_OF_ROW[problem.mode] });
    const { game } = problem, arrays = {};
    for (const [name, value] of Object.entries(game)) arrays[name] = value && value.items ? core.array(value.kind, value.items) : value;
    this.game = arrays;
    this.counted = core.array("int64_t", 7);
    this.stop = core.array("int32_t", 1);
    this.best = core.array("uint64_t", 2);
    this.all = Int32Array.from(problem.boardRows, (_, row) => row);
    this.makeMemory();
    this.makeStates(0);
    this.makeTable(slots);
    this.counting = problem.isCounted;
  }

  // Gives all memory back; the search cannot be asked any more.
  release() { this.core.top = this.bottom; }

  makeMemory() {
    const { core } = this;
    for (let size = FIRST_MEMORY; ; size *= 2) {
      const { top } = core, made = core.structure("search_game", { ...this.game, parts: this.parts });
      this.memory = core.memory_of(size);
      if (core.search_make(made, this.memory) !== FULL) return;
      core.top = top;
    }
  }

  // States for what hits leave; those that were counted are kept.
  makeStates(room) {
    const { core, problem } = this, before = this.states, slots = 3 << Math.ceil(Math.log2(2 * room * problem.symmetries.length + 1));
    const states = { room, slots: core.array("uint64_t", slots), found: core.array("int64_t", room * STATE_NUMBERS) };
    states.slots.items.fill(2n ** 64n - 1n);
    if (before && before.room) {
      states.found.items.set(before.found.items);
      core.rehash(before.slots, states.slots, 2);
    }
    states.given = core.structure("states", { slots: states.slots, found: states.found, size: before ? this.sizeOfStates() : 0, by_ships: problem.isCounted && problem.mode !== HIT ? 1 : 0 });
    this.states = states;
  }

  // `size` of seabattle_states, behind two arrays.
  sizeOfStates() { return Number(new BigInt64Array(this.core.memory.buffer, this.states.given.address + 16, 1)[0]); }

  emptyTable(slots) {
    const { core, problem } = this, table = core.array_of("uint64_t", slots * (1 + problem.keyWords));
    new Uint8Array(core.memory.buffer, table.address, 8 * table.length).fill(255);
    this.counters = { capacity: Math.floor((slots * 3) / 4) };
    this.slots = slots;
    return table;
  }

  makeTable(slots) { this.table = this.emptyTable(slots); }

  // Twice as large; what lies at the end of the memory moves down, so that nothing is wasted.
  enlarge() {
    const { core, table } = this, bytes = 16 * table.length, last = core.top === table.address + 8 * table.length;
    if (bytes > MOST_TABLE) throw new NoMoreRoom();
    const larger = this.emptyTable(2 * this.slots);
    core.rehash(table, larger, this.problem.keyWords);
    if (last) {
      new Uint8Array(core.memory.buffer).copyWithin(table.address, larger.address, larger.address + bytes);
      larger.address = table.address;
      core.top = table.address + bytes;
    }
    this.table = larger;
  }

  get counters() {
    const [states, nodes, capacity, allowance, status, shot, worst] = Array.from(this.counted.items, Number);
    return { states, nodes, capacity, allowance, status, shot, worst };
  }

  set counters(values) {
    const { items } = this.counted;
    ["states", "nodes", "capacity", "allowance", "status", "shot", "worst"].forEach((name, i) => { if (name in values) items[i] = BigInt(values[name]); });
  }

  question({ goal = TOTAL, limit = null, budget = INFEASIBLE, cell = -1, every = false, hit = this.problem.hit }) {
    const { core, problem, splitRows } = this;
    return core.structure("question", {
      goal, miss_limit: limitOf(goal, limit), budget, every_shot: every ? 1 : 0, cell: cell < 0 ? -1 : problem.cellOf.get(cell), split_rows: splitRows,
      hit: core.array("uint64_t", problem.wordsOf([problem.mode === HIT ? 0n : problem.mask(hit)])), table: this.table, busy: null, stop: this.stop, states: this.states.given,
    });
  }

  // One slice of so many steps: what `run` returns, or STOPPED.
  slice(run, steps) {
    const rows = Math.ceil(steps / this.stepsOfRow);
    this.counters = { allowance: rows, status: 0 };
    const value = this.core.scope(run);
    this.spent += (rows - Math.max(0, this.counters.allowance)) * this.stepsOfRow;
    return value;
  }

  // Runs slices to an answer; null once so many steps were taken.
  *run(once, most = Infinity) {
    const least = Math.min(most, 16 * this.problem.size * this.stepsOfRow), until = this.spent + most;
    for (;;) {
      const value = this.slice(once, Math.max(least, Math.min(SLICE, until - this.spent)));
      if (value !== STOPPED) return value;
      const { status } = this.counters;
      if (status === FULL_TABLE) this.enlarge();
      else if (status === FULL_PARTS) {
        this.parts *= 4;
        this.makeMemory();
      } else if (this.spent >= until) return null;
      yield;
    }
  }

  // Counts what hits leave, where bounds use it.
  *prepare() {
    const ask = (scratch) => this.core.search_count_states(this.memory, this.core.array("int32_t", this.all), this.question({}), this.counted, this.core.memory_of(scratch));
    for (let scratch = 1 << 16; this.counting;) {
      const value = this.slice(() => ask(scratch), SLICE);
      if (value >= 0) this.counting = false;
      else if (value === FULL) scratch *= 2;
      else if (this.counters.status === 4) {
        if (this.states.room >= MOST_STATES) this.counting = false;
        else this.makeStates(Math.max(FIRST_STATES, 2 * this.states.room));
      } else if (this.counters.status === FULL_PARTS) {
        this.parts *= 4;
        this.makeMemory();
      }
      yield;
    }
  }

  // {misses, worst, exact} of some rows, all by default; `asked` as `question` takes it, and `most`, the
  // steps that it may take. Exact below the budget, else a lower bound. Null if it takes more.
  *ask({ rows = this.all, most, ...asked } = {}) {
    if (this.counting && asked.goal !== LOST) yield* this.prepare();
    const misses = yield* this.run(() => {
      const { core } = this;
      return core.search_ask(this.memory, core.array("int32_t", rows), this.question(asked), this.counted, this.best);
    }, most);
    if (misses === null) return null;
    const { budget = INFEASIBLE } = asked;
    return { misses, worst: this.counters.worst, exact: misses < budget };
  }

  // All best shots of what was asked last with `every`, as cells of the board.
  get bestShots() {
    const [low, high] = this.best.items;
    return this.problem.boardMask(this.problem.words === 1 ? low : low | (high << 64n));
  }
}
