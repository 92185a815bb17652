// The core in the page: the WebAssembly that is compiled from the same source as Python's library.
//
// Its functions are declared in seabattle.h, whose text comes with it: an integer is a number or a
// BigInt, an array is a pointer and its size. Memory is taken here, one block after the other, and
// given back as a whole: `core.scope` runs a function and gives back what it took.

const TYPES = {
  int8_t: Int8Array, uint8_t: Uint8Array, int16_t: Int16Array, uint16_t: Uint16Array,
  int32_t: Int32Array, uint32_t: Uint32Array, int64_t: BigInt64Array, uint64_t: BigUint64Array,
  double: Float64Array, size_t: Uint32Array,
};
const ALIGNED = 64, PAGE = 65536;

export const FULL = -1;
export const STOPPED = -2;

function parameters(text) {
  return text.split(/[,;]/).map((part) => part.trim()).filter((part) => part && part !== "void").map((part) => {
    const [, kind, pointer, name] = /^(?:const )?(\w+) ?(\*)? ?(\w+)$/.exec(part.replace(/\s+/g, " "));
    return { kind, name, pointer: Boolean(pointer), array: Boolean(pointer) && kind in TYPES };
  });
}

// An array in the memory of the core; `items` sees it, anew after the memory has grown.
class CoreArray {
  constructor(core, Type, address, length) { Object.assign(this, { core, Type, address, length }); }

  get items() { return new this.Type(this.core.memory.buffer, this.address, this.length); }

  set(values) {
    this.items.set(values);
    return this;
  }
}

export class Core {
  // bytes: of the WebAssembly; header: the text of seabattle.h
  constructor(bytes, header) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
    const text = header.replace(/\/\*[\s\S]*?\*\//g, " ");
    this.memory = exports.memory;
    this.top = exports.__heap_base.value;
    this.kinds = new Map([...text.matchAll(/typedef struct \{([^}]*)\} (seabattle_\w+);/g)].map(([, fields, name]) => [name, parameters(fields)]));
    for (const [, result, name, given] of text.matchAll(/SEABATTLE_API\s+(\w+)\s+seabattle_(\w+)\(([^)]*)\);/g)) {
      const declared = parameters(given), run = exports[`seabattle_${name}`];
      if (run) this[name] = (...values) => this.call(name, run, declared, result, values);
    }
  }

  call(name, run, declared, result, values) {
    const found = Number(run(...this.flat(declared, values).map(({ kind, pointer }, i, all) => {
      const value = all[i].value;
      return !pointer && /^u?int64_t$/.test(kind) ? BigInt(value) : value;
    })));
    if (found === -3 && result !== "double") throw new Error(`${name}: the core was given arrays that do not go together`);
    return found;
  }

  // Every parameter with its value; an array stands for its address and its size, null for none.
  flat(declared, values) {
    const found = [];
    let next = 0;
    for (const parameter of declared) {
      const before = found.at(-1);
      if (before && before.array) {
        found.push({ ...parameter, value: before.given ? before.given.length : 0 });
        continue;
      }
      const given = values[next++];
      if (given === undefined) throw new Error(`the core was not given ${parameter.name}`);
      found.push({ ...parameter, given, value: parameter.pointer ? (given ? given.address : 0) : given });
    }
    return found;
  }

  // `length` items of a type of the interface, all 0, or copies of what is given.
  array(kind, given) {
    const made = this.array_of(kind, typeof given === "number" ? given : given.length), { Type } = made;
    if (typeof given === "number") made.items.fill(Type === BigInt64Array || Type === BigUint64Array ? 0n : 0);
    else made.set(given);
    return made;
  }

  // `length` items, whatever they hold.
  array_of(kind, length) {
    const Type = TYPES[kind];
    return new CoreArray(this, Type, this.take(length * Type.BYTES_PER_ELEMENT), length);
  }

  // A structure of the interface from its fields; arrays are given as such.
  structure(name, fields) {
    const declared = this.kinds.get(`seabattle_${name}`), given = declared.filter((_, i) => i === 0 || !declared[i - 1].array);
    const all = this.flat(declared, given.map((field) => fields[field.name]));
    let size = 0;
    const places = all.map(({ kind, pointer }) => {
      const bytes = pointer ? 4 : TYPES[kind].BYTES_PER_ELEMENT, at = Math.ceil(size / bytes) * bytes;
      size = at + bytes;
      return at;
    });
    const address = this.take(Math.ceil(size / 8) * 8);
    all.forEach(({ kind, pointer, value }, i) => {
      const Type = pointer ? Uint32Array : TYPES[kind], view = new Type(this.memory.buffer, address + places[i], 1);
      view[0] = view instanceof BigInt64Array || view instanceof BigUint64Array ? BigInt(value) : value;
    });
    return { address, length: 1 };
  }

  // Memory with whatever it holds.
  memory_of(bytes) { return this.array_of("uint8_t", bytes); }

  take(bytes) {
    const address = Math.ceil(this.top / ALIGNED) * ALIGNED, pages = Math.ceil((address + bytes) / PAGE);
    const have = this.memory.buffer.byteLength / PAGE;
    if (pages > have) this.memory.grow(pages - have);
    this.top = address + bytes;
    return address;
  }

  // What a function returns; the memory that it took is given back.
  scope(run) {
    const { top } = this;
    try {
      return run();
    } finally {
      this.top = top;
    }
  }
}

const loaded = { core: null };

// The one core of the page; `loadCore` makes it of the bytes of its WebAssembly and of seabattle.h.
export function theCore() { return loaded.core; }

export function loadCore(bytes, header) { loaded.core = new Core(bytes, header); }
