// Places on one film at which something was tried: a dot where it was flagged, a triangle where it was missed.

import { Marks, SVG } from "./marks.js";
import { setAttributes } from "./ruler.js";

const SIZE = 4; // screen pixels from the middle to the edge
const PICTURE = 768; // pixels of a saved picture on which dots have that size

export class PlaceDots extends Marks {
  // `places`: {place: [x, y] in shares of the film, flagged}.
  /** @override */
  show(places) {
    this.append(places.map(({ place, flagged }) => ({ place, flagged, parts: [makeDot(flagged)] })));
  }

  follow(camera) {
    const { width, height } = camera.film;
    for (const { place, flagged, parts: [part] } of this.drawn) {
      const [x, y] = camera.toStage(place[0] * width, place[1] * height);
      if (flagged) setAttributes(part, { cx: x, cy: y, r: SIZE });
      else setAttributes(part, { d: trianglePath(x, y, SIZE) });
    }
  }

  // Draw what is shown on a picture of the film, which lies in a box [left, top, width, height] of a canvas.
  paint(context, [left, top, width, height]) {
    if (!this.on) return;
    const size = (SIZE * Math.max(width, height)) / PICTURE;
    for (const { place, flagged, parts: [part] } of this.drawn) {
      const [x, y] = [left + place[0] * width, top + place[1] * height];
      const shape = new Path2D(flagged ? "" : trianglePath(x, y, size));
      if (flagged) shape.arc(x, y, size, 0, 2 * Math.PI);
      const { fill, stroke } = getComputedStyle(part);
      Object.assign(context, { fillStyle: fill, strokeStyle: stroke, lineWidth: size / SIZE });
      context.fill(shape);
      context.stroke(shape);
    }
  }
}

function trianglePath(x, y, size) {
  const half = size * 1.25;
  return `M${x - half} ${y - size}H${x + half}L${x} ${y + half}Z`;
}

export function makeDot(flagged) {
  const dot = document.createElementNS(SVG, flagged ? "circle" : "path");
  dot.setAttribute("class", flagged ? "place-dot flagged" : "place-dot");
  return dot;
}
