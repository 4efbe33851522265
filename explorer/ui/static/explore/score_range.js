// The filter of raw scores: its words, and the two fields below its chip.

import { make } from "../shared/elements.js";
import { modelValueText } from "./margins.js";
import { openMenu, setOpenMenu } from "./menu.js";

export function scoreRangeText({ low, high }) {
  if (low !== undefined && high !== undefined) return low + " to " + high;
  return low !== undefined ? "from " + low : "below " + high;
}

// Two fields for the range of raw scores.
export class ScoreRange {
  // `range`: the smallest and the largest score, and their unit.
  constructor(anchor, explore, range) {
    openMenu?.close();
    setOpenMenu(this);
    this.anchor = anchor;
    const { least, most, unit } = range;
    this.box = make("form", "menu score-range");
    this.box.setAttribute("aria-label", "Range of " + unit + "s");
    this.fields = { low: this.makeField("from", explore.state.low, modelValueText(least, range)), high: this.makeField("below", explore.state.high, modelValueText(most, range)) };
    this.box.append(make("p", "menu-footer", "Raw " + unit + "s of the model, " + modelValueText(least, range) + " to " + modelValueText(most, range) + " here."));
    const apply = make("button", "menu-apply control", "Show");
    this.box.append(apply);
    this.box.addEventListener("submit", (event) => {
      event.preventDefault();
      this.close(true);
      explore.change({ low: this.fields.low.value, high: this.fields.high.value });
    });
    this.box.addEventListener("keydown", (event) => event.key === "Escape" && this.close(true));
    this.leave = (event) => this.box.contains(event.target) || this.anchor.contains(event.target) || this.close();
    document.addEventListener("pointerdown", this.leave);
    anchor.setAttribute("aria-expanded", "true");
    anchor.parentElement.append(this.box);
    this.fields.low.focus({ preventScroll: true });
  }

  makeField(name, value, usual) {
    const label = make("label", "score-field muted small", name);
    const field = make("input", "");
    Object.assign(field, { type: "number", step: "any", value: value ?? "", placeholder: usual });
    label.append(field);
    this.box.append(label);
    return field;
  }

  close(refocus = false) {
    if (openMenu !== this) return;
    setOpenMenu(null);
    document.removeEventListener("pointerdown", this.leave);
    this.anchor.setAttribute("aria-expanded", "false");
    this.box.remove();
    if (refocus) this.anchor.focus({ preventScroll: true });
  }
}
