// Points on the film: the learner's, and after the reveal those of the class.

import { Marks, SVG } from "../viewer/marks.js";
import { setAttributes } from "../viewer/ruler.js";

const POINT_SIZE = { own: 14, other: 4 }; // screen pixels

export class Points extends Marks {
  // `points`: {at: [x, y] as shares of the film, own: whether it is the learner's}.
  /** @override */
  show(points) {
    this.append(points.map((point) => ({ point, parts: [makePoint(point.own)] })));
  }

  follow(camera) {
    for (const { point: { at }, parts: [group] } of this.drawn) {
      const [x, y] = camera.toStage(at[0] * camera.film.width, at[1] * camera.film.height);
      group.setAttribute("transform", "translate(" + x + " " + y + ")");
    }
  }
}

function makePoint(own) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", own ? "class-point own" : "class-point");
  const r = own ? POINT_SIZE.own : POINT_SIZE.other;
  const shapes = [{ tag: "circle", values: { r } }, ...(own ? [{ tag: "path", values: { d: "M" + -r / 2 + " 0H" + r / 2 + "M0 " + -r / 2 + "V" + r / 2 } }] : [])];
  for (const line of ["class-point-halo", "class-point-line"]) {
    for (const { tag, values } of shapes) {
      const shape = document.createElementNS(SVG, tag);
      setAttributes(shape, { class: line, ...values });
      group.append(shape);
    }
  }
  return group;
}
