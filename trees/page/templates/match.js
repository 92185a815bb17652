// A game against the program: first the fleet and the terms, then the game.

const STRONGEST = "greedy-map"; // plays every game, and well
const HIDING_TITLES = { random: "At random", people: "As people do", equilibrium: "By the equilibrium" };
const DRAW_TITLES = { random: "Draw at random", people: "Draw as people hide", equilibrium: "Draw by the equilibrium" };

// "greedy-map@people" as a title.
function titled(name) {
  const words = name.replace("@people", " that knows how people hide").replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}

class MatchTab {
  constructor(page) {
    this.page = page;
    this.game = null;
    this.terms = { players: [], hiding: [] };
    this.asked = null;
    this.notice = new Notice(byId("match-notice"));
    this.chooser = new Chooser(byId("match-chooser"), (rules) => this.begin(rules));
    this.drawing = new Latest();
    byId("match-turn-ship").addEventListener("click", () => this.hiding.turn());
    byId("match-clear").addEventListener("click", () => this.hiding.clear());
    byId("match-start").addEventListener("click", () => this.start());
    for (const id of ["match-player", "match-hide"]) byId(id).addEventListener("change", () => this.showTerms());
    this.setRules(NAMED.russian);
  }

  get rules() { return this.game ? this.game.state : this.setup; }

  // ------------------------------------------------------------------ the setting up

  setRules(rules) {
    this.setup = rulesOnly(rules);
    this.chooser.set(this.setup);
    this.drawing.drop();
    this.hiding = new Hiding(this.setup, {
      board: byId("match-hiding"), tray: byId("match-tray"), verdict: byId("match-verdict"), onChange: () => this.showReady(),
    });
    byId("match-again").checked = nameOfRules(this.setup) !== "hasbro";
    this.terms = { players: [], hiding: [] };
    this.asked = null;
    this.hiding.show();
  }

  begin(rules) {
    this.notice.hide();
    this.setRules(rules);
    this.page.show();
  }

  // Who can play this game, and how its fleet can be hidden.
  async askTerms() {
    const rules = this.setup;
    if (this.asked === rules) return;
    this.asked = rules;
    try {
      const terms = await ask(`/api/players?${new URLSearchParams(rules)}`);
      if (rules !== this.setup) return;
      this.terms = terms;
      this.fillTerms(terms);
    } catch (error) {
      if (rules !== this.setup) return;
      this.asked = null;
      if (error.status === 0 || error.status === 503) this.notice.show(error.message, () => this.askTerms());
      else {
        this.chooser.element.open = true;
        this.chooser.complain(error.message);
      }
    }
    this.showTerms();
    this.showReady();
  }

  fillTerms({ players, hiding }) {
    const option = (name, text, chosen) => el("option", { value: name, selected: name === chosen }, text);
    const kinds = [["Shoot at once", true], ["Take a second or more for a shot", false]];
    const groups = kinds.map(([label, quick]) => [label, players.filter((player) => player.quick === quick)]).filter(([, some]) => some.length);
    byId("match-player").replaceChildren(...groups.map(([label, some]) => el("optgroup", { label }, ...some.map(({ name }) => option(name, titled(name), STRONGEST)))));
    byId("match-hide").replaceChildren(...hiding.map(({ name }) => option(name, HIDING_TITLES[name] || titled(name), "random")));
    byId("match-draw").replaceChildren(...hiding.map(({ name, summary }) => el("button", {
      type: "button", "data-draw": name, title: summary, onclick: () => this.draw(name),
    }, DRAW_TITLES[name] || titled(name))));
  }

  showTerms() {
    const about = (list, id) => (list.find(({ name }) => name === byId(id).value) || { summary: "" }).summary;
    byId("match-about-player").textContent = about(this.terms.players, "match-player");
    byId("match-about-hide").textContent = about(this.terms.hiding, "match-hide");
  }

  showReady() {
    const { hiding } = this;
    const short = hiding.ships.filter((cells) => !cells).length;
    const known = this.terms.players.length > 0;
    byId("match-start").disabled = !known || short > 0;
    byId("match-turn-ship").disabled = hiding.complete;
    byId("match-clear").disabled = hiding.ships.every((cells) => !cells);
    byId("match-ready").textContent = short ? `${counted(short, "ship")} still to place.` : known ? "Your fleet is hidden." : "";
  }

  async draw(how) {
    this.notice.hide();
    byId("match-verdict").textContent = "Drawing a fleet …";
    byId("match-verdict").dataset.state = "unfinished";
    try {
      const { ships } = await this.drawing.ask("/api/layout", { ...this.setup, options: { hide: how } });
      this.hiding.take(ships);
      this.page.say(byId("match-verdict").textContent);
    } catch (error) {
      if (error.name === "AbortError") return;
      this.hiding.show();
      this.notice.show(error.message, () => this.draw(how));
    }
  }

  async start() {
    this.notice.hide();
    byId("match-start").disabled = true;
    const options = {
      ships: this.hiding.names, player: byId("match-player").value, hide: byId("match-hide").value,
      first: byId("match-first").value, again: byId("match-again").checked,
    };
    try {
      this.enter(new MatchGame(this, await ask("/api/games", { body: { ...this.setup, options } })));
    } catch (error) {
      this.notice.show(error.message, () => this.start());
    }
    this.showReady();
  }

  // ------------------------------------------------------------------ the game

  enter(game) {
    if (this.game) this.game.leave();
    this.game = game;
    this.page.show();
    game.begin();
  }

  // Back to the setting up, with the fleet as it was.
  again() {
    const { state } = this.game;
    this.game.leave();
    this.game = null;
    this.notice.hide();
    if (!sameRules(state, this.setup)) this.setRules(state);
    if (!this.hiding.complete) this.hiding.take(state.your_ships);
    this.page.show();
    byId("match-start").focus();
  }

  // A game whose id stood in the address.
  async resume(id, helped) {
    this.notice.hide();
    this.wanted = id;
    try {
      const state = await ask(`/api/games/${encodeURIComponent(id)}`);
      if (this.wanted === id) this.enter(new MatchGame(this, state, { helped, resumed: true }));
    } catch (error) {
      if (this.wanted !== id) return;
      if (error.status === 404) this.notice.show("This game is gone: the program that kept it was started anew, or the game was too old. Begin a new one.");
      else this.notice.show(error.message, () => this.resume(id, helped));
    }
  }

  show() {
    const playing = this.game !== null;
    byId("match-setup").hidden = playing;
    byId("match-game").hidden = !playing;
    if (playing) this.game.show();
    else this.askTerms();
  }

  // "ID", or "ID+SHOTS" when so many shots were made with help.
  get address() {
    if (!this.game) return "";
    return this.game.state.id + (this.game.helped ? `+${this.game.helped}` : "");
  }

  read(address) {
    const [, id, helped] = /^([\w-]{0,64})(?:\+(\d{1,4}))?$/.exec(address) || [null, ""];
    if (this.game && this.game.state.id === id) return;
    if (this.game) this.game.leave();
    this.game = null;
    this.wanted = id;
    if (id) this.resume(id, Number(helped) || 0);
    else if (address) this.notice.show("The address of this page holds no game. Begin a new one.");
  }

  key(event) {
    if (this.game || event.key.toLowerCase() !== "r") return false;
    this.hiding.turn();
    this.page.say(byId("match-verdict").textContent);
    return true;
  }
}
