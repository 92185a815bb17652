// The worker: questions come as {id, kind, body}, {drop: id} to give one up, or {stop: id} to have what
// is known by then; answers go back as {id, found} or {id, text, parts, conflict}, and what is being
// done as {id, said}.

import { loadCore } from "./core.js";
import { CORE, HEADER } from "./data.js";
import { answer } from "./desk.js";

const SLICE = 12; // milliseconds of work between two looks at what has come
const BETWEEN = 60; // milliseconds at least between two words of what is being done
const waiting = [];
let working = null;

// The core is in the page, packed.
async function unpack() {
  const packed = Uint8Array.from(atob(CORE), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  loadCore(new Uint8Array(await new Response(stream).arrayBuffer()), HEADER);
}

const unpacked = unpack();

// A turn of the event loop, without the delay of a timer.
const turns = new MessageChannel(), resting = [];
turns.port1.onmessage = () => resting.shift()();
const turn = () => new Promise((done) => { resting.push(done); turns.port2.postMessage(0); });

// Tells what is being done, not more often than can be seen; what was found on the way at once.
function teller(id) {
  let last = 0;
  return (said) => {
    const now = Date.now();
    if (!said.solved && !said.values && now - last < BETWEEN) return;
    last = now;
    self.postMessage({ id, said });
  };
}

async function work() {
  working = {};
  await unpacked;
  while (waiting.length) {
    working = waiting.shift();
    const { id, kind } = working, counts = kind === "advise" || kind === "count", tell = teller(id), going = answer(working, tell, working);
    try {
      let step = { done: false }, from = Date.now();
      while (!step.done && !working.dropped) {
        step = going.next();
        if (counts && !step.done && typeof step.value === "number") tell({ share: step.value });
        if (Date.now() - from > SLICE) {
          await turn();
          from = Date.now();
        }
      }
      if (step.done) self.postMessage({ id, ...step.value });
      else going.return(); // what it took is given back
    } catch (error) {
      self.postMessage({ id, text: "an error of this page: {why}", parts: { why: error.message } });
    }
    working = null;
  }
}

self.onmessage = ({ data }) => {
  if (data.drop !== undefined) {
    const at = waiting.findIndex(({ id }) => id === data.drop);
    if (at >= 0) waiting.splice(at, 1);
    else if (working && working.id === data.drop) working.dropped = true;
    return;
  }
  if (data.stop !== undefined) {
    if (working && working.id === data.stop) working.stopped = true;
    return;
  }
  waiting.push(data);
  if (!working) work();
};
