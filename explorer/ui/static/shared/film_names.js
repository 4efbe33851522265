// The names of the open films: with two, a button each to switch to the other one.

import { make } from "./elements.js";

export class FilmNames {
  constructor(box, activate) {
    this.box = box;
    this.activate = activate;
  }

  show(films, active) {
    const slots = Object.keys(films).sort();
    while (this.box.children.length > slots.length) this.box.lastChild.remove();
    while (this.box.children.length < slots.length) this.box.append(this.makeButton("ab"[this.box.children.length]));
    slots.forEach((slot, place) => {
      const button = this.box.children[place];
      button.textContent = button.title = films[slot].name;
      button.disabled = slots.length === 1;
      button.setAttribute("aria-pressed", String(slot === active));
    });
  }

  makeButton(slot) {
    const button = make("button", "film-name");
    button.type = "button";
    button.addEventListener("click", () => this.activate(slot));
    return button;
  }
}
