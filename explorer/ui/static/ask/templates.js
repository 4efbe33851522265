// The sentences into which a question is put: the model's own, or the visitor's.

import { countText } from "../shared/figures.js";

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

  // Use the model's own sentences once they are known, but keep any text that the visitor has typed by then.
  takeModelLines(lines) {
    if (!this.isChanged) this.text.value = lines;
    this.own = lines;
    this.refresh();
  }

  get isChanged() {
    return this.text.value.trim() !== this.own;
  }

  // The templates sent with a question: null for the model's own.
  get sent() {
    return this.isChanged ? this.text.value : null;
  }

  refresh() {
    const lines = this.text.value.split("\n").filter((line) => line.trim()).length;
    this.reset.disabled = !this.isChanged;
    const few = this.isChanged && lines < 5 ? "; fewer than five are less steady" : "";
    const origin = this.isChanged ? ", yours" : ", the model's";
    this.fold.querySelector(".templates-state").textContent = countText(lines, "line") + origin + few;
  }
}
