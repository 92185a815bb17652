// Questions to the page's own worker, which counts and plays; it starts from a text in the page.

import { byId } from "./elements.js";
import { LETTERS, t } from "./words.js";

// What is refused: a text with its parts, and the conflict of answers that contradict each other.
export class Refusal extends Error {
  constructor({ text, parts, conflict = null }) {
    super(sentence(t(text, parts)));
    this.conflict = conflict;
  }
}

// Each desk has a worker of its own.
export function makeDesk() {
  let worker = null, last = 0;
  const asked = new Map();

  function start() {
    const source = new Blob([byId("engine").textContent], { type: "text/javascript" });
    worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data: { id, said, found, text, parts, conflict } }) => {
      const question = asked.get(id);
      if (!question) return;
      if (said) { question.say(said); return; }
      asked.delete(id);
      if (text) question.fail(new Refusal({ text, parts, conflict }));
      else question.done(found);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      worker = null;
      for (const { fail } of asked.values()) fail(new Refusal({ text: "This browser could not count that." }));
      asked.clear();
    };
  }

  return {
    // The answer to a question; `signal` gives it up, `stop` has it answered with what is known, `say` is
    // told how far it is.
    ask(kind, body, { signal, stop, say = () => {} } = {}) {
      if (!worker) start();
      const id = ++last;
      return new Promise((done, fail) => {
        if (signal && signal.aborted) { fail(signal.reason); return; }
        asked.set(id, { done, fail, say });
        worker.postMessage({ id, kind, body: { letters: LETTERS, ...body } });
        if (signal) signal.addEventListener("abort", () => {
          if (asked.delete(id) && worker) worker.postMessage({ drop: id });
          fail(signal.reason);
        }, { once: true });
        if (stop) stop.addEventListener("abort", () => { if (worker) worker.postMessage({ stop: id }); }, { once: true });
      });
    },
  };
}

export const ask = makeDesk().ask;

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
}

// The newest question only: each one gives up the one before it. `keep` is how many answers are
// kept in case the same is asked again.
export class Latest {
  constructor({ keep = 0 } = {}) {
    this.asking = null;
    this.keep = keep;
    this.kept = new Map();
  }

  async ask(kind, body, { say } = {}) {
    this.drop();
    const key = this.keep ? kind + JSON.stringify(body) : "";
    if (this.kept.has(key)) return this.kept.get(key);
    const asking = new AbortController();
    this.asking = asking;
    let found;
    try {
      found = await ask(kind, body, { signal: asking.signal, say });
    } finally {
      if (this.asking === asking) this.asking = null;
    }
    if (this.keep) this.kept.set(key, found);
    if (this.kept.size > this.keep) this.kept.delete(this.kept.keys().next().value);
    return found;
  }

  drop() {
    if (this.asking) this.asking.abort(new DOMException("another question came", "AbortError"));
    this.asking = null;
  }
}
