// Elements, built so that no text can become markup.

export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

// An element; texts become text nodes, never markup.
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// A number of a list of them, with what it is, and a note below.
export function tile(name, value, note, { row = false, long = false } = {}) {
  return el("div", { class: row ? "whole-row" : null }, el("dt", {}, name), el("dd", { class: long ? "long" : null }, value, note ? el("small", {}, note) : null));
}

// The name of a key, a letter as a small one: where another alphabet is typed, that of the key's place.
export function letterOf({ key, code = "" }) {
  const name = key.length === 1 && !/[a-z0-9]/i.test(key) && code.startsWith("Key") ? code.slice(3) : key;
  return name.length === 1 ? name.toLowerCase() : name;
}

export function percent(share) {
  if (share <= 0) return "";
  if (share >= 1) return "100";
  const rounded = Math.round(share * 100);
  return rounded < 1 ? "<1" : rounded > 99 ? ">99" : String(rounded);
}

// A ship as it is drawn beside a board: a line of some cells, or a form by its rows.
export function shipShape(ship) {
  const text = String(ship), [, high, wide] = /^(\d+)x(\d+)=?$/.exec(text) || [], length = Number.parseInt(text, 10);
  if (high || text.includes("/")) {
    const rows = high ? Array.from({ length: Number(high) }, () => "x".repeat(Number(wide))) : text.replace("=", "").split("/");
    return el("span", { class: "form", "aria-hidden": "true" }, ...rows.map((row) => el("span", {}, ...[...row].map((sign) => el("i", sign === "x" ? { class: "ship" } : {})))));
  }
  const shape = el("span", { class: "ship", "aria-hidden": "true" });
  shape.style.setProperty("--n", length);
  return shape;
}
