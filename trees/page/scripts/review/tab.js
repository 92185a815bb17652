// Looking back at a game, shot by shot.

import { addressOf, readAddress } from "../shared/address.js";
import { BoardView } from "../shared/board.js";
import { missCurve, pointsOf } from "../shared/curve.js";
import { byId, el } from "../shared/elements.js";
import { readPositionFile } from "../shared/files.js";
import { MOST_SOLVED } from "../shared/games.js";
import { looksOfShots, sharesOf } from "../shared/looks.js";
import { Notice } from "../shared/notice.js";
import { Latest, ask } from "../shared/questions.js";
import { ASKED, USUAL, gameOf, rulesOnly } from "../shared/record.js";
import { Transport } from "../shared/transport.js";
import { counted, listed, nodesOf, t } from "../shared/words.js";
import { barsLegend, lossBars, mistakeItems, questionWords, reviewStats, shotAnswer, shotTable, shotWords, triedWords, worstOf } from "./parts.js";
import { lossWords, reviewMeaning, sum } from "./words.js";

const SIDES = { yours: { title: t("Your shots") }, program: { title: t("Its shots") } };

export class ReviewTab {
  constructor(page) {
    this.page = page;
    this.sides = [];
    this.chosen = 0;
    this.asking = null;
    this.notice = new Notice(byId("review-notice"));
    byId("review-cancel").addEventListener("click", () => this.cancel());
    byId("review-open").addEventListener("click", () => byId("review-file").click());
    byId("review-file").addEventListener("change", (event) => this.open(event.target));
    this.transport = new Transport(byId("review-steps"), "review-", 1, (number) => this.stepTo(number));
    for (const name of ["solve", "advise", "match"]) byId(`review-${name}`).addEventListener("click", () => this.page.hand(name, (tab) => tab.take(this.here)));
  }

  get side() { return this.sides[this.chosen]; }

  // The position before the shot that is shown.
  get here() {
    const { state, at } = this.side;
    return { ...rulesOnly(state), shots: state.shots.slice(0, at - 1) };
  }

  get rules() { return this.side ? this.side.state : USUAL; }

  // ------------------------------------------------------------------ what is reviewed

  // A game as the advice keeps it: a position document without its format.
  take(state, asked = ASKED, title = t("The shots")) {
    this.takeSides([{ name: "shots", title, state, asked }], 0);
  }

  // Both sides of a game against the program, one of them first.
  takeMatch(match, first) {
    const sides = Object.keys(SIDES).filter((name) => match[name].shots.length);
    this.takeSides(sides.map((name) => ({ ...SIDES[name], name, state: { ...rulesOnly(match), shots: match[name].shots } })), sides.indexOf(first));
  }

  takeSides(sides, chosen) {
    if (this.asking) this.asking.abort();
    this.asking = null;
    this.sides = sides.map((side) => ({ asked: ASKED, ...side, game: gameOf(side.state), review: null, at: 1, maps: new Map(), tried: new Map() }));
    this.notice.hide();
    this.choose(chosen);
  }

  choose(chosen) {
    this.chosen = chosen;
    const board = new BoardView(this.side.game, { label: t("The board before a shot"), tiny: 24, onPick: (cell) => this.pick(cell) });
    this.board = board;
    byId("review-board").replaceChildren(board.element);
  }

  // Reviews the chosen side, then the other one.
  async run() {
    const side = [this.side, ...this.sides].find((each) => each && !each.review && !each.stopped);
    if (!side || this.asking) return;
    const asking = new AbortController();
    this.asking = asking;
    this.asked = side;
    this.done = 0;
    const clock = setInterval(() => this.showWait(), 200);
    this.draw();
    try {
      const review = await ask("review", this.weighed(side), { signal: asking.signal, say: ({ shot, of }) => { this.done = shot / of; } });
      side.review = review;
      side.at = review.mistakes[0] || 1;
      if (side === this.side) this.page.say(t("{side} are reviewed: {misses} misses lost.", { side: side.title, misses: sum(review) }));
    } catch (error) {
      if (this.sides.includes(side)) this.stop(error);
    } finally {
      clearInterval(clock);
    }
    if (this.asking !== asking) return;
    this.asking = null;
    this.draw();
    this.run();
  }

