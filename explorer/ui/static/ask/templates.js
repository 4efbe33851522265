// The sentences that a question is put into: the model's own, or the visitor's.

import { plural } from "../shared/figures.js";

export class Templates {
  constructor(fold) {
    this.fold = fold;
    this.own = ""; // of the model
    this.text = fold.querySelector(".templates-text");
    this.reset = fold.querySelector(".templates-reset");
    this.text.addEventListener("input", () => this.refresh());
    this.reset.addEventListener("click", () => {
      this.text.value = this.own;
      this.text.focus();
      this.refresh();
    });
  }

  // The model's own, once they are known; what a visitor has written by then stays.
  offer(lines) {
    if (!this.changed) this.text.value = lines;
    this.own = lines;
    this.refresh();
  }

  get changed() {
    return this.text.value.trim() !== this.own;
  }

  // What is sent with a question: null where the model's own are to be used.
  get sent() {
    return this.changed ? this.text.value : null;
  }

  refresh() {
    const lines = this.text.value.split("\n").filter((line) => line.trim()).length;
    this.reset.disabled = !this.changed;
    const few = this.changed && lines < 5 ? "; fewer than five are less steady" : "";
    const whose = this.changed ? ", yours" : ", the model's";
    this.fold.querySelector(".templates-state").textContent = plural(lines, "line") + whose + few;
  }
}
