// The map as a picture that stands by itself: SVG, light.

import { answerKind } from "../shared/answers.js";
import { joinsOf, shipPart } from "../shared/board.js";
import { answerCode } from "../shared/codes.js";
import { percent, svg } from "../shared/elements.js";
import { layoutsText } from "../shared/looks.js";
import { gameOf, rulesInWords } from "../shared/record.js";
import { knownWrecks } from "./board.js";

const PICTURE = { cell: 40, edge: 30, ink: "#1c2733", line: "#c8d1da", heat: [217, 95, 14], miss: "#5b6b7a", hit: "#b3261e", sunk: "#3d3d3d" };

export function pictureText(tab) {
  const game = gameOf(tab.state), { cell: size, edge } = PICTURE, width = edge + game.columns * size + 10, height = edge + game.rows * size + 34;
  const shares = tab.chances || [], most = Math.max(0.2, ...shares.filter((_, cell) => !tab.record.answerAt(game.name(cell))));
  const ships = knownWrecks(tab.state, tab.wrecks), sunk = new Set(ships.flat()), joins = joinsOf(game, ships), best = new Set(tab.advice ? tab.advice.best : []);
  const text = (x, y, words, extra = {}) => svg("text", { x, y, "text-anchor": "middle", fill: PICTURE.ink, ...extra }, words);
  const parts = [svg("rect", { width, height, fill: "#fff" })];
  for (let c = 0; c < game.columns; c++) parts.push(text(edge + (c + 0.5) * size, edge - 9, game.columnName(c)));
  for (let r = 0; r < game.rows; r++) parts.push(text(edge / 2, edge + (r + 0.5) * size + 5, String(r + 1)));
  for (let cell = 0; cell < game.cells; cell++) {
    const x = edge + (cell % game.columns) * size, y = edge + Math.floor(cell / game.columns) * size, name = game.name(cell), answer = tab.record.answerAt(name);
    const share = shares[cell] || 0, heat = answer ? 0 : (share / most) ** 1.5;
    const mix = PICTURE.heat.map((part) => Math.round(255 + (part - 255) * 0.85 * heat));
    parts.push(svg("rect", { x, y, width: size, height: size, fill: `rgb(${mix})`, stroke: PICTURE.line }));
    const kind = answer && (sunk.has(cell) ? "sunk" : answerKind(answerCode(answer))), mx = x + size / 2, my = y + size / 2;
    if (kind === "miss") parts.push(svg("circle", { cx: mx, cy: my, r: 5, fill: PICTURE.miss }));
    if (sunk.has(cell)) {
      const part = shipPart(joins.get(cell) || "", "wreck");
      part.setAttribute("fill", PICTURE.sunk);
      parts.push(svg("g", { transform: `translate(${x} ${y})` }, part));
    }
    if (kind && kind !== "miss") parts.push(svg("path", { d: `M${mx - 9} ${my - 9}L${mx + 9} ${my + 9}M${mx + 9} ${my - 9}L${mx - 9} ${my + 9}`, stroke: sunk.has(cell) ? "#fff" : PICTURE[kind], "stroke-width": 4 }));
    else if (!kind && shares.length) parts.push(text(mx, my + 5, percent(share), best.has(name) ? { "font-weight": "bold" } : {}));
    if (!answer && best.has(name)) parts.push(svg("rect", { x: x + 3, y: y + 3, width: size - 6, height: size - 6, fill: "none", stroke: PICTURE.ink, "stroke-width": 2, rx: 6 }));
  }
  const caption = [rulesInWords(tab.state).slice(0, 2).join(", "), tab.advice ? layoutsText(tab.advice) : ""].filter(Boolean).join(": ");
  parts.push(svg("text", { x: edge, y: height - 10, fill: PICTURE.ink }, caption));
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "sans-serif", "font-size": 14 }, ...parts);
  return new XMLSerializer().serializeToString(picture);
}
