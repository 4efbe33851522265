// What the reveal draws over the film: outlines of findings, one heat map at a time, the marks of the class.

import { make } from "../shared/elements.js";
import { maskColor } from "../viewer/masks.js";

export class FilmOverlays {
  // in a pair, the film that has the finding
  constructor(side, reveal, answer, tally) {
    this.view = side.views[reveal.pair ?? 0];
    this.areas = reveal.areas.map((area, hue) => ({ ...area, hue, on: true }));
    if (reveal.pair !== null) side.switchTo(reveal.pair);
    const points = (tally?.points ?? []).map((at) => ({ at, own: false }));
    if (answer?.point) points.push({ at: answer.point, own: true });
    this.view.points.show(points);
    this.heats = [];
    this.drawAreas();
  }

  drawAreas() {
    this.view.areas.show(this.areas.filter(({ on }) => on));
    this.view.place();
  }

  // A switch for each finding's outline.
  makeAreasPart() {
    const row = make("div", "class-area-switches");
    row.hidden = !this.areas.length;
    row.append(...this.areas.map((area) => {
      const label = make("label", "class-switch-label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true });
      const sign = make("span", "class-hue");
      sign.style.borderColor = maskColor(area.hue);
      box.addEventListener("change", () => ((area.on = box.checked), this.drawAreas()));
      label.append(box, sign, make("span", "class-switch-words", area.finding + ": " + area.source));
      return label;
    }));
    return row;
  }

  // A button that shows or hides a heat map; `strengthPlace` shows the strength of the map.
  makeHeatButton({ finding, picture, strength }, strengthPlace) {
    const button = make("button", "class-quiet-button", "Map");
    Object.assign(button, { type: "button", ariaLabel: "Map of " + finding });
    button.addEventListener("click", () => this.toggleHeat(button.getAttribute("aria-pressed") === "true" ? null : button, picture));
    this.heats.push({ button, strengthPlace, strength });
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  toggleHeat(pressed, picture) {
    for (const { button, strengthPlace, strength } of this.heats) {
      button.setAttribute("aria-pressed", String(button === pressed));
      strengthPlace.textContent = button === pressed ? strength : "";
    }
    this.view.showHeat(pressed ? picture : null);
  }
}
