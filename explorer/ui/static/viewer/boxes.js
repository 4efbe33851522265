// Boxes that a reader drew on one film, with the finding's name above each.

import { Marks, SVG } from "./marks.js";
import { setAttributes } from "./ruler.js";

const LABEL_GAP = 5; // screen pixels between a box and its name

export class Boxes extends Marks {
  // `boxes`: {finding, x, y, width, height} as shares of the film; those of findings other than `finding` are dashed.
  /** @override */
  show(boxes, finding) {
    this.append(boxes.map((box) => ({ box, parts: this.makeBox(box, box.finding === finding) })));
  }

  makeBox({ finding }, chosen) {
    const [halo, line, name] = ["rect", "rect", "text"].map((tag) => document.createElementNS(SVG, tag));
    halo.setAttribute("class", "box-halo");
    line.setAttribute("class", chosen ? "box-line" : "box-line other");
    name.setAttribute("class", "box-name");
    name.textContent = finding;
    return [halo, line, name];
  }

  follow(camera) {
    const { width, height } = camera.film;
    for (const { box, parts: [halo, line, name] } of this.drawn) {
      const [left, top] = camera.toStage(box.x * width, box.y * height);
      const [right, bottom] = camera.toStage((box.x + box.width) * width, (box.y + box.height) * height);
      for (const rect of [halo, line]) setAttributes(rect, { x: left, y: top, width: right - left, height: bottom - top });
      setAttributes(name, { x: left, y: Math.max(12, top - LABEL_GAP) });
    }
  }
}
