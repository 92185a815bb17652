// What is kept of a game that is advised, and what is taken over: files, and texts that are pasted.

import { byId } from "../shared/elements.js";
import { Keep, download, positionText, readPasted, readPositionFile } from "../shared/files.js";
import { nameOfRules } from "../shared/record.js";
import { t } from "../shared/words.js";
import { pictureText } from "./picture.js";

export class KeepGame extends Keep {
  constructor(tab) {
    super(tab, { name: "advise", fileName: () => `seabattle-${nameOfRules(tab.state) || tab.state.board}-${tab.state.shots.length}`, picture: () => pictureText(tab) });
    const input = byId("advise-file");
    this.on("save", () => download(positionText(tab.state, tab.asked), `${this.fileName()}.json`, "application/json"));
    this.on("load", () => input.click());
    input.addEventListener("change", () => {
      const [file] = input.files;
      input.value = ""; // so that the same file can be chosen again
      if (file) this.take(readPositionFile(file), t("{name} is loaded. Undo brings back what was here.", { name: file.name }));
    });
    this.on("take", () => this.paste(byId("advise-paste").querySelector("textarea").value));
    document.addEventListener("paste", (event) => {
      if (tab.page.tab !== tab || event.target.closest("input, textarea")) return;
      this.paste(event.clipboardData.getData("text"));
      event.preventDefault();
    });
  }

  paste(text) {
    if (text.trim()) this.take(readPasted(text, this.tab.state), t("The text is taken over. Undo brings back what was here."));
    else this.say(t("There is no text to take."));
  }

  // A game that is being read.
  async take(reading, news) {
    this.say("");
    try {
      const { state, asked } = await reading;
      this.tab.take(state, news, asked);
      byId("advise-paste").open = false;
    } catch (error) {
      this.tab.news = "";
      byId("advise-news").textContent = "";
      this.say(error.message);
    }
  }
}
