// Solving a game: its optimal tree, proven in a worker of its own, and all that can be seen of it.

import { addressOf, decoded, readAddress, rulesOf } from "../shared/address.js";
import { Chooser } from "../shared/chooser.js";
import { answerText } from "../shared/codes.js";
import { byId, letterOf, tile } from "../shared/elements.js";
import { Keep, download } from "../shared/files.js";
import { Notice } from "../shared/notice.js";
import { costsPicture, framed, pageColours, paperColours, sheetText, spreadsPicture, stripPicture, treePicture } from "../shared/pictures.js";
import { Refusal, makeDesk } from "../shared/questions.js";
import { Record, gameOf, rulesInWords } from "../shared/record.js";
import { answerSaid } from "../shared/replies.js";
import { LANGUAGE, counted, decimal, t } from "../shared/words.js";
import { Strategy } from "../walk/strategy.js";
import { Walk } from "../walk/walk.js";

const SMALL_GAMES = [
  ["5x5-3,2,1-none-hit-length", "5 × 5", "3, 2, 1"], ["5x5-3,2,2,1,1,1-none-hit-length", "5 × 5", "3, 2, 2, 1, 1, 1"], ["4x4-3,2,1-none-sunk-length", "4 × 4", "3, 2, 1"],
].map(([key, board, ships]) => ({ rules: rulesOf(key), name: board, kind: ships }));

const STAGES = {
  bounds: t("bounds of the whole game"), search: t("searching"), "better trees": t("growing better trees"), tree: t("growing the tree"), "first shots": t("what each first shot costs"),
};

const solver = makeDesk();

export class SolveTab extends Walk {
  constructor(page) {
    super();
    this.page = page;
    this.state = Record.begun(SMALL_GAMES[1].rules);
    this.objective = "mean";
    this.chosen = 0;
    this.strategies = [];
    this.walks = [];
    this.notice = new Notice(byId("solve-notice"));
    this.chooser = new Chooser(byId("solve-chooser"), (rules) => this.begin(rules), SMALL_GAMES);
    Walk.listen(() => this);
    const on = (name, does) => byId(`solve-${name}`).addEventListener("click", does);
    on("start", () => this.solve());
    on("stop", () => this.stopping && this.stopping.abort());
    on("tree", () => download(this.found.file, `${this.fileName}.json`, "application/json"));
    this.keep = new Keep(this, { name: "solve", fileName: () => this.fileName, picture: () => this.sheet() });
    on("advise", () => this.page.hand("advise", (tab) => tab.take(this.here, t("The position is taken over from the tree."))));
    on("match", () => this.page.hand("match", (tab) => tab.take(this.here)));
    // On paper the pictures have the colours of paper, which the page has taken by then.
    for (const kind of ["beforeprint", "afterprint"]) window.addEventListener(kind, () => { if (this.found && this.page.tab === this) this.drawFound(); });
    byId("solve-objective").addEventListener("change", () => this.choose());
    byId("solve-within").addEventListener("change", () => this.choose());
    window.addEventListener("resize", () => { if (this.found && this.page.tab === this) this.drawTree(); });
  }

  get rules() { return this.state; }

  get address() { return `${addressOf(this.state)}${this.objective === "mean" ? "" : `/objective=${this.objective}`}`; }

  get fileName() { return `seabattle-tree-${this.state.board}-${this.objective.replace(":", "-")}`; }

  // An address that comes with a game is solved at once.
  read(address) {
    const read = readAddress(address);
    if (!read) return !address;
    const [, objective] = /\/objective=(mean|worst|within:\d{1,3})$/.exec(decoded(address)) || [];
    if (JSON.stringify(read.state) === JSON.stringify(this.state) && this.found && (objective || "mean") === this.objective) return true;
    this.take(read.state, objective);
    return true;
  }

  // ------------------------------------------------------------------ what is solved

  begin(rules) {
    this.set(Record.begun(rules));
    this.page.show();
  }

  // A position from elsewhere, which is solved.
  take(state, objective = "mean") {
    this.set(state, objective);
    this.wanted = true;
  }

  set(state, objective = this.objective) {
    this.drop();
    this.state = { ...state };
    this.objective = objective;
  }

  drop() {
    if (this.asking) this.asking.abort(new DOMException("another game", "AbortError"));
    this.asking = this.stopping = this.found = this.values = this.known = null;
    this.wanted = false;
    this.notice.hide();
  }

  choose() {
    const chosen = byId("solve-objective").value, misses = Math.max(0, Math.min(99, Math.floor(Number(byId("solve-within").value)) || 0));
    this.set(this.state, chosen === "within" ? `within:${misses}` : chosen);
    this.page.show();
  }

