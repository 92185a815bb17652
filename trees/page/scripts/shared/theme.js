// The button that chooses light, dark, or what the system says. onChange() is called when the page
// has other colours: by the button, or by the system.

import { t } from "./words.js";

export function themeButton(button, onChange) {
  const themes = ["auto", "light", "dark"];
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme || "auto";
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    button.textContent = t(`Theme: ${next}`);
    onChange();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => onChange());
}
