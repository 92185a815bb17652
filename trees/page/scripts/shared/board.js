// The board: a grid that keyboards and screen readers can walk.

import { el, percent, svg } from "./elements.js";

const TINY = 34;

export class BoardView {
  // onPick(cell) makes cells that can be pressed, and set if it selects; label names the grid for
  // screen readers; cells narrower than `tiny` show no numbers.
  constructor(game, { label, onPick = null, selects = true, small = false, tiny = TINY }) {
    this.game = game;
    this.onPick = onPick;
    this.selects = onPick !== null && selects;
    this.at = 0;
    this.cells = [];
    this.element = el("div", { class: small ? "board small" : "board" });
    this.element.style.setProperty("--columns", game.columns);
    this.element.style.setProperty("--rows", game.rows);
    const grid = el("div", { class: "grid", role: "grid", "aria-label": label });
    const head = el("div", { class: "row", role: "presentation", "aria-hidden": "true" }, el("span", { class: "edge" }));
    for (let c = 0; c < game.columns; c++) head.append(el("span", { class: "edge" }, game.columnName(c)));
    grid.append(head);
    for (let r = 0; r < game.rows; r++) {
      const row = el("div", { class: "row", role: "row" }, el("span", { class: "edge", "aria-hidden": "true" }, String(r + 1)));
      for (let c = 0; c < game.columns; c++) row.append(this.makeCell(r * game.columns + c));
      grid.append(row);
    }
    grid.addEventListener("keydown", (event) => this.move(event));
    this.grid = grid;
    if (this.selects) grid.setAttribute("aria-multiselectable", "true");
    this.element.append(grid);
    // Numbers in cells narrower than this cannot be read: the colours stay, and the words for the ear.
    new ResizeObserver(([entry]) => {
      this.element.classList.toggle("tiny", entry.contentRect.width / game.columns < tiny);
    }).observe(this.element);
  }

  makeCell(cell) {
    const text = el("span", { class: "chance", "aria-hidden": "true" });
    const node = el("div", { class: "cell", role: "gridcell", tabindex: cell === 0 ? 0 : -1, "data-cell": this.game.name(cell) });
    const layer = svg("svg", { viewBox: "0 0 40 40", "aria-hidden": "true", focusable: "false" });
    node.append(text, layer);
    node.addEventListener("focus", () => this.rove(cell, false));
    if (this.onPick) {
      node.classList.add("pick");
      node.addEventListener("click", () => { this.rove(cell, true); this.onPick(cell); });
    }
    this.cells.push({ node, text, layer });
    return node;
  }

  rove(cell, focus) {
    this.cells[this.at].node.setAttribute("tabindex", "-1");
    this.at = cell;
    this.cells[cell].node.setAttribute("tabindex", "0");
    if (focus) this.cells[cell].node.focus();
  }

