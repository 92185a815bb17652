// Tabs: buttons "tab-NAME" over panels "NAME", turned by arrow keys too.

import { byId } from "./elements.js";

// `onTurn(name)` is called when one is chosen; returns what shows that of a name.
export function tabList(names, onTurn) {
  let shown = names[0];
  for (const name of names) byId(`tab-${name}`).addEventListener("click", () => onTurn(name));
  byId(`tab-${shown}`).parentElement.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: names.length - 1, ArrowRight: 1 }[event.key];
    if (!by) return;
    onTurn(names[(names.indexOf(shown) + by) % names.length]);
    byId(`tab-${shown}`).focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return (chosen) => {
    shown = chosen;
    for (const name of names) {
      const tab = byId(`tab-${name}`), on = name === shown;
      tab.setAttribute("aria-selected", String(on));
      tab.setAttribute("tabindex", on ? "0" : "-1");
      byId(name).hidden = !on;
    }
  };
}
