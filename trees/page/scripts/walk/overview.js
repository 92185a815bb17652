// The tree in small: the nodes around the current one, and the whole tree as a map.

import { answerKind, answerShort, shipShort } from "../shared/answers.js";
import { SUNK_LENGTH } from "../shared/codes.js";
import { el, percent, svg } from "../shared/elements.js";
import { LANGUAGE, counted, t } from "../shared/words.js";

const BOX = { width: 50, height: 34, level: 66, gap: 6 };
const MOST_BOXES = 11;
const SMALLEST = 0.9; // scale at which texts can still be read, and boxes be hit by a finger

// Nodes to show around v: its parent, its siblings, its children, and theirs if there is room.
function neighbourhood(strategy, v, room) {
  const grow = (u, below) => ({ node: u, kids: below > 0 ? strategy.kids[u].map((kid) => grow(kid, below - 1)) : [] });
  const boxes = (item) => item.kids.reduce((sum, kid) => sum + boxes(kid), 0) || 1;
  const up = strategy.parent[v];
  for (const below of [2, 1]) {
    const here = grow(v, below);
    const top = up < 0 ? here : { node: up, kids: strategy.kids[up].map((kid) => (kid === v ? here : grow(kid, 0))) };
    if (boxes(top) <= room || below === 1) return { top, boxes: boxes(top) };
  }
}

// Drawn for a place so many pixels wide; a wider picture keeps its size, and the place scrolls.
export function drawNear(strategy, v, go, pixels) {
  const step = BOX.width + BOX.gap;
  const room = Math.max(1, Math.min(MOST_BOXES, Math.floor(pixels / (step * SMALLEST))));
  const { top, boxes } = neighbourhood(strategy, v, room);
  const { game } = strategy;
  const width = Math.max(boxes, Math.min(6, room)) * step;
  const edges = svg("g"), nodes = svg("g");
  let right = 0, lowest = 0;
  const place = (item, level) => {
    const xs = item.kids.map((kid) => place(kid, level + 1));
    const x = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : (right++ + 0.5) * step;
    const y = level * BOX.level + 2;
    lowest = Math.max(lowest, y + BOX.height);
    item.kids.forEach((kid, i) => edges.append(...edge(strategy.code[kid.node], x, y + BOX.height, xs[i], y + BOX.level, strategy.game.fleet)));
    nodes.append(box(item.node, x, y));
    return x;
  };
  const box = (u, x, y) => {
    const leaf = strategy.shot[u] < 0;
    const left = strategy.left(u).toLocaleString(LANGUAGE);
    const group = svg("g", { class: `box${u === v ? " here" : ""}${leaf ? " leaf" : ""}`, transform: `translate(${x - BOX.width / 2} ${y})`, "data-node": u },
      svg("rect", { class: "touch", x: -BOX.gap / 2, y: -8, width: step, height: BOX.height + 16 }),
      svg("rect", { class: "frame", width: BOX.width, height: BOX.height, rx: leaf ? 16 : 7 }),
      svg("text", { x: BOX.width / 2, y: 14.5, class: "shot" }, leaf ? t("found") : game.name(strategy.shot[u])),
      svg("text", { x: BOX.width / 2, y: 27.5, class: "left" }, leaf ? counted(strategy.missed[u], "miss") : left),
      svg("title", {}, leaf ? t("found with {misses}", { misses: counted(strategy.missed[u], "miss") }) : t("shot {cell}, {layouts} left", { cell: game.name(strategy.shot[u]), layouts: counted(strategy.left(u), "layout") })));
    if (u !== v) group.addEventListener("click", () => go(u));
    return group;
  };
  const shift = (width - boxes * step) / 2;
  place(top, 0);
  const picture = svg("svg", { viewBox: `${-shift} -8 ${width} ${lowest + 18}`, "aria-hidden": "true", focusable: "false" }, edges, nodes);
  picture.style.maxWidth = `${width * 1.15}px`;
  picture.style.minWidth = `${boxes * step * SMALLEST}px`;
  return picture;
}

// An edge with the sign of its answer: a dot, a cross, a cross on a dark square, or a name.
function edge(code, x0, y0, x1, y1, fleet) {
  const kind = answerKind(code), middle = (y0 + y1) / 2;
  const line = svg("path", { class: `edge ${kind}`, d: `M${x0} ${y0}C${x0} ${middle} ${x1} ${middle - 8} ${x1} ${y1}` });
  const at = `translate(${x1} ${y1 - 11})`;
  if (code >= SUNK_LENGTH) {
    const text = (kind === "sunk" ? "X" : "") + shipShort(code, fleet);
    return [line, svg("g", { transform: at, class: `sign ${kind}` }, svg("rect", { x: -11, y: -7, width: 22, height: 14, rx: 4 }), svg("text", { y: 3.5 }, text))];
  }
  const shape = kind === "miss"
    ? [svg("circle", { r: 3.4, class: "miss" })]
    : [svg("path", { d: "M-3.5 -3.5L3.5 3.5M3.5 -3.5L-3.5 3.5", class: "x" })];
  return [line, svg("g", { transform: at, class: `sign ${kind}` }, svg("rect", { x: -7, y: -7, width: 14, height: 14, rx: kind === "sunk" ? 2 : 7 }), ...shape)];
}

