// Window and level as two sliders beneath the film, shown on request.

import { make } from "../shared/elements.js";
import { FULL_WINDOW, limitWindow } from "../viewer/gray_window.js";

const SMALLEST_WIDTH = 2; // percent
const SLIDERS = [
  ["width", "Window", SMALLEST_WIDTH, 200],
  ["level", "Level", 0, 100],
];

export class Contrast {
  // `set(window)` applies the window; `reset()` restores window, zoom and position.
  constructor(set, reset) {
    this.set = set;
    this.window = FULL_WINDOW;
    this.element = make("div", "class-contrast");
    this.element.hidden = true;
    this.sliders = SLIDERS.map((each) => this.makeSlider(...each));
    this.element.append(
      ...this.sliders.map(({ label }) => label),
      this.makeButton("Invert", () => this.set({ ...this.window, inverted: !this.window.inverted })),
      this.makeButton("Reset", () => (this.set(FULL_WINDOW), reset())),
    );
  }

  makeSlider(name, words, min, max) {
    const label = make("label", "class-slider", words);
    const input = make("input", "class-range");
    Object.assign(input, { type: "range", min, max, step: 1, value: 100 * FULL_WINDOW[name] });
    input.addEventListener("input", () => this.set(limitWindow({ ...this.window, [name]: Number(input.value) / 100 })));
    label.append(input);
    return { name, label, input };
  }

  makeButton(words, press) {
    const button = make("button", "class-quiet-button", words);
    button.type = "button";
    button.addEventListener("click", press);
    return button;
  }

  showWindow(win) {
    this.window = win;
    for (const { name, input } of this.sliders) input.value = String(Math.round(100 * win[name]));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  toggle(button) {
    this.element.hidden = this.isOpen;
    button.setAttribute("aria-expanded", String(this.isOpen));
  }
}
