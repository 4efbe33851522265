// Places on one film at which something was tried: a dot where it was flagged, a triangle where it was missed.

import { Marks, SVG } from "./marks.js";
import { setAttributes } from "./ruler.js";

const SIZE = 4; // screen pixels from the middle to the edge

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
      else setAttributes(part, { d: `M${x - SIZE - 1} ${y - SIZE}H${x + SIZE + 1}L${x} ${y + SIZE + 1}Z` });
    }
  }
}

export function makeDot(flagged) {
  const dot = document.createElementNS(SVG, flagged ? "circle" : "path");
  dot.setAttribute("class", flagged ? "place-dot flagged" : "place-dot");
  return dot;
}
