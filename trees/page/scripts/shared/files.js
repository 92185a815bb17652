// What is kept of a game or a tree: its file, its address, its picture, and its print.

import { byId, el } from "./elements.js";
import { POSITION_FORMAT } from "./games.js";
import { renamed } from "./grid.js";
import { Refusal, ask } from "./questions.js";
import { RULES, rulesOnly, unusual } from "./record.js";
import { LETTERS, t } from "./words.js";

const MOST_BYTES = 64 * 1024;

// The position file of a state and of how it is asked, as the command line writes and reads it.
export function positionText(state, asked) {
  const { shots, ...rest } = state;
  const head = JSON.stringify({ format: POSITION_FORMAT, version: 1, ...rest, ...(LETTERS === "latin" ? {} : { letters: LETTERS }), ...(Object.keys(unusual(asked)).length ? { asked: unusual(asked) } : {}) }).slice(0, -1);
  return `${head},"shots":[${shots.map((shot) => `\n${JSON.stringify(shot)}`).join(",")}\n]}\n`;
}

// What a position file holds, the state and how it is asked, checked by the worker; throws an error with one sentence.
export async function readPositionFile(file) {
  const wrong = (why) => new Error(t("{name} is no position file: {why}.", { name: file.name, why }));
  if (file.size > MOST_BYTES) throw wrong(t("it is larger than 64 KiB"));
  let document;
  try {
    document = JSON.parse(await file.text());
  } catch {
    throw wrong(t("it is not JSON"));
  }
  if (!document || document.format !== POSITION_FORMAT) throw wrong(t("its “format” is not “{format}”", { format: POSITION_FORMAT }));
  let found;
  try {
    found = await ask("check", { letters: "latin", ...document });
  } catch (error) {
    if (error instanceof Refusal) throw wrong(error.message.replace(/\.$/, ""));
    throw error;
  }
  return { state: stateOf(found), asked: found.asked };
}

// The state in a document that the worker has checked.
function stateOf(found) {
  const kept = [...RULES, "blocked", "ordered", "ships", "shots"].filter((name) => name in found);
  return renamed(Object.fromEntries(kept.map((name) => [name, found[name]])), found.letters || "latin", LETTERS);
}

// What a pasted text holds, in the rules of the game that is shown; only a file says how it is asked.
export async function readPasted(text, rules) {
  if (text.length > MOST_BYTES) throw new Error(t("it is larger than 64 KiB"));
  return text.trim().startsWith("{") ? readPositionFile(new File([text], t("The text"))) : { state: stateOf(await ask("read", { ...rulesOnly(rules), text })) };
}

export function download(content, name, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

// A picture as pixels.
async function pixelsOf(picture, times = 2) {
  const address = URL.createObjectURL(new Blob([picture], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = el("canvas", { width: image.naturalWidth * times, height: image.naturalHeight * times });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => { canvas.toBlob(done, "image/png"); });
  } finally {
    URL.revokeObjectURL(address);
  }
}

// The buttons of a tab that keep what it shows, their ids beginning with its name: its picture as SVG or
// as pixels, its address, and its print.
export class Keep {
  // fileName(): without its ending; picture(): the text of an SVG
  constructor(tab, { name, fileName, picture }) {
    Object.assign(this, { tab, name, fileName, picture });
    this.on("svg", () => this.draw("svg"));
    this.on("png", () => this.draw("png"));
    this.on("share", () => this.share());
    this.on("print", () => window.print());
  }

  on(id, does) { byId(`${this.name}-${id}`).addEventListener("click", does); }

  say(text) { byId(`${this.name}-kept`).textContent = text; }

  async draw(kind) {
    this.say(t("Drawing …"));
    try {
      const picture = this.picture(), file = `${this.fileName()}.${kind}`;
      if (kind === "svg") download(picture, file, "image/svg+xml");
      else download(await pixelsOf(picture), file, "image/png");
      this.say("");
    } catch (error) {
      this.say(error.message);
    }
  }

  // Copies the address of the page, or shows it to be copied.
  async share() {
    const field = byId(`${this.name}-address`), input = field.querySelector("input");
    this.tab.page.writeAddress();
    input.value = location.href;
    field.hidden = false;
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(t("The address of this game is copied: whoever opens it sees this game."));
    } catch {
      input.focus();
      input.select();
      this.say(t("Copy this address: whoever opens it sees this game."));
    }
  }
}

// On paper every theme is light.
export function printLight() {
  const { dataset } = document.documentElement;
  let { theme } = dataset;
  window.addEventListener("beforeprint", () => { ({ theme } = dataset); dataset.theme = "light"; });
  window.addEventListener("afterprint", () => {
    if (theme) dataset.theme = theme;
    else delete dataset.theme;
  });
}
