// The sentences into which a question is put: the model's own, or the visitor's.

import { plural } from "../shared/figures.js";

export class Templates {
  constructor(fold) {
    this.fold = fold;
    this.own = ""; // the model's own
    this.text = fold.querySelector(".templates-text");
    this.reset = fold.querySelector(".templates-reset");
    this.text.addEventListener("input", () => this.refresh());
    this.reset.addEventListener("click", () => {
      this.text.value = this.own;
      this.text.focus();
      this.refresh();
    });
  }

  // Take the model's own once they are known; text that the visitor has typed by then stays.
  offer(lines) {
    if (!this.changed) this.text.value = lines;
    this.own = lines;
    this.refresh();
  }

  get changed() {
    return this.text.value.trim() !== this.own;
  }

  // The templates sent with a question: null for the model's own.
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
