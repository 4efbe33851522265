// Boxes that somebody drew on one film, with the finding's name above each. Lines keep their width at any zoom.

const SVG = "http://www.w3.org/2000/svg";
const LABEL_GAP = 5; // screen pixels between a box and its name

class Boxes {
  constructor(svg) {
    this.svg = svg;
    this.on = true;
    this.clear();
  }

  get any() {
    return this.drawn.length > 0;
  }

  clear() {
    this.show([]);
  }

  // `boxes`: {finding, x, y, width, height} in shares of the film; those of other findings than `finding` are dashed.
  show(boxes, finding) {
    this.drawn = boxes.map((box) => ({ box, parts: this.draw(box, box.finding === finding) }));
    this.svg.replaceChildren(...this.drawn.flatMap(({ parts }) => parts));
    this.set(this.on);
  }

  draw({ finding }, chosen) {
    const [halo, line, name] = ["rect", "rect", "text"].map((tag) => document.createElementNS(SVG, tag));
    halo.setAttribute("class", "box-halo");
    line.setAttribute("class", chosen ? "box-line" : "box-line other");
    name.setAttribute("class", "box-name");
    name.textContent = finding;
    return [halo, line, name];
  }

  set(on) {
    this.on = on;
    this.svg.toggleAttribute("hidden", !on || !this.any); // svg has no `hidden` property
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
