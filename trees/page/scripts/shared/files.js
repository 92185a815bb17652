// What is kept of a game: its file, its address, its picture, and its print.

import { pictureText } from "../advise/picture.js";
import { byId, el } from "./elements.js";
import { POSITION_FORMAT } from "./games.js";
import { renamed } from "./grid.js";
import { Refusal, ask } from "./questions.js";
import { RULES, nameOfRules, rulesOnly, unusual } from "./record.js";
import { LETTERS, t } from "./words.js";

const MOST_BYTES = 64 * 1024;

// The position file of a state and of how it is asked, as the command line writes and reads it.
function positionText(state, asked) {
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
async function readPasted(text, rules) {
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
export async function pixelsOf(picture, times = 2) {
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

// Copies the address of the page, or shows it to be copied.
export async function share(field, said) {
  const input = field.querySelector("input");
  input.value = location.href;
  field.hidden = false;
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = t("The address of this game is copied: whoever opens it sees this game.");
  } catch {
    input.focus();
    input.select();
    said.textContent = t("Copy this address: whoever opens it sees this game.");
  }
}

// The panel with the buttons; `tab` gives its state, its question's options, and takes a state.
export class KeepPanel {
  constructor(tab) {
    this.tab = tab;
    const on = (name, does) => byId(`advise-${name}`).addEventListener("click", does);
    on("save", () => download(positionText(tab.state, tab.asked), `${fileName(tab.state)}.json`, "application/json"));
    on("load", () => byId("advise-file").click());
    byId("advise-file").addEventListener("change", () => this.load());
    on("share", () => { tab.page.writeAddress(); share(byId("advise-address"), byId("advise-kept")); });
    on("take", () => this.paste(byId("advise-paste").querySelector("textarea").value));
    document.addEventListener("paste", (event) => {
      if (tab.page.tab !== tab || event.target.closest("input, textarea")) return;
      this.paste(event.clipboardData.getData("text"));
      event.preventDefault();
    });
    on("svg", () => this.picture("svg"));
    on("png", () => this.picture("png"));
    on("print", () => window.print());
    // On paper every theme is light.
    const root = document.documentElement;
    window.addEventListener("beforeprint", () => { this.theme = root.dataset.theme; root.dataset.theme = "light"; });
    window.addEventListener("afterprint", () => {
      if (this.theme) root.dataset.theme = this.theme;
      else delete root.dataset.theme;
    });
  }

  say(text) { byId("advise-kept").textContent = text; }

  async load() {
    const input = byId("advise-file"), [file] = input.files;
    input.value = ""; // so that the same file can be chosen again
    if (!file) return;
    try {
      const { state, asked } = await readPositionFile(file);
      this.tab.take(state, t("{name} is loaded. Undo brings back what was here.", { name: file.name }), asked);
      this.say("");
    } catch (error) {
      this.say(error.message);
    }
  }

  async paste(text) {
    this.say("");
    if (!text.trim()) {
      this.say(t("There is no text to take."));
      return;
    }
    try {
      const { state, asked } = await readPasted(text, this.tab.state);
      this.tab.take(state, t("The text is taken over. Undo brings back what was here."), asked);
      byId("advise-paste").open = false;
      this.say("");
    } catch (error) {
      this.tab.news = "";
      byId("advise-news").textContent = "";
      this.say(error.message);
    }
  }

  async picture(kind) {
    this.say(t("Drawing …"));
    try {
      const picture = pictureText(this.tab);
      const name = `${fileName(this.tab.state)}.${kind}`;
      if (kind === "svg") download(picture, name, "image/svg+xml");
      else download(await pixelsOf(picture), name, "image/png");
      this.say("");
    } catch (error) {
      this.say(error.message);
    }
  }
}

function fileName(state) {
  return `seabattle-${nameOfRules(state) || state.board}-${state.shots.length}`;
}
