// Hiding a fleet: ships are taken from the tray and put down on the board, under the contact rule.

import { BoardView, joinsOf } from "./board.js";
import { el, shipShape } from "./elements.js";
import { listed, t } from "./words.js";

// The ways of lines to lie: the cells of each as [row, column].
function linesOf(fleet) {
  const line = (length, cell) => Array.from({ length }, (_, i) => cell(i));
  return fleet.map((length) => [line(length, (i) => [0, i]), ...(length > 1 ? [line(length, (i) => [i, 0])] : [])]);
}

export class Hiding {
  // ways: of each ship the forms in which it may lie; onChange() is called when a ship was put down,
  // turned or taken up; told(), if given, is what is said of a whole fleet: {state, text}
  constructor(game, { board, tray, verdict, onChange, told = null, ways = linesOf(game.fleet) }) {
    this.game = game;
    this.ways = ways;
    this.places = { tray, verdict };
    this.onChange = onChange;
    this.told = told || (() => ({ state: "right", text: t("Your fleet is hidden: {ships}.", { ships: listed(this.names) }) }));
    this.ships = game.fleet.map(() => null);
    this.chosen = 0;
    this.turns = 0;
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

  // Whether the chosen ship may lie in more than one way.
  get turnable() { return this.chosen >= 0 && this.ways[this.chosen].length > 1; }

  // How the chosen ship lies, turned so many times.
  form(turns = this.turns) {
    const ways = this.ways[this.chosen];
    return ways[turns % ways.length];
  }

  // The cells of the chosen ship with its first cell here, or null where it would leave the board.
  cellsFrom(cell, turns = this.turns) {
    const { columns, rows } = this.game, form = this.form(turns), [, first] = form[0];
    const row = Math.floor(cell / columns), column = (cell % columns) - first;
    if (form.some(([down, right]) => row + down >= rows || column + right < 0 || column + right >= columns)) return null;
    return form.map(([down, right]) => (row + down) * columns + column + right);
  }

  // Which rule a ship here would break: {text, cells}; null when it breaks none.
  broken(cell, turns = this.turns) {
    const { game } = this, cells = this.cellsFrom(cell, turns);
    if (!cells) return { text: t("A ship of length {length} from {cell} would leave the board.", { length: game.fleet[this.chosen], cell: game.name(cell) }), cells: [cell] };
    const closed = cells.filter((each) => game.blocked.has(each));
    if (closed.length) return { text: t("No ship can lie on {cells}.", { cells: listed(closed.map((each) => game.name(each))) }), cells: closed };
    for (const other of this.ships) {
      if (!other) continue;
      const own = new Set(other);
      const ships = listed([game.shipName(cells), game.shipName(other)]);
      const same = cells.filter((each) => own.has(each));
      if (same.length) return { text: t("{ships} would share {cells}: every cell holds one ship.", { ships, cells: listed(same.map((each) => game.name(each))) }), cells: same };
      const beside = cells.filter((each) => game.sides(each).some((near) => own.has(near)));
      if (beside.length && game.contact !== "sides") return { text: t("{ships} would touch side by side: under this contact rule ships must not share a side.", { ships }), cells: [...beside, ...other] };
      const across = cells.filter((each) => game.corners(each).some((near) => own.has(near)));
      if (across.length && game.contact === "none") return { text: t("{ships} would touch at a corner: under this contact rule ships do not touch, even diagonally.", { ships }), cells: [...across, ...other] };
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
    this.chosen = ship;
    this.turns = Math.max(0, this.ways[ship].findIndex((_, turns) => String(this.cellsFrom(cells[0], turns)) === String(cells)));
    this.ships[ship] = null;
    this.choose(ship);
  }

  choose(ship) {
    this.chosen = ship;
    this.wrong = { text: "", cells: [] };
    this.show();
  }

  turn() {
    this.turns++;
    this.wrong = { text: "", cells: [] };
    this.show();
  }

  clear() {
    this.ships = this.game.fleet.map(() => null);
    this.choose(0);
  }

  // Ships by their cells, in any order.
  take(ships) {
    const drawn = ships.slice();
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
    if (this.complete) return this.told();
    const length = this.game.fleet[this.chosen], cells = Array.from({ length: this.game.cells }, (_, cell) => cell);
    const room = (turns) => cells.some((cell) => this.at(cell) < 0 && !this.broken(cell, turns));
    if (!room(this.turns)) {
      const text = this.ways[this.chosen].some((_, turns) => room(turns)) ? t("There is room for the ship of length {length} only another way round: turn it.", { length })
        : this.ships.some(Boolean) ? t("There is no room left for the ship of length {length}: take another ship up.", { length })
          : t("A ship of length {length} has no room on this board: choose another game.", { length });
      return { state: "wrong", text };
    }
    const [[, first], ...more] = this.form(), straight = more.length && (more.every(([row]) => !row) || more.every(([, column]) => column === first));
    const text = t(!straight ? "Place the ship of length {length}: choose its cell." : more[0][0] ? "Place the ship of length {length}: choose its first cell, going down."
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
