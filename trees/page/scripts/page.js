// The page: four tabs, what stands above them, and its address, "#TAB/" and what the tab keeps.
// What the other tabs keep is remembered as long as the window is open, so that it outlasts a reload.
//
// A tab has `show()` (draw everything anew), `rules` (for the line under the title), `address` and
// `read(address)`, which takes over what the address says and neither shows nor asks anything, and
// `key(event)`, true where it took the key.

import { AdviseTab } from "./advise/tab.js";
import { MatchTab } from "./match/tab.js";
import { ReviewTab } from "./review/tab.js";
import { byId, el } from "./shared/elements.js";
import { printLight } from "./shared/files.js";
import { Game } from "./shared/game.js";
import { allowed } from "./shared/kept.js";
import { boardParts, framed, pageColours } from "./shared/pictures.js";
import { rulesInWords } from "./shared/record.js";
import { tabList } from "./shared/tabs.js";
import { themeButton } from "./shared/theme.js";
import { languageChoice, t, translate } from "./shared/words.js";
import { SolveTab } from "./solve/tab.js";

class Page {
  constructor() {
    printLight(); // before the tabs draw for paper
    this.tabs = { advise: new AdviseTab(this), match: new MatchTab(this), review: new ReviewTab(this), solve: new SolveTab(this) };
    this.name = "advise";
    themeButton(byId("theme"), () => { this.show(); drawHow(); });
    languageChoice(byId("language"));
    this.showTab = tabList(Object.keys(this.tabs), (name) => this.turnTo(name));
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      if (this.tab.key(event)) event.preventDefault();
    });
    window.addEventListener("popstate", ({ state }) => this.goBack(state));
    this.readAddress();
    if (location.hash) this.remember();
    this.show(); // which writes the address: all of it was read by now
  }

  get tab() { return this.tabs[this.name]; }

  turnTo(name) {
    if (name !== this.name && !this.unread) this.push();
    this.name = name;
    this.show();
  }

  // The way back: to the tab that was shown before, with what it holds now.
  push() {
    allowed(() => history.pushState({ tab: this.name }, "", location.hash));
  }

  // Back, forward, or another address typed.
  goBack(state) {
    if (location.hash === this.hash) return;
    if (state && Object.hasOwn(this.tabs, state.tab)) this.name = state.tab;
    else this.readAddress();
    this.show();
  }

  // Another tab with a game of this one: `turnTo` and what the tab is to do with it.
  hand(name, does) {
    does(this.tabs[name]);
    this.turnTo(name);
    byId(`tab-${name}`).focus();
  }

  say(text) { byId("live").textContent = text; }

  show() {
    this.showTab(this.name);
    this.showRules();
    this.tab.show();
    this.writeAddress();
  }

  // What the page is for stands above until it is used.
  showRules() {
    byId("about").hidden = this.name !== "advise" || this.tab.state.shots.length > 0;
    const parts = rulesInWords(this.tab.rules);
    byId("game").replaceChildren(...parts.flatMap((part, i) => [el("span", {}, i < parts.length - 1 ? `${part} ·` : part), " "]));
  }

  // An address that could not be read is left as it is until a game is played in its place.
  writeAddress() {
    if (this.unread) {
      if (!this.tab.state || !this.tab.state.shots.length) return;
      this.unread = false;
    }
    this.hash = `#${this.name}/${this.tab.address}`;
    allowed(() => history.replaceState({ tab: this.name }, "", this.hash));
    allowed(() => sessionStorage.setItem(`seabattle ${this.name}`, this.tab.address));
    this.hash = location.hash;
  }

  // What the tabs that are not in the address kept before a reload.
  remember() {
    for (const [name, tab] of Object.entries(this.tabs)) {
      const kept = allowed(() => sessionStorage.getItem(`seabattle ${name}`));
      if (kept && !location.hash.startsWith(`#${name}/`)) tab.read(kept);
    }
  }

  readAddress() {
    const [, name, address] = /^#(\w+)\/(.*)$/s.exec(location.hash) || [];
    this.unread = location.hash.length > 1 && !Object.hasOwn(this.tabs, name);
    if (this.unread || !name) return;
    this.name = name;
    this.unread = this.tab.read(address) === false;
  }
}

// From a server that browsers trust, the page can be installed and used without a net; the files that
// it needs for that (trees/page/offline) lie beside it, or else it does without.
if (isSecureContext && location.protocol.startsWith("http")) {
  document.head.append(el("link", { rel: "manifest", href: "seabattle.webmanifest" }));
  navigator.serviceWorker.register("offline.js").catch(() => {});
}

// Three small boards that say how the page is used.
function drawHow() {
  const game = new Game({ rows: 4, columns: 4, fleet: [3, 2, 1], contact: "none", placements: [] }), colours = pageColours();
  const board = (marks) => framed({ width: 92, height: 92, parts: boardParts(game, 2, 2, 22, (cell) => ({ mark: marks[cell] }), colours) }, t("A board"));
  byId("how-shoot").replaceChildren(board({ 5: "shot" }));
  byId("how-answer").replaceChildren(board({ 5: "hit", 0: "miss" }));
  byId("how-next").replaceChildren(board({ 5: "hit", 0: "miss", 6: "shot", 9: "shot" }));
}

try {
  translate(document.body);
  drawHow();
  new Page();
} catch (error) {
  byId("failure").textContent = t("This page is damaged or the browser is too old for it: {why}", { why: error.message });
  byId("failure").hidden = false;
  throw error;
}
