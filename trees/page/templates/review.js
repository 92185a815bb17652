// Looking back at a game, shot by shot.

const SIDES = { yours: { title: "Your shots", who: "You" }, program: { title: "Its shots", who: "The program" } };

class ReviewTab {
  constructor(page) {
    this.page = page;
    this.sides = [];
    this.chosen = 0;
    this.asking = null;
    this.notice = new Notice(byId("review-notice"));
    byId("review-cancel").addEventListener("click", () => this.cancel());
    byId("review-open").addEventListener("click", () => byId("review-file").click());
    byId("review-file").addEventListener("change", (event) => this.open(event.target));
    byId("review-first").addEventListener("click", () => this.stepTo(1));
    byId("review-previous").addEventListener("click", () => this.stepTo(this.side.at - 1));
    byId("review-next").addEventListener("click", () => this.stepTo(this.side.at + 1));
    byId("review-last").addEventListener("click", () => this.stepTo(Infinity));
    byId("review-slider").addEventListener("input", (event) => this.stepTo(Number(event.target.value)));
  }

  get side() { return this.sides[this.chosen]; }

  get rules() { return this.side ? this.side.state : NAMED.russian; }

  // ------------------------------------------------------------------ what is reviewed

  // A game as the advice keeps it: a position document without its format.
  take(state, title = "The shots") {
    this.takeSides([{ name: "shots", title, who: "", state }], 0);
  }

  // Both sides of a game against the program, one of them first.
  takeMatch(match, first) {
    const sides = Object.keys(SIDES).filter((name) => match[name].shots.length);
    this.takeSides(sides.map((name) => ({ ...SIDES[name], name, state: { ...rulesOnly(match), shots: match[name].shots } })), sides.indexOf(first));
  }

  takeSides(sides, chosen) {
    if (this.asking) this.asking.abort();
    this.asking = null;
    this.sides = sides.map((side) => ({ ...side, game: gameOf(side.state), review: null, at: 1, maps: new Map() }));
    this.notice.hide();
    this.choose(chosen);
  }

  choose(chosen) {
    this.chosen = chosen;
    const board = new BoardView(this.side.game, { label: "The board before a shot", tiny: 24, onPick: (cell) => this.pick(cell) });
    this.board = board;
    byId("review-board").replaceChildren(board.element);
    this.run();
  }

  // Reviews the chosen side, then the other one.
  async run() {
    const side = this.side.review || this.side.stopped ? this.sides.find((each) => !each.review && !each.stopped) : this.side;
    if (!side || this.asking) { this.page.show(); return; }
    const asking = new AbortController();
    this.asking = asking;
    this.asked = side;
    this.done = 0;
    const clock = setInterval(() => this.showWait(), 200);
    this.page.show();
    let on = true;
    try {
      const review = await ask("review", side.state, { signal: asking.signal, say: ({ shot, of }) => { this.done = shot / of; } });
      side.review = review;
      side.at = review.mistakes[0] || 1;
      if (side === this.side) this.page.say(`Reviewed. ${side.who || "These shots"} lost ${sum(review).replace("~", "about ")} misses.`);
    } catch (error) {
      on = false;
      side.stopped = true;
      if (error.name !== "AbortError" && this.sides.includes(side)) this.complain(error, side);
    } finally {
      clearInterval(clock);
    }
    if (this.asking !== asking) return;
    this.asking = null;
    if (on) this.run();
    else this.page.show();
  }

  complain(error, side) {
    const conflict = error.conflict;
    const which = conflict ? `. These answers cannot stand together: ${listed(conflict.answers.map(([cell, answer]) => `${cell} ${answer.replace(":", " ")}`))}.` : "";
    this.notice.show(error.message + which);
  }

  cancel() {
    if (this.asking) this.asking.abort();
    this.page.say("Cancelled.");
  }

  async open(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    this.notice.hide();
    try {
      const state = await readPositionFile(file);
      if (state.shots.length) this.take(state, file.name);
      else this.notice.show(`${file.name} has no shots to look back at.`);
    } catch (error) {
      this.notice.show(error.message);
    }
  }

  // ------------------------------------------------------------------ stepping

  stepTo(number) {
    const { side } = this;
    if (!side || !side.review) return;
    side.at = Math.max(1, Math.min(side.review.shots.length, number));
    this.showShot();
    const shot = side.review.shots[side.at - 1];
    this.page.say(`Shot ${shot.number}: ${shot.cell}, ${shot.answer}. ${lossWords(shot.lost, shot.exact)}`);
  }

  // A cell that was shot leads to its shot.
  pick(cell) {
    const name = this.side.game.name(cell);
    const found = this.side.review && this.side.review.shots.find((shot) => shot.cell === name);
    if (found) this.stepTo(found.number);
    else this.page.say(`${name} was not shot.`);
  }

  key(event) {
    const { side } = this;
    if (!side || !side.review) return false;
    const to = { ArrowLeft: side.at - 1, ArrowRight: side.at + 1, Home: 1, End: Infinity }[event.key];
    if (to === undefined) return false;
    this.stepTo(to);
    return true;
  }

  // ------------------------------------------------------------------ what is shown

  show() {
    const { side } = this;
    const found = Boolean(side && side.review);
    byId("review-empty").hidden = Boolean(side && (found || this.asking));
    byId("review-found").hidden = !found;
    byId("review-sides").hidden = this.sides.length < 2;
    byId("review-sides").replaceChildren(...this.sides.map((each, i) => el("button", {
      type: "button", "aria-pressed": String(i === this.chosen), "data-side": each.name, onclick: () => { this.chooseAgain(i); },
    }, each.title)));
    this.showWait();
    this.showBoth();
    if (found) this.showFound();
  }

