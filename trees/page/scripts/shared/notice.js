// A sentence on what went wrong, with a way to try again.

import { el } from "./elements.js";
import { t } from "./words.js";

export class Notice {
  constructor(place) { this.place = place; }

  // again(), if given, is offered as a button.
  show(text, again = null) {
    const button = again && el("button", { type: "button", onclick: () => { this.hide(); again(); } }, t("Try again"));
    this.place.replaceChildren(el("span", {}, text), ...(button ? [" ", button] : []));
    this.place.hidden = false;
  }

  hide() {
    this.place.hidden = true;
    this.place.replaceChildren();
  }
}