  async solve() {
    this.drop();
    const asking = new AbortController(), stopping = new AbortController(), begun = Date.now();
    Object.assign(this, { asking, stopping, begun });
    this.draw();
    const clock = setInterval(() => this.showProgress(), 250), now = () => this.asking === asking;
    try {
      const found = await solver.ask("solve", { ...this.state, options: { objective: this.objective } }, { signal: asking.signal, stop: stopping.signal, say: (said) => { if (now()) this.hear(said); } });
      if (!now()) return;
      this.values = found.values;
      if (!this.found) this.receive(found);
    } catch (error) {
      if (error.name === "AbortError" || !now()) return;
      if (!(error instanceof Refusal)) throw error;
      this.notice.show(error.message);
      this.page.say(error.message);
    } finally {
      clearInterval(clock);
      if (now()) {
        this.asking = this.stopping = null;
        this.draw();
      }
    }
  }

  hear(said) {
    if (said.solved) this.receive(said.solved);
    else if (said.values) {
      this.values = said.values;
      this.drawValues();
    } else {
      this.known = said;
      this.showProgress();
    }
  }

  receive(found) {
    this.found = found;
    this.seconds = (Date.now() - this.begun) / 1000;
    const game = gameOf(this.state);
    this.game = Object.assign(game, { placements: found.placements });
    this.strategies = [new Strategy({
      name: t("the optimal tree"), answers: this.state.answers, told: "", possible: found.possible, reading: "full", objective: found.objective, status: found.status, position: found.position,
      weights: null, ships: Uint16Array.from(found.ships), nodes: Uint16Array.from(found.words),
    }, game, false)];
    this.walks = [{ trail: [0], at: 0 }];
    this.makeWalk();
    this.draw();
    this.page.say(byId("solve-status").textContent);
  }

  // ------------------------------------------------------------------ what is shown

  show() {
    this.keeping(() => this.draw());
    if (this.wanted && !this.asking && !this.found) this.solve();
  }

  say(text) { this.page.say(text); }

  key(event) {
    if (!this.found || event.target.closest("button") && event.key === "Enter") return false;
    const does = this.answerKey(letterOf(event));
    if (!does) return false;
    does();
    return true;
  }

  draw() {
    const { state, found } = this, [chosen, misses] = this.objective.split(":");
    this.chooser.set(state);
    byId("solve-objective").value = chosen;
    byId("solve-within-field").hidden = chosen !== "within";
    if (misses) byId("solve-within").value = misses;
    byId("solve-position").hidden = !state.shots.length;
    byId("solve-position").textContent = state.shots.length ? t("From a position after {shots}: {answers}.", { shots: counted(state.shots.length, "shot"), answers: state.shots.map(([cell, answer]) => `${cell} ${answerSaid(state, answer)}`).join(", ") }) : "";
    byId("solve-start").hidden = Boolean(this.asking);
    byId("solve-stop").hidden = !this.asking;
    byId("solve-found").hidden = !found;
    this.showProgress();
    this.page.showRules();
    this.page.writeAddress();
    if (found) this.drawFound();
  }

  showProgress() {
    const { known } = this;
    byId("solve-progress").hidden = !this.asking;
    if (!this.asking) return;
    const seconds = (Date.now() - this.begun) / 1000, rate = known ? Math.round(known.keys / Math.max(0.1, seconds)) : 0, number = (each) => Math.round(each).toLocaleString(LANGUAGE);
    const share = known && known.upper > 0 ? known.lower / known.upper : 0, bar = byId("solve-progress").querySelector("span");
    bar.style.setProperty("--from", `${100 * share}%`);
    bar.style.setProperty("--wide", `${100 * (1 - share)}%`);
    byId("solve-interval").textContent = this.found ? t("Proven. First shots: what each of them costs.") : known ? this.intervalWords(known) : t("Listing the layouts …");
    byId("solve-work").textContent = known ? t("{stage}; {keys} positions known, {rate} a second; {seconds} s", { stage: STAGES[known.stage] || "", keys: number(known.keys), rate: number(rate), seconds: number(seconds) }) : "";
  }

  // What is proven at least, and what the best tree known costs.
  intervalWords({ lower, upper, weight, layouts }) {
    const count = counted(layouts, "layout");
    if (this.objective === "worst") return t("At worst {lower} to {upper} misses; {layouts}.", { lower, upper, layouts: count });
    if (this.objective !== "mean") return t("Finished with at most {misses}: {lower} to {upper} of {layouts}.", { misses: counted(Number(this.objective.slice(7)), "miss"), lower: weight - upper, upper: weight - lower, layouts: count });
    return t("On average {lower} to {upper} misses, a gap of {gap} %; {layouts}.", { lower: decimal(lower / weight, 4), upper: decimal(upper / weight, 4), gap: decimal(upper ? (100 * (upper - lower)) / upper : 0, 2), layouts: count });
  }