// The whole tree as a map: a row for each shot, each node as wide as its share of the layouts.
export class TreeMap {
  constructor(element, go) {
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.tip = el("p", { class: "tip", "aria-hidden": "true" });
    element.replaceChildren(this.canvas, this.tip);
    this.canvas.addEventListener("click", (event) => { const v = this.nodeAt(event); if (v !== null) go(v); });
    this.canvas.addEventListener("mousemove", (event) => this.hint(event));
    this.canvas.addEventListener("mouseleave", () => { this.tip.textContent = ""; });
  }

  draw(strategy, v) {
    this.strategy = strategy;
    const width = this.canvas.clientWidth || 400, ratio = window.devicePixelRatio || 1;
    this.row = Math.max(5, Math.min(12, Math.floor(132 / (strategy.deepest + 1))));
    const height = this.row * (strategy.deepest + 1);
    this.canvas.style.height = `${height}px`;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const paint = this.canvas.getContext("2d");
    paint.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const colour = (name) => style.getPropertyValue(name).trim();
    const fills = { miss: colour("--miss"), hit: colour("--hit"), sunk: colour("--wreck") };
    const scale = width / strategy.layouts;
    const onPath = new Set(strategy.pathTo(v));
    for (let u = 0; u < strategy.size; u++) {
      const w = strategy.left(u) * scale;
      const inside = strategy.start[u] >= strategy.start[v] && strategy.end[u] <= strategy.end[v] && u >= v;
      paint.globalAlpha = onPath.has(u) || inside ? 1 : 0.35;
      paint.fillStyle = u === 0 ? colour("--ink-soft") : fills[answerKind(strategy.code[u])];
      const slit = w > 3 ? 0.8 : 0;
      paint.fillRect(strategy.start[u] * scale, strategy.depth[u] * this.row, Math.max(w - slit, 0.3), this.row - 1);
    }
    paint.globalAlpha = 1;
    paint.strokeStyle = colour("--target");
    paint.lineWidth = 2;
    const w = Math.max(strategy.left(v) * scale, 5);
    const x = Math.max(1, Math.min(strategy.start[v] * scale, width - w - 1));
    paint.strokeRect(x, strategy.depth[v] * this.row + 0.5, w - 1, this.row);
  }

  nodeAt(event) {
    const { strategy } = this, box = this.canvas.getBoundingClientRect();
    const row = Math.floor(((event.clientX - box.left) / box.width) * strategy.layouts);
    const depth = Math.floor((event.clientY - box.top) / this.row);
    if (row < 0 || row >= strategy.layouts) return null;
    return strategy.pathOfRow(row)[depth] ?? null;
  }

  hint(event) {
    const v = this.nodeAt(event), { strategy } = this;
    if (v === null) { this.tip.textContent = ""; return; }
    const shots = strategy.shotsBefore(v).map(([cell, code]) => `${strategy.game.name(cell)} ${answerShort(code, strategy.game.fleet)}`);
    this.tip.textContent = `${shots.join(", ") || t("at the start")}: ${counted(strategy.left(v), "layout")}`;
  }
}

// How many layouts cost how many misses, as bars; the bar of one layout can be marked.
export function drawSpread(strategy, marked = -1) {
  const sums = new Array(strategy.worst[0] + 1).fill(0);
  for (let row = 0; row < strategy.layouts; row++) sums[strategy.cost[row]] += strategy.weightOf(row);
  const most = Math.max(...sums), whole = strategy.weight[0];
  const bars = sums.map((sum, misses) => {
    const bar = el("span", { class: "fill" });
    bar.style.setProperty("--h", most > 0 ? sum / most : 0);
    return el("li", { class: misses === marked ? "bar-item marked" : "bar-item" },
      el("span", { class: "share", "aria-hidden": "true" }, percent(sum / whole)), bar,
      el("span", { class: "number", "aria-hidden": "true" }, String(misses)),
      el("span", { class: "sr" }, t(misses === marked ? "{misses}: {percent} percent of the layouts, this one too" : "{misses}: {percent} percent of the layouts", { misses: counted(misses, "miss"), percent: percent(sum / whole) || 0 })));
  });
  return el("div", { class: "spread" }, el("p", { class: "hint" }, t("Layouts (%) by misses")), el("ul", { class: "bars" }, ...bars));
}
