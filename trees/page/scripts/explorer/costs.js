// Shots of one's own where the page holds a complete strategy file: what each cell costs, and how
// the page goes on after a cell that the strategy would not shoot.
//
// A walk may have *choices*, cells shot in place of the advice: {depth, cell, advised, cost, count}.
// Its tree, `own`, is the strategy's with these shots, and with what the file advises after them.
// A cost is the misses more than the best shot: a total over `count` layouts, or in the worst case.

import { byId, el } from "../shared/elements.js";
import { Grid } from "../shared/grid.js";
import { counted, t } from "../shared/words.js";
import { costShort, costWords } from "../walk/prices.js";
import { Walk } from "../walk/walk.js";
import { CompleteFile } from "./complete.js";

export class PricedWalk extends Walk {
  makeCosts(data) {
    this.files = this.strategies.map(() => null);
    this.sources = data.strategies.map((each) => each.complete || null);
    this.troubles = this.sources.map((source) => (source && source.left_out ? this.leftOutText(source) : ""));
    this.shown = new WeakMap(); // costs by tree and node
    byId("costs").addEventListener("change", () => {
      if (byId("costs").checked) byId("chances").checked = false;
      this.show();
    });
    byId("chances").addEventListener("change", () => { if (byId("chances").checked) byId("costs").checked = false; });
  }

  leftOutText(source) {
    return t("The strategy file of {positions} is too large for a page: shots of your own and their costs are left out.", { positions: counted(source.left_out, "position") });
  }

  async openFiles() {
    const written = this.hash;
    await Promise.all(this.sources.map(async (source, i) => {
      if (!source || !source.packed) return;
      try {
        if (typeof DecompressionStream === "undefined") throw new Error(t("this browser cannot unpack it"));
        const file = await CompleteFile.open(this.strategies[i], source);
        this.requireEqual(this.valueIn(file, this.strategies[i], 0), file.costsAt(this.strategies[i], 0).least);
        this.files[i] = file;
      } catch (error) {
        this.troubles[i] = this.troubleText(error);
      }
    }));
    if (this.waiting !== undefined && this.hash === written) {
      history.replaceState(null, "", this.waiting);
      this.readHash();
    }
    this.show();
  }

  troubleText(error) {
    return t("No costs can be shown. The strategy file in this page is damaged, or the browser is too old for it: {why}.", { why: error.message });
  }

  requireEqual(one, other) {
    if (one !== other) throw new Error(`a position is worth ${one} and ${other} misses at once`);
  }

  // What the objective of a file makes of a tree, from a node on.
  valueIn(file, strategy, node) {
    return file.objective === "mean" ? strategy.total[node] : strategy.worst[node];
  }

  // Costs at the current node, null where there are none. The best shot must cost nothing, else
  // the file contradicts itself.
  costs() {
    const { strategy, node, file } = this;
    if (!file || strategy.shot[node] < 0) return null;
    if (!this.shown.has(strategy)) this.shown.set(strategy, new Map());
    const known = this.shown.get(strategy);
    if (!known.has(node)) {
      try {
        const found = file.costsAt(strategy, node);
        const open = [...found.costs].filter(([cell]) => !found.certain.has(cell)).map(([, cost]) => cost);
        const pending = file.answers !== "hit" && open.length < found.costs.size;
        const least = Math.min(...open);
        if (pending ? least < 0 : least !== 0) this.requireEqual(found.least + least, found.least);
        found.count = file.objective === "mean" ? strategy.left(node) : 0;
        known.set(node, found);
      } catch (error) {
        this.giveUp(error);
        return null;
      }
    }
    return known.get(node);
  }

  // Without its file a strategy has only its own tree: choices are taken back.
  giveUp(error) {
    const { walk, chosen } = this, [first] = walk.choices || [];
    this.files[chosen] = null;
    this.troubles[chosen] = this.troubleText(error);
    const trail = first ? walk.trail.slice(0, first.depth + 1) : walk.trail;
    this.walks[chosen] = { trail, at: Math.min(walk.at, trail.length - 1) };
  }

  choiceAt(depth) {
    return (this.walk.choices || []).find((choice) => choice.depth === depth);
  }

  // ------------------------------------------------------------------ shooting

  shoot(cell) {
    const { strategy, node, walk, game } = this;
    const name = game.name(cell), found = this.costs();
    if (!found) return;
    if (!found.costs.has(cell)) { this.say(t("{cell} was shot before.", { cell: name })); return; }
    if (cell === strategy.shot[node]) { this.say(this.summary()); return; }
    const advised = this.advisedCell();
    try {
      this.walks[this.chosen] = this.walkWith(walk.trail.slice(0, walk.at + 1), walk.at, cell === advised ? -1 : cell);
    } catch (error) {
      this.giveUp(error);
      this.show();
      return;
    }
    this.show();
    const cost = found.certain.has(cell) ? t("is a certain hit") : costWords(found.costs.get(cell), found.count);
    this.say(cell === advised ? this.summary() : t("Your shot {cell} {cost}. How is it answered?", { cell: name, cost }));
  }

  advisedCell() {
    const choice = this.choiceAt(this.walk.at);
    return choice ? choice.advised : this.strategy.shot[this.node];
  }

  // The walk that keeps the choices above a depth of a trail, and at that depth shoots a cell, or
  // with -1 takes the advice.
  walkWith(trail, at, cell) {
    const choices = (this.walk.choices || []).filter((choice) => choice.depth < at);
    const original = this.strategies[this.chosen];
    let own = choices.reduce((tree, choice) => this.file.graft(tree, trail[choice.depth], choice.cell), original);
    if (cell >= 0) {
      const found = this.costs(), cost = found.costs.get(cell);
      own = this.file.graft(own, trail[at], cell);
      if (!found.certain.has(cell)) this.requireEqual(this.valueIn(this.file, own, trail[at]), found.least + cost);
      choices.push({ depth: at, cell, advised: this.advisedCell(), cost, count: found.count });
    }
    return { trail, at, own: choices.length ? own : null, choices };
  }