  drawFound() {
    const { found } = this, colours = pageColours(), [strategy] = this.strategies, optimal = found.status === "optimal";
    byId("solve-stats").replaceChildren(
      tile(t("Misses on average"), decimal(found.total / found.weight, 4), `${found.total}/${found.weight}`),
      tile(t("At worst"), String(found.worst), t("misses")),
      ...(found.within === undefined ? [] : [tile(t("Finished"), `${decimal((100 * found.finished) / found.weight, 1)} %`, t("{finished} of {layouts}", { finished: found.finished, layouts: counted(found.layouts, "layout") }))]),
      tile(t("Layouts"), found.layouts.toLocaleString(LANGUAGE), t("all as likely")),
      tile(t("Positions"), found.keys.toLocaleString(LANGUAGE), t("in {seconds} s", { seconds: decimal(this.seconds, 1) }), { long: true }));
    byId("solve-status").textContent = optimal ? t("Proven: no tree is better.") : `${found.stopped === "memory" ? t("Stopped, as memory is full.") : t("Stopped.")} ${t("The best tree known so far.")} ${this.intervalWords(found)}`;
    byId("solve-quote").textContent = this.quote();
    const spreads = this.spreads();
    byId("solve-spreads").replaceChildren(framed(spreadsPicture(spreads, colours), t("Layouts by misses: the optimal tree beside two greedy rules")));
    byId("solve-strip").replaceChildren(framed(stripPicture(strategy, colours), t("The boards while every shot misses")));
    byId("solve-whole").replaceChildren(framed(treePicture(strategy, colours), t("The whole tree")));
    this.drawValues();
    this.showWalk();
  }

  spreads() {
    const { found } = this, { half, hits } = found.greedy;
    return [
      { name: found.status === "optimal" ? t("optimal") : t("best known"), colour: "heat", distribution: found.distribution },
      { name: t("greedy: the likeliest cell"), colour: "hit", distribution: hits.distribution },
      { name: t("greedy: the cell that halves best"), colour: "miss", distribution: half.distribution },
    ];
  }

  // One sentence that can be quoted.
  quote() {
    const { found } = this, { hits, half } = found.greedy, board = this.state.board.replace("x", " × "), fleet = this.state.fleet;
    const more = (greedy) => decimal(100 * (greedy.total / found.total - 1), 1);
    if (found.status !== "optimal") return t("On {board} with {fleet} the best tree known misses {mean} times on average.", { board, fleet, mean: decimal(found.total / found.weight, 3) });
    if (found.within !== undefined) {
      const finished = ({ distribution }) => distribution.slice(0, found.within + 1).reduce((sum, each) => sum + each, 0);
      return t("On {board} with {fleet} the best tree finishes {finished} of {layouts} with at most {misses}; greedy play, at the likeliest cell, {greedy}.", { board, fleet, finished: found.finished, layouts: counted(found.layouts, "layout"), misses: counted(found.within, "miss"), greedy: finished(hits) });
    }
    const worst = hits.worst === found.worst ? t("as many at worst, {worst}, as the tree of least mean", found) : t("{greedy} at worst, where the tree of least mean misses {worst}", { greedy: hits.worst, worst: found.worst });
    if (hits.total === found.total) return t("On {board} with {fleet} greedy play, at the likeliest cell, is the best there is on average, and misses {worst}.", { board, fleet, worst });
    return t("On {board} with {fleet} greedy play, at the likeliest cell, misses {more} % more on average, and {worst}; at the cell that halves best, {half} %.", { board, fleet, more: more(hits), worst, half: more(half) });
  }

  drawValues() {
    const { values, found } = this;
    byId("solve-values-panel").hidden = !values;
    if (!values) return;
    byId("solve-values-what").textContent = this.objective === "worst" ? t("Misses more in the worst case than the best shot (★), when all is played best afterwards.") : t("Misses more on average than the best shot (★), when all is played best afterwards.");
    byId("solve-values").replaceChildren(framed(this.costsPicture(pageColours()), t("What each first shot costs")));
    const shot = new Set(found.position.map(([cell]) => cell)), best = values.flatMap((value, cell) => (value === this.least ? [this.game.name(cell)] : [])), done = values.every((value, cell) => value !== null || shot.has(cell));
    byId("solve-values-says").textContent = done ? t("Best: {cells}.", { cells: best.join(", ") }) : this.asking ? t("More are being worked out.") : t("Stopped: the other cells are not known.");
  }

  // What a best first shot costs: in all, or in the worst case.
  get least() { return this.objective === "worst" ? this.found.worst : this.found.total; }

  costsPicture(colours) {
    return costsPicture(this.game, this.values, this.least, this.objective === "worst" ? 1 : this.found.weight, colours);
  }

  // The position of the walk.
  get here() {
    const { strategy, node, state } = this, before = new Set(state.shots.map(([cell]) => cell));
    const more = strategy.shotsBefore(node).map(([cell, code]) => [this.game.name(cell), answerText(code)]).filter(([cell]) => !before.has(cell));
    return { ...state, shots: [...state.shots, ...more] };
  }

  sheet() {
    const { found } = this, colours = paperColours(), [strategy] = this.strategies, lines = [this.quote(), `${t("Misses on average")}: ${decimal(found.total / found.weight, 4)} (${found.total}/${found.weight}); ${t("At worst")}: ${found.worst}. ${byId("solve-status").textContent}`];
    const values = this.values ? [[t("What each first shot costs"), this.costsPicture(colours)]] : [];
    return sheetText(rulesInWords(this.state).join(", "), lines, [
      [t("Layouts by misses"), spreadsPicture(this.spreads(), colours)], ...values, [t("While every shot misses"), stripPicture(strategy, colours)], [t("The whole tree"), treePicture(strategy, colours)],
    ], colours);
  }
}
