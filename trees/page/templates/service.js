// Questions to the service that the page was loaded from.

// What the service refuses: its sentence, and the conflict of answers that contradict each other.
class Refusal extends Error {
  constructor(status, document) {
    super(document.error || `The program answered with status ${status}.`);
    this.status = status;
    this.conflict = document.conflict || null;
  }
}

const GONE = "The program that serves this page does not answer. Is it still running?";

// A JSON document whose whole numbers are exact: those above 2^53 become BigInts, which are printed
// as numbers are.
function exactJson(text) {
  const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  const marked = text.replace(token, (found) =>
    /^-?\d{16,}$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"\\u0000${found}"` : found);
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && /^\0-?\d+$/.test(value) ? BigInt(value.slice(1)) : value);
}

// The document of an answer; an empty one where it is none, as when something between answers.
function readDocument(text) {
  try {
    return exactJson(text);
  } catch {
    return {};
  }
}

// Asks the service; throws a Refusal, or an AbortError when `signal` gave the question up.
async function ask(path, { body, method = body === undefined ? "GET" : "POST", signal } = {}) {
  for (let tries = 0; ; tries++) {
    let response;
    try {
      response = await fetch(path, {
        method,
        signal,
        headers: body === undefined ? {} : { "Content-Type": "application/json" },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, { error: GONE });
    }
    const busy = response.status === 503 && tries < 5;
    if (busy) {
      await pause(1000 * (Number(response.headers.get("Retry-After")) || 1), signal);
      continue;
    }
    const picture = (response.headers.get("Content-Type") || "").startsWith("image/");
    let text;
    try {
      text = await response.text();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, { error: GONE });
    }
    if (picture && response.ok) return text;
    const document = readDocument(text);
    if (!response.ok) throw new Refusal(response.status, document);
    return document;
  }
}

function pause(milliseconds, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, milliseconds);
    if (signal) signal.addEventListener("abort", () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
  });
}

// The newest question only: each one gives up the one before it. `keep` is how many answers are
// kept in case the same is asked again.
class Latest {
  constructor({ keep = 0 } = {}) {
    this.asking = null;
    this.keep = keep;
    this.kept = new Map();
  }

  async ask(path, body) {
    this.drop();
    const key = this.keep ? path + JSON.stringify(body) : "";
    if (this.kept.has(key)) return this.kept.get(key);
    const found = await this.asked(path, body);
    if (this.keep) this.kept.set(key, found);
    if (this.kept.size > this.keep) this.kept.delete(this.kept.keys().next().value);
    return found;
  }

  async asked(path, body) {
    const asking = new AbortController();
    this.asking = asking;
    try {
      return await ask(path, { body, signal: asking.signal });
    } finally {
      if (this.asking === asking) this.asking = null;
    }
  }

  drop() {
    if (this.asking) this.asking.abort(new DOMException("another question came", "AbortError"));
    this.asking = null;
  }
}
