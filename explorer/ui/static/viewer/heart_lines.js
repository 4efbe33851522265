// The lines along which the cardiothoracic ratio was measured: the heart's two parts, and the chest.

import { Marks, SVG } from "./marks.js";
import { setAttributes } from "./ruler.js";

export class HeartLines extends Marks {
  // `lines`: [left, right, y] in shares of the film, the chest's last.
  /** @override */
  show(lines) {
    this.append(lines.map((line, place) => ({ line, parts: this.makeLine(place === lines.length - 1) })));
  }

  makeLine(chest) {
    return ["heart-halo", chest ? "heart-line chest" : "heart-line"].map((name) => {
      const line = document.createElementNS(SVG, "path");
      line.setAttribute("class", name);
      return line;
    });
  }

  follow(camera) {
    const { width, height } = camera.film;
    for (const { line: [left, right, y], parts } of this.drawn) {
      const [start, level] = camera.toStage(left * width, y * height);
      const [end] = camera.toStage(right * width, y * height);
      const d = `M${start} ${level - 6}v12M${end} ${level - 6}v12M${start} ${level}H${end}`;
      for (const part of parts) setAttributes(part, { d });
    }
  }
}
