// Pictures, SVG: boards, and of a tree how many misses it takes, the path on which every shot misses,
// and the whole. They are drawn in the colours of the page, or for a file in those of paper.

import { answerKind } from "./answers.js";
import { shipPart } from "./board.js";
import { MISS } from "./codes.js";
import { percent, svg } from "./elements.js";
import { LANGUAGE, counted, decimal, t } from "./words.js";

export function pageColours() {
  const style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue(name).trim();
  return { ink: colour("--ink"), soft: colour("--ink-soft"), line: colour("--sea-line"), sea: colour("--sea"), heat: colour("--heat"), miss: colour("--miss"), hit: colour("--hit"), wreck: colour("--wreck"), target: colour("--target"), good: colour("--good"), ground: colour("--panel") };
}

// The colours of the light theme, whatever the page shows.
export function paperColours() {
  const { dataset } = document.documentElement, { theme } = dataset;
  dataset.theme = "light";
  const colours = pageColours();
  if (theme) dataset.theme = theme;
  else delete dataset.theme;
  return colours;
}

// A picture {width, height, parts}; `framed` makes it an element.
export function framed({ width, height, parts }, label) {
  return svg("svg", { class: "picture", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label, "font-family": "system-ui, sans-serif" }, ...parts);
}

const words = (x, y, text, more = {}) => svg("text", { x, y, "font-size": 12, "text-anchor": "middle", ...more }, text);

// Words on the ground of a picture, apart from its shapes.
const label = (...given) => svg("g", {}, words(...given));

// A colour between two.
export function mixed(one, other, share) {
  const parts = [one, other].map((colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)));
  return `#${parts[0].map((part, i) => Math.round(part + (parts[1][i] - part) * share).toString(16).padStart(2, "0")).join("")}`;
}

// Bars of how many layouts take how many misses, side by side: {name, distribution, colour: by name}.
export function spreadsPicture(spreads, colours) {
  const worst = Math.max(...spreads.map(({ distribution }) => distribution.length)), bar = 12, step = spreads.length * bar + 10, left = 8, top = 20 + 18 * spreads.length, tall = 110;
  const whole = spreads[0].distribution.reduce((sum, each) => sum + each, 0), most = Math.max(...spreads.flatMap(({ distribution }) => distribution)), parts = [];
  spreads.forEach(({ name, colour, distribution }, i) => {
    parts.push(svg("rect", { x: left, y: 6 + 18 * i, width: 11, height: 11, rx: 2, fill: colours[colour] }), label(left + 18, 16 + 18 * i, name, { "text-anchor": "start", fill: colours.ink }));
    distribution.forEach((many, misses) => {
      const height = (tall * many) / most, x = left + misses * step + i * bar;
      parts.push(svg("rect", { x, y: top + tall - height, width: bar - 2, height, rx: 1.5, fill: colours[colour] }, svg("title", {}, `${name}: ${t("{misses}: {percent} percent of the layouts", { misses: counted(misses, "miss"), percent: percent(many / whole) || 0 })}`)));
    });
  });
  const width = Math.max(330, left + worst * step + 10);
  for (let misses = 0; misses < worst; misses++) parts.push(label(left + misses * step + (step - 10) / 2, top + tall + 15, String(misses), { fill: colours.ink }));
  parts.push(svg("path", { d: `M${left} ${top + tall}H${left + worst * step - 6}`, stroke: colours.line }), label(left, top + tall + 32, t("misses"), { "text-anchor": "start", fill: colours.soft }));
  return { width, height: top + tall + 40, parts };
}

// A board with its first cell here; `lookAt` says of a cell {mark: "miss", "hit", "sunk" or "shot", fill,
// text, bold, joins: where its sunk ship goes on}.
export function boardParts(game, left, top, size, lookAt, colours) {
  const parts = [], line = Math.max(0.8, size / 40);
  for (let cell = 0; cell < game.cells; cell++) {
    const x = left + (cell % game.columns) * size, y = top + Math.floor(cell / game.columns) * size, mx = x + size / 2, my = y + size / 2, arm = size * 0.26;
    const { mark, fill = game.blocked.has(cell) ? colours.line : colours.sea, text = "", bold = false, joins = "" } = lookAt(cell);
    const shapes = [svg("rect", { x, y, width: size, height: size, fill, stroke: colours.line, "stroke-width": line })];
    if (mark === "miss") shapes.push(svg("circle", { cx: mx, cy: my, r: size * 0.15, fill: colours.miss }));
    if (mark === "sunk") shapes.push(svg("g", { transform: `translate(${x} ${y}) scale(${size / 40})`, fill: colours.wreck }, shipPart(joins, "")));
    if (mark === "hit" || mark === "sunk") shapes.push(svg("path", { d: `M${mx - arm} ${my - arm}L${mx + arm} ${my + arm}M${mx + arm} ${my - arm}L${mx - arm} ${my + arm}`, stroke: mark === "hit" ? colours.hit : colours.ground, "stroke-width": size * 0.11 }));
    if (mark === "shot") shapes.push(svg("circle", { cx: mx, cy: my, r: size * 0.36, fill: "none", stroke: colours.target, "stroke-width": size * 0.08 }));
    if (text) shapes.push(words(mx, my + size * 0.1, text, { "font-size": size * (text.length > 3 ? 0.27 : 0.33), fill: colours.ink, ...(bold ? { "font-weight": "bold" } : {}) }));
    parts.push(svg("g", {}, ...shapes));
  }
  return parts;
}

