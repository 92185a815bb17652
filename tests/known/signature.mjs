// Asks the core, compiled to WebAssembly, the questions of a file, and prints what it answers.
//
// node signature.mjs core.wasm questions.json. A question has an array for each structure, its fields
// in order: a number, an array with its items, which goes into memory, or how many equal ones there are.
import { readFileSync } from "node:fs";

const [wasm, questions] = process.argv.slice(2);
const { exports: core } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasm)));
let top = Number(core.__heap_base?.value ?? core.memory.buffer.byteLength);

/** So many bytes of memory, which begin at a multiple of 64. */
function take(bytes) {
  const place = Math.ceil(top / 64) * 64;
  top = place + bytes;
  const missing = top - core.memory.buffer.byteLength;
  if (missing > 0) core.memory.grow(Math.ceil(missing / 65536));
  return place;
}

const writers = {
  u64: [8, (view, at, x) => view.setBigUint64(at, BigInt(x), true)],
  i64: [8, (view, at, x) => view.setBigInt64(at, BigInt(x), true)],
  i32: [4, (view, at, x) => view.setInt32(at, Number(x), true)],
};

/** Write an array into memory, or one of equal items; returns where it is. */
function put({ type, items, fill }) {
  const [size, write] = writers[type];
  if (fill !== undefined) {
    const place = take(size * items);
    new BigInt64Array(core.memory.buffer, place, items).fill(BigInt(fill));
    return place;
  }
  const place = take(size * items.length);
  const view = new DataView(core.memory.buffer);
  items.forEach((item, i) => write(view, place + i * size, item));
  return place;
}

/** Write a structure into memory, of numbers, arrays and addresses. */
function structure(fields) {
  const placed = fields.map((field) =>
    field.items !== undefined ? [field, put(field)] : [field, field.value],
  );
  const values = placed.flatMap(([field, value]) =>
    field.items !== undefined ? [["i32", value], ["i32", field.items.length ?? field.items]] : [[field.type, value]],
  );
  let size = 0;
  const places = values.map(([type]) => {
    const bytes = writers[type][0];
    const at = Math.ceil(size / bytes) * bytes;
    size = at + bytes;
    return at;
  });
  const place = take(Math.ceil(size / 8) * 8);
  const view = new DataView(core.memory.buffer);
  values.forEach(([type, value], i) => writers[type][1](view, place + places[i], value));
  return place;
}

for (const asked of JSON.parse(readFileSync(questions, "utf8"))) {
  top = Number(core.__heap_base?.value ?? top);
  const game = structure(asked.game);
  const states = { type: "i32", value: structure(asked.states) };
  const question = structure(asked.question.map((field) => (field === "states" ? states : field)));
  const counters = structure(asked.counters);
  const rows = put(asked.rows);
  const best = take(16);
  const scratch = take(asked.memory);
  const memory = take(asked.memory);
  if (core.seabattle_search_make(game, memory, asked.memory) < 0n) throw new Error("no memory");
  const ask = [memory, asked.memory, rows, asked.rows.items.length, question, counters];
  const counted = asked.counts
    ? core.seabattle_search_count_states(...ask, scratch, asked.memory)
    : 0n;
  if (counted < 0n) throw new Error(`states are not counted: ${counted}`);
  const misses = core.seabattle_search_ask(...ask, best, 2);
  const view = new DataView(core.memory.buffer);
  const [keys, nodes] = [0, 8].map((at) => view.getBigInt64(counters + at, true));
  console.log(JSON.stringify([misses, keys, nodes].map(Number)));
}