  // A side as it is asked about: its state, weighed by the prior with which it was advised.
  weighed({ state, asked }) {
    return asked.prior === ASKED.prior ? state : { ...state, options: { prior: asked.prior } };
  }

  // What could not be reviewed, or was given up, is asked for again by its button only.
  stop(error) {
    for (const side of this.sides) side.stopped = !side.review;
    if (error.name !== "AbortError") this.complain(error);
  }

  complain(error) {
    const conflict = error.conflict;
    const which = conflict ? ` ${t("These answers cannot stand together: {answers}.", { answers: listed(conflict.answers.map(([cell, answer]) => `${cell} ${shotAnswer({ answer })}`)) })}` : "";
    this.notice.show(error.message + which);
  }

  cancel() {
    if (this.asking) this.asking.abort();
    this.page.say(t("Cancelled."));
  }

  async open(input) {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    this.notice.hide();
    try {
      const { state, asked } = await readPositionFile(file);
      if (!state.shots.length) throw new Error(t("{name} has no shots to look back at.", file));
      this.take(state, asked, file.name);
      this.page.show();
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
    this.page.say(t("Shot {number}: {cell}, {answer}. {loss}", { ...shot, answer: shotAnswer(shot), loss: lossWords(shot.lost, shot.exact) }));
  }

  // Whether a shot is a mistake that is to be tried again first.
  asks(shot) {
    return worstOf(this.side.review).includes(shot.number) && !this.side.tried.has(shot.number);
  }

  // A mistake is tried again, with no cell to have the best shot shown.
  tryAgain(shot, cell) {
    const { side } = this;
    side.tried.set(shot.number, cell);
    byId("review-worst").replaceChildren(...mistakeItems(side.review, side.tried, (number) => this.stepTo(number)));
    this.showShot();
    this.page.say([...byId("review-shot").querySelectorAll("p")].map((node) => node.textContent).join(" "));
  }

  // What the shot tried in the place of a mistake was worth, once the map is there.
  again(shot) {
    const { side } = this, cell = side.tried.get(shot.number), map = side.maps.get(shot.number);
    return cell && map ? [triedWords(shot, cell, sharesOf(map)[side.game.cell(cell)])] : [];
  }

  // A cell answers what would be better, or leads to the shot that was made there.
  pick(cell) {
    const name = this.side.game.name(cell), shown = this.side.review && this.side.review.shots[this.side.at - 1];
    const before = shown && this.side.review.shots.slice(0, shown.number - 1).some((shot) => shot.cell === name);
    if (shown && this.asks(shown) && !before) { this.tryAgain(shown, name); return; }
    const found = this.side.review && this.side.review.shots.find((shot) => shot.cell === name);
    if (found) this.stepTo(found.number);
    else this.page.say(t("{cell} was not shot.", { cell: name }));
  }

  key(event) {
    const { side } = this;
    return Boolean(side && side.review) && this.transport.key(event.key);
  }

  // ------------------------------------------------------------------ what is shown

  // The page turns to this tab: what is not reviewed yet is.
  show() {
    this.draw();
    this.run();
  }

  draw() {
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
    this.page.show();
    byId("review-sides").children[i].focus();
  }

  showWait() {
    // What is asked while another review is shown has a line only, so that nothing moves when it is there.
    byId("review-wait").hidden = !this.asking || this.side.review !== null;
    if (byId("review-wait").hidden) return;
    const { state, title } = this.asked;
    byId("review-wait-title").textContent = t("Looking back: {title} …", { title });
    byId("review-wait-says").textContent = this.done < 1 ? t("Counting {maps}.", { maps: counted(state.shots.length, "map") }) : t("Searching for exact losses.");
    const bar = byId("review-progress");
    bar.max = 100;
    bar.value = 90 * this.done;
  }

  // Both sides in one sentence; the one that is not reviewed yet may be given up.
  showBoth() {
    const [yours, its] = this.sides.map((side) => side.review);
    byId("review-both").hidden = this.sides.length < 2 || !this.side.review;
    if (byId("review-both").hidden) return;
    const cancel = el("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, t("Cancel"));
    const number = (review) => el("strong", {}, sum(review));
    const parts = nodesOf(yours && its ? "You lost {yours} misses by your shots, the program {its}." : yours ? "You lost {yours} misses;" : "The program lost {its} misses;", { yours: yours && number(yours), its: its && number(its) });
    if (!yours || !its) parts.push(` ${this.asking ? t("looking back at the other side …") : t("the other side is not reviewed.")}`);
    byId("review-both").replaceChildren(...parts, ...(this.asking ? [" ", cancel] : []));
  }

  showFound() {
    const { review } = this.side;
    const pick = (number) => this.stepTo(number);
    byId("review-stats").replaceChildren(...reviewStats(review));
    byId("review-meaning").textContent = reviewMeaning(review);
    byId("review-worst").replaceChildren(...mistakeItems(review, this.side.tried, pick));
    byId("review-flawless").hidden = review.mistakes.length > 0;
    byId("review-curve").replaceChildren(missCurve(pointsOf(review)));
    byId("review-strip").replaceChildren(lossBars(review, pick));
    byId("review-legend").replaceChildren(...barsLegend(review));
    byId("review-table").replaceChildren(shotTable(review, pick));
    this.showShot();
  }

  showShot() {
    const { review, at } = this.side;
    const shot = review.shots[at - 1];
    byId("review-solve").disabled = !(shot.layouts_before <= MOST_SOLVED);
    const shots = review.shots.length;
    this.transport.show(at, shots, t("shot {at} of {shots}, {cell} {answer}", { at, shots, cell: shot.cell, answer: shotAnswer(shot) }));
    byId("review-shot").replaceChildren(...(this.asks(shot) ? questionWords(shot, shots, () => this.tryAgain(shot, "")) : shotWords(shot, shots, this.again(shot))));
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
    const looks = looksOfShots(game, { ...rulesOnly(state), shots: before }, { map: this.asks(shot) ? null : map });
    const asks = this.asks(shot), best = new Set(asks ? [] : shot.optimal || shot.best);
    looks.forEach((look, cell) => {
      const name = game.name(cell), made = name === shot.cell, good = best.has(name);
      look.target = made;
      look.also = [good ? "is-best" : "", look.also || ""].join(" ").trim();
      look.word = [made ? t("the shot made") : "", good ? t("best there was") : "", look.word].filter(Boolean).join(", ");
    });
    this.board.grid.setAttribute("aria-label", t("The board before shot {number}", shot));
    this.board.show(looks);
    if (!side.maps.has(shot.number)) this.askMap(side, shot.number, before);
  }

  async askMap(side, number, shots) {
    if (!this.maps) this.maps = new Latest();
    const made = new Set(shots.map(([name]) => side.game.cell(name)));
    const ships = (side.state.ships || []).filter((name) => side.game.ship(name).every((cell) => made.has(cell)));
    try {
      side.maps.set(number, await this.maps.ask("count", { ...this.weighed(side), shots, ships }));
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
    return sides.map(({ name, state, asked }) => `${name}&${addressOf(state, asked)}`).join("&");
  }

  read(address) {
    if (address === this.address) return true;
    const parts = address.split("&"), sides = [];
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const found = readAddress(parts[i + 1]);
      if (!found || !found.state.shots.length) {
        this.notice.show(t("The address of this page holds no game to look back at."));
        return false;
      }
      sides.push({ name: parts[i], title: t("The shots"), ...SIDES[parts[i]], state: found.state, asked: found.asked });
    }
    if (!sides.length) return !address;
    const order = Object.keys(SIDES), first = sides[0];
    sides.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
    this.takeSides(sides, sides.indexOf(first));
    return true;
  }
}