// A board by itself, with the names of its rows and columns.
export function boardPicture(game, size, lookAt, colours) {
  const edge = 22, parts = boardParts(game, edge, edge, size, lookAt, colours);
  for (let c = 0; c < game.columns; c++) parts.push(label(edge + (c + 0.5) * size, 15, game.columnName(c), { fill: colours.soft }));
  for (let r = 0; r < game.rows; r++) parts.push(label(11, edge + (r + 0.5) * size + 4, String(r + 1), { fill: colours.soft }));
  return { width: edge + game.columns * size + 4, height: edge + game.rows * size + 4, parts };
}

// The path on which every shot misses, as boards in a row.
export function stripPicture(strategy, colours) {
  const { game } = strategy, path = [0];
  const missed = () => strategy.kids[path.at(-1)].find((kid) => strategy.code[kid] === MISS);
  for (let next = missed(); next !== undefined; next = missed()) path.push(next);
  const size = Math.max(7, Math.min(16, Math.floor(96 / game.columns))), step = game.columns * size + 18, parts = [], height = game.rows * size + 52;
  path.forEach((node, i) => {
    const x = 6 + i * step, looks = new Map(strategy.shotsBefore(node).map(([cell, code]) => [cell, { mark: answerKind(code) }])), middle = x + (game.columns * size) / 2;
    if (strategy.shot[node] >= 0) looks.set(strategy.shot[node], { mark: "shot" });
    parts.push(...boardParts(game, x, 6, size, (cell) => looks.get(cell) || {}, colours), label(middle, game.rows * size + 22, strategy.shot[node] >= 0 ? game.name(strategy.shot[node]) : t("found"), { "font-weight": 600, fill: colours.ink }),
      label(middle, game.rows * size + 38, strategy.left(node).toLocaleString(LANGUAGE), { "font-size": 10, fill: colours.soft }));
  });
  return { width: 12 + path.length * step - 18, height, parts };
}

// The whole tree: a row for each shot, each node as wide as its layouts.
export function treePicture(strategy, colours, width = 760) {
  const row = 13, parts = [], fills = { miss: colours.miss, hit: colours.hit, sunk: colours.wreck }, scale = width / strategy.layouts;
  for (let v = 0; v < strategy.size; v++) {
    const wide = strategy.left(v) * scale;
    if (wide < 0.35) continue;
    const x = strategy.start[v] * scale, y = strategy.depth[v] * row;
    parts.push(svg("g", {}, svg("rect", { x: x.toFixed(2), y, width: Math.max(0.3, wide - (wide > 3 ? 0.8 : 0)).toFixed(2), height: row - 1, fill: v === 0 ? colours.soft : fills[answerKind(strategy.code[v])] }),
      ...(wide > 26 && strategy.shot[v] >= 0 ? [words(x + wide / 2, y + 9.5, strategy.game.name(strategy.shot[v]), { "font-size": 9, fill: colours.ground })] : [])));
  }
  return { width, height: row * (strategy.deepest + 1), parts };
}

// What each first shot costs, above the least: a board with numbers; `weight` is 1 for the worst case.
export function costsPicture(game, values, least, weight, colours) {
  const size = Math.max(26, Math.min(44, Math.floor(300 / game.columns))), costs = values.map((value) => (value === null ? null : value - least));
  const most = Math.max(1, ...costs.filter((cost) => cost !== null && (cost < weight || weight === 1)));
  return boardPicture(game, size, (cell) => {
    const cost = costs[cell];
    if (!cost) return cost === null ? {} : { fill: mixed(colours.sea, colours.good, 0.35), text: "★" };
    return { fill: mixed(colours.sea, colours.hit, 0.5 * Math.min(1, cost / most)), text: `+${decimal(cost / weight, weight === 1 ? 0 : cost / weight < 0.095 ? 3 : 2)}` };
  }, colours);
}

// Everything on one sheet, for a file.
export function sheetText(title, lines, pictures, colours) {
  const parts = [], margin = 24;
  let y = 44, width = 560;
  parts.push(label(margin, y, title, { "text-anchor": "start", "font-size": 20, "font-weight": 700, fill: colours.ink }));
  for (const line of lines) {
    y += 24;
    parts.push(label(margin, y, line, { "text-anchor": "start", "font-size": 13, fill: colours.ink }));
  }
  for (const [caption, picture] of pictures) {
    y += 40;
    parts.push(label(margin, y, caption, { "text-anchor": "start", "font-weight": 600, "font-size": 14, fill: colours.ink }));
    parts.push(svg("g", { transform: `translate(${margin} ${y + 10})` }, ...picture.parts));
    y += 10 + picture.height;
    width = Math.max(width, picture.width);
  }
  const whole = { width: width + 2 * margin, height: y + margin }, sheet = svg("svg", { ...whole, viewBox: `0 0 ${whole.width} ${whole.height}`, "font-family": "system-ui, sans-serif" }, svg("rect", { ...whole, fill: colours.ground }), ...parts);
  return new XMLSerializer().serializeToString(sheet);
}
