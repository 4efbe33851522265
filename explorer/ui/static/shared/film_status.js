// The status above the panel's contents: whether the film can be read, what went wrong, and what to do.

import { make } from "./elements.js";
import { showWithCommands } from "./refusal.js";

const REMEDIES = {
  invert: "Invert and read",
  "turn left": "Turn left and read",
  "turn right": "Turn right and read",
  "turn around": "Turn upside up and read",
  mirror: "Mirror and read",
};

export class FilmStatus {
  constructor(room) {
    this.room = room;
  }

  find(name) {
    return this.room.querySelector("." + name);
  }

  show(title, detail = "", verdict = "") {
    this.find("word-title").textContent = title;
    showWithCommands(this.find("word-detail"), detail);
    this.find("verdict").textContent = verdict;
    this.find("ways").replaceChildren();
  }

  // A problem with a file other than the displayed film, which stays.
  showNote(text) {
    showWithCommands(this.find("aside"), text);
    this.find("aside").hidden = !text;
  }

  // The gate's refusal. `anyway`: the label of the button that reads the film nonetheless.
  showRefusal({ reason, advice, remedy }, anyway, callbacks) {
    this.show(reason, advice);
    this.offerRemedy(remedy, callbacks);
    this.addButton(anyway, "way-anyway", callbacks.anyway);
  }

  // The correction after which the film is worth another try; null: none.
  offerRemedy(remedy, callbacks) {
    if (remedy) this.addButton(REMEDIES[remedy], "way-remedy", () => callbacks.amend(remedy));
  }

  addButton(words, className, take) {
    const button = make("button", "way " + className, words);
    button.type = "button";
    button.addEventListener("click", () => {
      this.find("word-title").focus(); // the button is removed
      take();
    });
    this.find("ways").append(button);
  }
}
