// A line on one film and its length. The length is shown in the readout, never on the film.

import { fixedText } from "../shared/figures.js";
import { pixelPositionText } from "./film_label.js";

export class Ruler {
  constructor(svg) {
    this.svg = svg;
    this.ends = null; // [[across, down], [across, down]] in shown pixels
  }

  draw(ends, camera) {
    this.ends = ends;
    this.follow(camera);
  }

  clear() {
    this.ends = null;
    this.svg.toggleAttribute("hidden", true); // svg has no `hidden` property
  }

  follow(camera) {
    if (!this.ends) return;
    const [[x1, y1], [x2, y2]] = this.ends.map((end) => camera.toStage(...end));
    for (const line of this.svg.querySelectorAll("line")) setAttributes(line, { x1, y1, x2, y2 });
    const [first, second] = this.svg.querySelectorAll("circle");
    setAttributes(first, { cx: x1, cy: y1 });
    setAttributes(second, { cx: x2, cy: y2 });
    this.svg.toggleAttribute("hidden", false);
  }

  // `scale`: full-resolution pixels per shown pixel, [down, across]; spacing is in full-resolution pixels.
  lengthText(spacing, scale) {
    if (!this.ends) return "";
    const [[x1, y1], [x2, y2]] = this.ends;
    const [row, column] = spacing.mm;
    const length = Math.hypot((x2 - x1) * scale[1] * column, (y2 - y1) * scale[0] * row);
    return fixedText(length, 1) + " mm" + pixelPositionText(spacing);
  }
}

export function setAttributes(node, values) {
  for (const [name, value] of Object.entries(values)) node.setAttribute(name, value);
}
