// Where findings are: closed outlines over the film, drawn as lines with a light fill.

import { maskColor } from "../viewer/masks.js";
import { Marks, SVG } from "../viewer/marks.js";
import { setAttributes } from "../viewer/ruler.js";

export class Areas extends Marks {
  // `areas`: {finding, outlines: lists of [x, y] as shares of the film, hue: an index into the colors}.
  /** @override */
  show(areas) {
    this.areas = areas;
    this.append(areas.map((area) => ({ parts: [makeArea(area)] })));
  }

  follow(camera) {
    const { x, y, zoom, film } = camera;
    const placed = "translate(" + x + " " + y + ") scale(" + film.width * zoom + " " + film.height * zoom + ")";
    for (const { parts: [group] } of this.drawn) group.setAttribute("transform", placed);
  }
}

function makeArea({ finding, outlines, hue }) {
  const path = outlines.map((outline) => "M" + outline.map((at) => at.join(" ")).join("L") + "Z").join("");
  const group = document.createElementNS(SVG, "g");
  for (const name of ["mask-fill", "mask-halo", "mask-line"]) {
    const part = document.createElementNS(SVG, "path");
    setAttributes(part, { class: name, d: path, "fill-rule": "evenodd" });
    if (name !== "mask-halo") part.style.color = maskColor(hue);
    group.append(part);
  }
  group.dataset.finding = finding;
  return group;
}