  // The walk to a node off the trail: choices that are not on its path are taken back.
  walkTo(v) {
    const { strategy, walk } = this, path = strategy.pathTo(v);
    const choices = (walk.choices || []).filter((choice) => path[choice.depth] === walk.trail[choice.depth]);
    if (choices.length === (walk.choices || []).length) return { ...walk, trail: path, at: path.length - 1 };
    const codes = path.slice(1).map((u) => strategy.code[u]);
    const original = this.strategies[this.chosen];
    const own = choices.reduce((tree, choice) => this.file.graft(tree, path[choice.depth], choice.cell), original);
    const trail = [0];
    for (const code of codes) trail.push(own.kids[trail[trail.length - 1]].find((u) => own.code[u] === code));
    return { trail, at: trail.length - 1, own: choices.length ? own : null, choices };
  }

  // ------------------------------------------------------------------ the address

  // The path as parts of the address: answers as codes, each shot of one's own before its answer.
  pathParts() {
    const { walk, strategy, game } = this, parts = [];
    for (let depth = 0; depth <= walk.at; depth++) {
      if (depth > 0) parts.push(strategy.code[walk.trail[depth]]);
      const choice = this.choiceAt(depth);
      if (choice) parts.push(new Grid(game.rows, game.columns).name(choice.cell));
    }
    return parts;
  }

  // Follows such parts as far as they can be followed.
  followParts(parts) {
    this.walks[this.chosen] = { trail: [0], at: 0 };
    for (const part of parts) {
      const { walk, strategy, node } = this;
      if (/^[A-Z]+[0-9]+$/.test(part)) {
        const cell = new Grid(this.game.rows, this.game.columns).cell(part);
        const source = this.sources[this.chosen];
        if (source && source.packed && !this.file && !this.troubles[this.chosen]) this.waiting = location.hash;
        const found = this.costs();
        if (!found || !found.costs.has(cell)) return;
        try {
          if (cell !== strategy.shot[node]) this.walks[this.chosen] = this.walkWith(walk.trail, walk.at, cell);
        } catch (error) {
          this.giveUp(error);
          return;
        }
      } else {
        const next = strategy.kids[node].find((u) => strategy.code[u] === Number(part));
        if (next === undefined) return;
        this.walks[this.chosen] = { ...walk, trail: [...walk.trail, next], at: walk.at + 1 };
      }
    }
  }

  // ------------------------------------------------------------------ what is shown

  showCosts(looks) {
    const source = this.sources[this.chosen], trouble = this.troubles[this.chosen];
    const found = this.costs();
    byId("costs-switch").hidden = !source || Boolean(trouble);
    byId("costs").disabled = !this.file;
    const over = this.strategy.shot[this.node] < 0;
    byId("costs-hint").hidden = !source || (!trouble && over);
    byId("costs-hint").textContent = !source ? "" : trouble || (this.file ? t("Choose any cell to shoot it in place of the advice.") : t("The strategy file is being unpacked."));
    if (!found) return looks.map((look) => ({ ...look, pick: false }));
    return looks.map((look, cell) => {
      if (!found.costs.has(cell)) return { ...look, pick: false };
      if (!byId("costs").checked) return { ...look, pick: true };
      const cost = found.costs.get(cell), certain = found.certain.has(cell);
      const words = certain ? t("a certain hit, costs nothing") : costWords(cost, found.count);
      return { ...look, pick: true, share: null, cost: costShort(cost, found.count), also: cost === 0 ? "is-best" : "", word: (look.target ? `${t("next shot")}, ` : "") + words };
    });
  }

  // Below the board: what the chosen shot costs, and the way back to the advice.
  choiceParts() {
    const choice = this.choiceAt(this.walk.at);
    if (!choice) return [];
    const exact = choice.count && choice.cost > 0 ? ` (${choice.cost}/${choice.count})` : "";
    return [el("span", { class: "price" }, `${costWords(choice.cost, choice.count, 3)}${exact}`),
      el("button", { type: "button", id: "advice", class: "quiet", onclick: () => this.shoot(choice.advised) }, t("Take the advice: {cell}", { cell: this.game.name(choice.advised) }))];
  }

  pathCost() {
    const made = (this.walk.choices || []).filter((choice) => choice.depth < this.walk.at);
    if (!made.length) return "";
    const one = (choice) => (choice.count ? choice.cost / choice.count : choice.cost);
    const text = (cost) => (made[0].count && cost > 0 ? cost.toFixed(3) : String(cost));
    const sum = made.reduce((all, choice) => all + one(choice), 0), parts = { sum: text(sum), misses: counted(sum, "miss"), shots: made.length, costs: made.map((choice) => text(one(choice))).join(" + ") };
    if (made.length === 1) return t(made[0].count ? "Your shot cost {sum} misses more than the best." : "Your shot cost {misses} more than the best in the worst case.", parts);
    return t(made[0].count ? "Your {shots} shots cost {costs} = {sum} misses more than the best." : "Your {shots} shots cost {costs} = {misses} more than the best in the worst case.", parts);
  }

  sourceText() {
    const source = this.sources[this.chosen];
    if (!source || !source.packed) return "";
    const text = t(source.checked ? "Costs come from its strategy file of {positions}, checked from the rules when this page was made: in no position is another shot better than its own."
      : "Costs come from its strategy file of {positions}, which was not checked when this page was made.", { positions: counted(source.states, "position") });
    return ` ${text}`;
  }
}
