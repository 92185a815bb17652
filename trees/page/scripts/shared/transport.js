// Stepping through a game: to the first shot, one back, one on, to the last, or anywhere by a slider.

import { el } from "./elements.js";
import { t } from "./words.js";

export class Transport {
  // Its buttons stand around what the place has already; ids begin with `name`, steps with `least`.
  constructor(place, name, least, onStep) {
    Object.assign(this, { least, at: least, most: least, onStep });
    const button = (id, text, title, key) => el("button", { type: "button", id: name + id, title, onclick: () => this.key(key) }, text);
    this.back = [button("first", t("First"), t("To the first shot (Home)"), "Home"), button("previous", t("Back"), t("One shot back (left arrow)"), "ArrowLeft")];
    this.on = [button("next", t("Next"), t("One shot forward (right arrow)"), "ArrowRight"), button("last", t("Last"), t("To the last shot (End)"), "End")];
    this.slider = el("input", { type: "range", id: `${name}slider`, min: least, max: least, value: least, oninput: () => onStep(Number(this.slider.value)) });
    place.prepend(...this.back);
    place.append(...this.on, el("label", { class: "slide" }, el("span", { class: "sr" }, t("Shot")), this.slider));
  }

  // Takes a key, true if it was meant for a step.
  key(name) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: this.least, End: this.most }[name];
    if (to !== undefined) this.onStep(to);
    return to !== undefined;
  }

  show(at, most, said = null) {
    Object.assign(this, { at, most });
    for (const button of this.back) button.disabled = at === this.least;
    for (const button of this.on) button.disabled = at === most;
    this.slider.disabled = this.least === most;
    this.slider.max = most;
    this.slider.value = at;
    if (said) this.slider.setAttribute("aria-valuetext", said);
  }
}
