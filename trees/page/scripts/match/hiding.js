// Hiding a fleet: ships are taken from the tray and put down on the board, under the contact rule.

import { BoardView, joinsOf } from "../shared/board.js";
import { el, shipShape } from "../shared/elements.js";
import { gameOf } from "../shared/record.js";
import { listed, t } from "../shared/words.js";

export class Hiding {
  // onChange() is called when a ship was put down, turned or taken up.
  constructor(rules, { board, tray, verdict, onChange }) {
    this.rules = rules;
    this.game = gameOf(rules);
    this.places = { tray, verdict };
    this.onChange = onChange;
    this.ships = this.game.fleet.map(() => null);
    this.chosen = 0;
    this.upright = false;
    this.over = null;
    this.wrong = { text: "", cells: [] };
    this.board = new BoardView(this.game, { label: t("Your board: place your ships"), onPick: (cell) => this.pick(cell) });
    const point = (event) => {
      const cell = event.target.closest("[data-cell]");
      this.hover(cell ? this.game.cell(cell.dataset.cell) : null);
    };
    for (const kind of ["pointerover", "focusin"]) this.board.grid.addEventListener(kind, point);
    for (const kind of ["pointerleave", "focusout"]) this.board.grid.addEventListener(kind, () => this.hover(null));
    board.replaceChildren(this.board.element);
  }

  get complete() { return this.ships.every((cells) => cells !== null); }

  get names() { return this.ships.map((cells) => this.game.shipName(cells)); }

  // The cells of the chosen ship with its first cell here, or null where it would leave the board.
  cellsFrom(cell, length = this.game.fleet[this.chosen], upright = this.upright) {
    const { columns, rows } = this.game;
    const column = cell % columns, row = Math.floor(cell / columns);
    if ((upright ? row + length > rows : column + length > columns)) return null;
    return Array.from({ length }, (_, i) => cell + i * (upright ? columns : 1));
  }

  // Which rule a ship here would break: {text, cells}; null when it breaks none.
  broken(cell) {
    const { game, rules } = this;
    const length = game.fleet[this.chosen];
    const cells = this.cellsFrom(cell);
    if (!cells) return { text: t(this.upright ? "A ship of length {length} downwards from {cell} would leave the board." : "A ship of length {length} to the right from {cell} would leave the board.", { length, cell: game.name(cell) }), cells: [cell] };
    const closed = cells.filter((each) => game.blocked.has(each));
    if (closed.length) return { text: t("No ship can lie on {cells}.", { cells: listed(closed.map((each) => game.name(each))) }), cells: closed };
    for (const other of this.ships) {
      if (!other) continue;
      const own = new Set(other);
      const ships = listed([game.shipName(cells), game.shipName(other)]);
      const same = cells.filter((each) => own.has(each));
      if (same.length) return { text: t("{ships} would share {cells}: every cell holds one ship.", { ships, cells: listed(same.map((each) => game.name(each))) }), cells: same };
      const beside = cells.filter((each) => game.sides(each).some((near) => own.has(near)));
      if (beside.length && rules.contact !== "sides") return { text: t("{ships} would touch side by side: under this contact rule ships must not share a side.", { ships }), cells: [...beside, ...other] };
      const across = cells.filter((each) => game.corners(each).some((near) => own.has(near)));
      if (across.length && rules.contact === "none") return { text: t("{ships} would touch at a corner: under this contact rule ships do not touch, even diagonally.", { ships }), cells: [...across, ...other] };
    }
    return null;
  }

  at(cell) { return this.ships.findIndex((cells) => cells && cells.includes(cell)); }

  pick(cell) {
    const there = this.at(cell);
    if (there >= 0) return this.takeUp(there);
    if (this.chosen < 0) return undefined;
    const wrong = this.broken(cell);
    if (wrong) {
      this.wrong = wrong;
    } else {
      this.ships[this.chosen] = this.cellsFrom(cell);
      this.wrong = { text: "", cells: [] };
      this.chosen = this.ships.indexOf(null);
    }
    return this.show();
  }

  takeUp(ship) {
    const cells = this.ships[ship];
    this.ships[ship] = null;
    this.upright = cells.length > 1 ? cells[1] - cells[0] === this.game.columns && this.game.columns > 1 : this.upright;
    this.choose(ship);
  }