  chooseAgain(i) {
    this.sides[i].stopped = false;
    this.notice.hide();
    this.choose(i);
    byId("review-sides").children[i].focus();
  }

  showWait() {
    // What is asked while another review is shown has a line only, so that nothing moves when it is there.
    byId("review-wait").hidden = !this.asking || this.side.review !== null;
    if (byId("review-wait").hidden) return;
    const { state, title } = this.asked;
    byId("review-wait-title").textContent = `Looking back at ${title.toLowerCase().replace(/^(the|your|its)/, "$1")} …`;
    byId("review-wait-says").textContent = this.done < 1 ? `Counting ${counted(state.shots.length, "map")}.` : "Searching for exact losses.";
    const bar = byId("review-progress");
    bar.max = 100;
    bar.value = 90 * this.done;
  }

  // Both sides in one sentence; the one that is not reviewed yet may be given up.
  showBoth() {
    const [yours, its] = this.sides.map((side) => side.review);
    byId("review-both").hidden = this.sides.length < 2 || !this.side.review;
    if (byId("review-both").hidden) return;
    const cancel = el("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, "Cancel");
    const number = (review) => el("strong", {}, sum(review));
    const parts = yours && its ? ["You lost ", number(yours), " misses by your shots, the program ", number(its), "."]
      : [yours ? "You" : "The program", " lost ", number(yours || its), ` misses; ${this.asking ? "looking back at the other side …" : "the other side is not reviewed."}`];
    byId("review-both").replaceChildren(...parts, ...(this.asking ? [" ", cancel] : []));
  }

  showFound() {
    const { review } = this.side;
    const pick = (number) => this.stepTo(number);
    byId("review-stats").replaceChildren(...reviewStats(review));
    byId("review-meaning").textContent = reviewMeaning(review);
    byId("review-worst").replaceChildren(...mistakeItems(review, pick));
    byId("review-flawless").hidden = review.mistakes.length > 0;
    byId("review-strip").replaceChildren(lossBars(review, pick));
    byId("review-legend").replaceChildren(...barsLegend(review));
    byId("review-table").replaceChildren(shotTable(review, pick));
    byId("review-slider").max = review.shots.length;
    this.showShot();
  }

  showShot() {
    const { review, at } = this.side;
    const shot = review.shots[at - 1];
    for (const id of ["first", "previous"]) byId(`review-${id}`).disabled = at === 1;
    for (const id of ["next", "last"]) byId(`review-${id}`).disabled = at === review.shots.length;
    byId("review-slider").value = at;
    byId("review-slider").setAttribute("aria-valuetext", `shot ${at} of ${review.shots.length}, ${shot.cell} ${shot.answer}`);
    byId("review-shot").replaceChildren(...shotWords(shot, review.shots.length));
    for (const node of byId("review").querySelectorAll("[data-number]")) {
      if (node.dataset.number === String(at)) node.setAttribute("aria-current", "true");
      else node.removeAttribute("aria-current");
    }
    this.showBoard(shot);
  }

  // The board as it was before a shot, with the chances then.
  showBoard(shot) {
    const { side } = this;
    const { game, state } = side;
    const before = state.shots.slice(0, shot.number - 1);
    const map = side.maps.get(shot.number) || null;
    const looks = looksOfShots(game, { ...rulesOnly(state), shots: before }, { map });
    const best = new Set(shot.optimal || shot.best);
    looks.forEach((look, cell) => {
      const name = game.name(cell), made = name === shot.cell, good = best.has(name);
      look.target = made;
      look.also = [good ? "is-best" : "", look.also || ""].join(" ").trim();
      look.word = [made ? "the shot made" : "", good ? "best there was" : "", look.word].filter(Boolean).join(", ");
    });
    this.board.grid.setAttribute("aria-label", `The board before shot ${shot.number}`);
    this.board.show(looks);
    if (!side.maps.has(shot.number)) this.askMap(side, shot.number, before);
  }

  async askMap(side, number, shots) {
    if (!this.maps) this.maps = new Latest();
    const made = new Set(shots.map(([name]) => side.game.cell(name)));
    const ships = (side.state.ships || []).filter((name) => cellsNamed(side.game, name).every((cell) => made.has(cell)));
    try {
      side.maps.set(number, await this.maps.ask("count", { ...side.state, shots, ships }));
    } catch (error) {
      if (error.name === "AbortError") return;
      side.maps.set(number, null); // the review stands without the chances of the other cells
    }
    if (side === this.side && side.at === number) this.showShot();
  }

  // ------------------------------------------------------------------ address

  // "shots&GAME", or both sides of a match, the one that is shown first: "program&GAME&yours&GAME".
  get address() {
    const sides = this.chosen ? [...this.sides].reverse() : this.sides;
    return sides.map(({ name, state }) => `${name}&${addressOf(state)}`).join("&");
  }

  read(address) {
    if (address === this.address) return true;
    const parts = address.split("&"), sides = [];
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const found = readAddress(parts[i + 1]);
      if (!found || !found.state.shots.length) {
        this.notice.show("The address of this page holds no game to look back at.");
        return false;
      }
      sides.push({ name: parts[i], title: "The shots", who: "", ...SIDES[parts[i]], state: found.state });
    }
    if (!sides.length) return !address;
    const order = Object.keys(SIDES), first = sides[0];
    sides.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
    this.takeSides(sides, sides.indexOf(first));
    return true;
  }
}
