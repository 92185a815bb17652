// Chances that are asked for while a game is played.

import { Latest } from "../shared/questions.js";
import { rulesOnly } from "../shared/record.js";

// The map after some shots: asked for once, the newest only.
export class MapAsked {
  constructor(path, options = {}) {
    this.path = path;
    this.options = options;
    this.latest = new Latest();
    this.key = null;
    this.found = null;
    this.error = "";
  }

  drop() {
    this.latest.drop();
    this.key = null;
    this.found = null;
    this.error = "";
  }

  // The map after these shots, or null until it is there; then `onFound` is called.
  after(rules, shots, onFound) {
    const key = shots.length;
    if (this.key === key) return this.found;
    this.drop();
    this.key = key;
    this.latest.ask(this.path, { ...rulesOnly(rules), shots, options: this.options }).then((found) => {
      this.found = found;
    }, (error) => {
      if (error.name !== "AbortError") this.error = error.message;
    }).then(() => { if (this.key === key) onFound(); });
    return null;
  }
}
