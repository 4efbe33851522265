// The word above the panel's contents: what can be said of the film, or what went wrong, and the ways on from there.

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

  // What went wrong beside the film on show, which stays.
  note(text) {
    showWords(this.part("aside"), text);
    this.part("aside").hidden = !text;
  }

  // The gate's refusal. `anyway`: how the way past it is called.
  refused({ reason, advice, remedy }, anyway, callbacks) {
    this.say(reason, advice);
    this.offer(remedy, callbacks);
    this.way(anyway, "way-anyway", callbacks.anyway);
  }

  // The change after which the film is worth another look; null: none.
  offer(remedy, callbacks) {
    if (remedy) this.way(REMEDIES[remedy], "way-remedy", () => callbacks.amend(remedy));
  }

  way(words, className, take) {
    const button = make("button", "way " + className, words);
    button.type = "button";
    button.addEventListener("click", () => {
      this.part("word-title").focus(); // the button goes
      take();
    });
    this.part("ways").append(button);
  }
}
