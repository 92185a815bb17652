// The board of a game that is advised: chances, best shots, the shot that is being answered, answers
// that contradict each other, and the ships that a sinking can mean.

import { shotLook } from "../shared/answers.js";
import { BoardView, joinsOf } from "../shared/board.js";
import { answerCode } from "../shared/codes.js";
import { percent, svg } from "../shared/elements.js";
import { gameOf } from "../shared/record.js";
import { sunkShips } from "../shared/replies.js";
import { t } from "../shared/words.js";

const WIDE = 16; // more columns are drawn small, and a narrow screen scrolls over them

export class AdviceBoard extends BoardView {
  constructor(game, onPick) {
    super(game, { label: t("Board"), onPick, tiny: 15 });
    this.grid.removeAttribute("aria-multiselectable");
    this.element.classList.add("advised");
    this.element.classList.toggle("wide", game.columns > WIDE);
  }

  // looks: as for BoardView.show, and `chosen`, `best`, `sure`.
  show(looks) {
    super.show(looks);
    this.shade(looks);
    looks.forEach((look, cell) => {
      const { node, layer } = this.cells[cell];
      node.setAttribute("aria-selected", String(Boolean(look.chosen)));
      for (const name of ["chosen", "best", "sure"]) node.classList.toggle(`is-${name}`, Boolean(look[name]));
      node.classList.toggle("has-tag", Boolean(look.tag) && look.mark === "hit");
      if (look.sure) layer.append(svg("path", { class: "sure", d: "M31 3.5L36.5 9L31 14.5L25.5 9Z" }));
    });
  }

  // Ships, as cell numbers, drawn over the cells with their numbers from 1.
  showChoices(ships) {
    for (const { node } of this.cells) {
      node.classList.remove("is-choice");
      for (const drawn of node.querySelectorAll(".choices")) drawn.remove();
    }
    ships.forEach((ship, i) => {
      const across = ship.length < 2 || ship[1] === ship[0] + 1, long = 40 * ship.length - 8;
      const { node } = this.cells[ship[0]];
      const shape = svg("svg", { class: `choices choice-${i % 4}`, viewBox: "0 0 40 40", "aria-hidden": "true", "data-choice": i },
        svg("rect", { x: 4, y: 4, width: across ? long : 32, height: across ? 32 : long, rx: 15 }));
      node.append(shape);
      node.classList.add("is-choice");
    });
  }

  // The choice that a button stands for, drawn heavier.
  point(choice) {
    for (const drawn of this.element.querySelectorAll(".choices")) drawn.classList.toggle("pointed", Number(drawn.dataset.choice) === choice);
  }
}

// Sunk ships as cell numbers: those that the worker knows by name, and what the answers show beside.
export function knownWrecks(state, wrecks) {
  const game = gameOf(state), known = wrecks.map((ship) => game.ship(ship)), taken = new Set(known.flat());
  return [...known, ...sunkShips(state).ships.filter((ship) => !ship.some((cell) => taken.has(cell)))];
}

// What every cell shows. `chances` are shares by cell, null while they are not known.
export function looksOfGame(state, { wrecks = [], chances, best, target, chosen, conflict, ship, fresh, quiet = false }) {
  const game = gameOf(state);
  const answers = new Map(state.shots.map(([cell, answer]) => [game.cell(cell), answer]));
  const ships = knownWrecks(state, wrecks);
  const joins = joinsOf(game, ships), wrecked = new Set(ships.flat());
  const doubted = new Set(conflict);
  return Array.from({ length: game.cells }, (_, cell) => {
    const name = game.name(cell), answer = answers.get(cell);
    const look = { joins: joins.get(cell) || "", fresh: name === fresh, chosen: name === chosen, bad: doubted.has(name) };
    if (answer !== undefined) {
      Object.assign(look, shotLook(answerCode(answer), game.fleet, wrecked.has(cell)));
      if (look.bad) look.word += `, ${t("contradicts other answers")}`;
      return look;
    }
    look.target = name === target;
    look.best = best.includes(name);
    const share = chances ? chances[cell] : null;
    look.sure = share !== null && share >= 1 && !ship;
    look.share = share;
    look.word = [look.sure ? t("certain hit") : look.best ? t("best shot") : "", chances ? chanceWords(share, ship) : quiet ? t("not shot yet") : t("chance not counted yet"), look.chosen ? t("chosen") : ""].filter(Boolean).join(", ");
    return look;
  });
}

function chanceWords(share, ship) {
  const parts = { length: ship, percent: percent(share) };
  if (share <= 0) return ship ? t("no ship of length {length} here", parts) : t("empty");
  if (share >= 1) return ship ? t("a ship of length {length} for certain", parts) : t("for certain");
  return ship ? t("a ship of length {length} {percent} percent", parts) : t("{percent} percent", parts);
}