  move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { columns, cells } = this.game, column = this.at % columns;
    const to = {
      ArrowLeft: column > 0 ? this.at - 1 : this.at,
      ArrowRight: column < columns - 1 ? this.at + 1 : this.at,
      ArrowUp: this.at - columns,
      ArrowDown: this.at + columns,
    }[event.key];
    if (to !== undefined) {
      if (to >= 0 && to < cells) this.rove(to, true);
    } else if (this.onPick && (event.key === " " || event.key === "Enter")) {
      this.onPick(this.at);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Colours run up to the likeliest cell, so that a map whose chances are all small shows them, too.
  // Returns its chance.
  shade(looks) {
    const most = Math.max(...looks.map((look) => look.share || 0), 0.001);
    looks.forEach(({ share, mark }, cell) => this.cells[cell].node.style.setProperty("--p", share && !mark ? (share / most) ** 1.5 : 0));
    return most;
  }

  // looks: per cell {mark, target, share, cost, word, found, ghost, bad, fresh, pick, also}; share
  // null hides the chance, cost is a text in its place, pick false makes a cell that cannot be
  // pressed, also are classes that a page has beyond these.
  show(looks) {
    looks.forEach((look, cell) => {
      const { node, text, layer } = this.cells[cell];
      const name = this.game.name(cell);
      node.className = ["cell", this.onPick && look.pick !== false ? "pick" : "", look.mark ? `is-${look.mark}` : "", look.target ? "is-target" : "",
        look.found ? "is-found" : "", look.ghost ? "is-ghost" : "", look.bad ? "is-bad" : "", this.game.blocked.has(cell) && !look.mark ? "is-blocked" : "", look.fresh ? "is-fresh" : "", look.also || ""].filter(Boolean).join(" ");
      node.setAttribute("aria-label", [name, look.word].filter(Boolean).join(", "));
      if (this.selects) node.setAttribute("aria-selected", look.found ? "true" : "false");
      const plain = look.share !== null && look.share !== undefined && !look.mark;
      node.style.setProperty("--p", plain ? look.share : 0);
      text.textContent = plain ? percent(look.share) : look.cost || look.tag || "";
      node.classList.toggle("has-chance", plain || look.cost !== undefined);
      node.classList.toggle("has-cost", look.cost !== undefined);
      layer.replaceChildren(...signs(look));
    });
  }
}

// Signs differ in shape as well as in colour: dot, cross, cross on a dark square, target.
export function signs(look) {
  const shapes = [];
  if (look.found || look.ghost) shapes.push(shipPart(look.joins || "", look.found ? "hull" : "ghost"));
  if (look.mark === "miss") shapes.push(svg("circle", { class: "miss", cx: 20, cy: 20, r: 5.5 }));
  if (look.mark === "sunk") shapes.push(shipPart(look.joins || "", "wreck"));
  if (look.mark === "hit" || look.mark === "sunk") {
    const low = look.mark === "sunk" && look.tag; // the ship's name stands below the cross
    shapes.push(svg("path", { class: look.mark === "sunk" ? "cross white" : "cross", d: low ? "M14 9L26 21M26 9L14 21" : "M12 12L28 28M28 12L12 28" }));
  }
  if (look.target) {
    for (const name of ["halo", "ring"]) {
      shapes.push(svg("circle", { class: name, cx: 20, cy: 20, r: 14 }));
      shapes.push(svg("path", { class: name, d: "M20 3V9M20 31v6M3 20H9M31 20h6" }));
    }
  }
  return shapes;
}

// A cell's part of a ship; joins lists the sides (n e s w) where the ship goes on.
export function shipPart(joins, kind) {
  const inset = 5, round = 11;
  const x0 = joins.includes("w") ? -1 : inset, x1 = joins.includes("e") ? 41 : 40 - inset;
  const y0 = joins.includes("n") ? -1 : inset, y1 = joins.includes("s") ? 41 : 40 - inset;
  const r = (a, b) => (joins.includes(a) || joins.includes(b) ? 0 : round);
  const [nw, ne, se, sw] = [r("n", "w"), r("n", "e"), r("s", "e"), r("s", "w")];
  const d = `M${x0 + nw} ${y0}H${x1 - ne}Q${x1} ${y0} ${x1} ${y0 + ne}V${y1 - se}Q${x1} ${y1} ${x1 - se} ${y1}` +
    `H${x0 + sw}Q${x0} ${y1} ${x0} ${y1 - sw}V${y0 + nw}Q${x0} ${y0} ${x0 + nw} ${y0}Z`;
  return svg("path", { class: kind, d });
}

// Sides on which each cell's ship goes on: cell -> letters out of "nesw".
export function joinsOf(game, ships) {
  const joins = new Map();
  for (const ship of ships) {
    const own = new Set(ship);
    for (const cell of ship) {
      const column = cell % game.columns;
      let sides = "";
      if (own.has(cell - game.columns)) sides += "n";
      if (column < game.columns - 1 && own.has(cell + 1)) sides += "e";
      if (own.has(cell + game.columns)) sides += "s";
      if (column > 0 && own.has(cell - 1)) sides += "w";
      joins.set(cell, sides);
    }
  }
  return joins;
}