  choose(ship) {
    this.chosen = ship;
    this.wrong = { text: "", cells: [] };
    this.show();
  }

  turn() {
    this.upright = !this.upright;
    this.wrong = { text: "", cells: [] };
    this.show();
  }

  clear() {
    this.ships = this.game.fleet.map(() => null);
    this.choose(0);
  }

  // Ships by name, in any order.
  take(names) {
    const drawn = names.map((name) => this.game.ship(name));
    this.ships = this.game.fleet.map((length) => drawn.splice(drawn.findIndex((cells) => cells.length === length), 1)[0]);
    this.choose(-1);
  }

  hover(cell) {
    if (cell === this.over) return;
    this.over = cell;
    this.showBoard();
  }

  // What stands below the board: {state, text}.
  get verdict() {
    if (this.wrong.text) return { state: "wrong", text: this.wrong.text };
    if (this.complete) return { state: "right", text: t("Your fleet is hidden: {ships}.", { ships: listed(this.names) }) };
    const length = this.game.fleet[this.chosen];
    const room = (upright) => Array.from({ length: this.game.cells }, (_, cell) => cell).some((cell) => {
      const was = this.upright;
      this.upright = upright;
      const broken = this.at(cell) >= 0 || this.broken(cell);
      this.upright = was;
      return !broken;
    });
    if (!room(this.upright)) {
      return room(!this.upright) ? { state: "wrong", text: t(this.upright ? "There is room for the ship of length {length} only across: turn it." : "There is room for the ship of length {length} only downwards: turn it.", { length }) }
        : this.ships.some(Boolean) ? { state: "wrong", text: t("There is no room left for the ship of length {length}: take another ship up.", { length }) }
          : { state: "wrong", text: t("A ship of length {length} has no room on this board: choose another game.", { length }) };
    }
    const text = t(length === 1 ? "Place the ship of length {length}: choose its cell." : this.upright ? "Place the ship of length {length}: choose its first cell, going down."
      : "Place the ship of length {length}: choose its first cell, going right.", { length });
    return { state: "unfinished", text };
  }

  show() {
    const { verdict } = this;
    this.showTray();
    this.showBoard();
    this.places.verdict.textContent = verdict.text;
    this.places.verdict.dataset.state = verdict.state;
    this.onChange();
  }

  showTray() {
    const buttons = this.game.fleet.map((length, ship) => {
      const cells = this.ships[ship];
      const at = cells && this.game.shipName(cells);
      return el("button", {
        type: "button", "data-ship": ship, "data-placed": cells !== null, "aria-pressed": String(ship === this.chosen),
        "aria-label": t(at ? "Ship of length {length}, at {at}: take it up" : "Ship of length {length}, not placed", { length, at }), title: t(at ? "{at}: take it up" : "Length {length}", { at, length }),
        onclick: () => { if (this.ships[ship]) this.takeUp(ship); else this.choose(ship); this.places.tray.querySelector(`[data-ship="${ship}"]`).focus(); },
      }, shipShape(length));
    });
    const focused = this.places.tray.contains(document.activeElement) ? document.activeElement.dataset.ship : null;
    this.places.tray.replaceChildren(...buttons);
    if (focused !== null && focused !== undefined) this.places.tray.querySelector(`[data-ship="${focused}"]`).focus();
  }

  showBoard() {
    const { game } = this;
    const placed = this.ships.filter(Boolean);
    const joins = joinsOf(game, placed);
    const free = this.chosen >= 0 && this.over !== null && this.at(this.over) < 0;
    const shadow = free && !this.broken(this.over) ? this.cellsFrom(this.over) : [];
    for (const [cell, sides] of joinsOf(game, shadow.length ? [shadow] : [])) joins.set(cell, sides);
    this.board.show(Array.from({ length: game.cells }, (_, cell) => {
      const found = this.at(cell) >= 0;
      const barred = !found && this.chosen >= 0 && this.broken(cell) !== null;
      const bad = this.wrong.cells.includes(cell);
      const word = found ? t("ship {ship}", { ship: game.shipName(this.ships[this.at(cell)]) }) : t(barred ? "the ship cannot begin here" : this.chosen < 0 ? "water" : "free");
      return { found, ghost: shadow.includes(cell), bad, joins: joins.get(cell) || "", also: barred ? "is-barred" : "", word: word + (bad ? `, ${t("breaks a rule")}` : "") };
    }));
  }
}
