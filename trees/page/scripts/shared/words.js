// Words: what a page says, in the language of the reader.
//
// The texts in code and templates are English. For each other language that a page speaks it holds a
// table, a file `words/LANGUAGE.json`: what each English text is in it, with {names} where something
// is put in; under "# NOUN" the forms of what is counted, by the names of Intl.PluralRules.

import { el } from "./elements.js";
import { allowed } from "./kept.js";

const WORDS = JSON.parse((document.getElementById("words") || {}).textContent || "{}");
const LANGUAGES = ["en", ...Object.keys(WORDS)];
const KEPT_LANGUAGE = "seabattle language";

// What the address asks for, what was chosen before, or what the browser prefers.
export const LANGUAGE = (() => {
  const wanted = [new URLSearchParams(location.search).get("lang"), allowed(() => localStorage.getItem(KEPT_LANGUAGE)), ...navigator.languages];
  return wanted.map((name) => (name || "").slice(0, 2).toLowerCase()).find((name) => LANGUAGES.includes(name)) || "en";
})();

// The letters of columns, as boards are printed where the language is spoken.
export const LETTERS = LANGUAGE === "ru" ? "russian" : "latin";

const PLURAL = new Intl.PluralRules(LANGUAGE);

// A text in the reader's language, with the parts put in.
export function t(text, parts = {}) {
  const words = (WORDS[LANGUAGE] || {})[text] || text;
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in parts ? parts[name] : whole));
}

// The same with elements among the parts: a list of texts and elements.
export function nodesOf(text, parts) {
  return t(text).split(/(\{\w+\})/).filter(Boolean).map((piece) => (/^\{\w+\}$/.test(piece) ? parts[piece.slice(1, -1)] : piece));
}

export function counted(number, noun) {
  const forms = (WORDS[LANGUAGE] || {})[`# ${noun}`], shown = number.toLocaleString(LANGUAGE);
  if (forms) return (forms[PLURAL.select(number)] || forms.other).replace("#", shown);
  const many = { miss: "misses" }[noun] || `${noun}s`;
  return `${shown} ${number === 1 ? noun : many}`;
}

export function decimal(number, digits) {
  return number.toLocaleString(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
}

export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${t("and")} ${words[words.length - 1]}`;
}

// Puts what stands in the page's templates into the reader's language.
export function translate(root) {
  document.documentElement.lang = LANGUAGE;
  document.title = t(document.title);
  if (LANGUAGE === "en") return;
  const spoken = (text) => text.replace(/\S(?:[\s\S]*\S)?/, (words) => t(words.replace(/\s+/g, " ")));
  for (const node of root.querySelectorAll("*:not(script)")) {
    for (const name of ["aria-label", "title"]) if (node.hasAttribute(name)) node.setAttribute(name, spoken(node.getAttribute(name)));
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) child.data = spoken(child.data);
  }
}

// The control that changes the language; the page begins anew with what it kept.
export function languageChoice(select) {
  const name = (language) => new Intl.DisplayNames([language], { type: "language" }).of(language);
  select.append(...LANGUAGES.map((language) => el("option", { value: language, lang: language, selected: language === LANGUAGE }, name(language).replace(/^./, (first) => first.toUpperCase()))));
  select.addEventListener("change", () => {
    try {
      localStorage.setItem(KEPT_LANGUAGE, select.value);
      history.replaceState(history.state, "", location.pathname + location.hash);
      location.reload();
    } catch {
      location.search = `?lang=${select.value}`;
    }
  });
}
