// The status above the panel's contents: whether the film can be read, what went wrong, and what to do.

import { make } from "./elements.js";
import { showWords } from "./refusal.js";

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

  part(name) {
    return this.room.querySelector("." + name);
  }

  say(title, detail = "", verdict = "") {
    this.part("word-title").textContent = title;
    showWords(this.part("word-detail"), detail);
    this.part("verdict").textContent = verdict;
    this.part("ways").replaceChildren();
  }

  // A problem with another file than the film on show, which stays.
  note(text) {
    showWords(this.part("aside"), text);
    this.part("aside").hidden = !text;
  }

  // The gate's refusal. `anyway`: the label of the button that reads the film nonetheless.
  refused({ reason, advice, remedy }, anyway, callbacks) {
    this.say(reason, advice);
    this.offer(remedy, callbacks);
    this.way(anyway, "way-anyway", callbacks.anyway);
  }

  // The correction after which the film is worth another try; null: none.
  offer(remedy, callbacks) {
    if (remedy) this.way(REMEDIES[remedy], "way-remedy", () => callbacks.amend(remedy));
  }

  way(words, className, take) {
    const button = make("button", "way " + className, words);
    button.type = "button";
    button.addEventListener("click", () => {
      this.part("word-title").focus(); // the button is removed
      take();
    });
    this.part("ways").append(button);
  }
}
