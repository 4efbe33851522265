// What the reveal draws over the film: outlines of findings, one heat map at a time, the marks of the class.

import { make } from "../shared/elements.js";
import { maskHue } from "../viewer/masks.js";

export class OnFilm {
  // in a pair, the film that has the finding
  constructor(side, reveal, answer, tally) {
    this.view = side.views[reveal.pair ?? 0];
    this.areas = reveal.areas.map((area, hue) => ({ ...area, hue, on: true }));
    if (reveal.pair !== null) side.turnTo(reveal.pair);
    const points = (tally?.points ?? []).map((at) => ({ at, own: false }));
    if (answer?.point) points.push({ at: answer.point, own: true });
    this.view.points.show(points);
    this.heats = [];
    this.follow();
  }

  follow() {
    this.view.areas.show(this.areas.filter(({ on }) => on));
    this.view.place();
  }

  // A switch for each finding's outline.
  areasPart() {
    const row = make("div", "class-area-switches");
    row.hidden = !this.areas.length;
    row.append(...this.areas.map((area) => {
      const label = make("label", "class-switch-label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true });
      const sign = make("span", "class-hue");
      sign.style.borderColor = maskHue(area.hue);
      box.addEventListener("change", () => ((area.on = box.checked), this.follow()));
      label.append(box, sign, make("span", "class-switch-words", area.finding + ": " + area.source));
      return label;
    }));
    return row;
  }

  // A button that shows or hides a heat map; `said` is the place for the map's strength.
  heatButton({ finding, picture, strength }, said) {
    const button = make("button", "class-quiet-button", "Map");
    Object.assign(button, { type: "button", ariaLabel: "Map of " + finding });
    button.addEventListener("click", () => this.heat(button.getAttribute("aria-pressed") === "true" ? null : button, picture));
    this.heats.push({ button, said, strength });
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  heat(pressed, picture) {
    for (const { button, said, strength } of this.heats) {
      button.setAttribute("aria-pressed", String(button === pressed));
      said.textContent = button === pressed ? strength : "";
    }
    this.view.showHeat(pressed ? picture : null);
  }
}
