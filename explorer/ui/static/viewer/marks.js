// SVG marks on one film, drawn again for each film and switched on and off. Lines keep their width at any zoom.

export const SVG = "http://www.w3.org/2000/svg";

// A subclass draws its marks in `show(marks)`, and places them in `follow(camera)`.
export class Marks {
  constructor(svg) {
    this.svg = svg;
    this.on = true;
    this.clear();
  }

  get hasMarks() {
    return this.drawn.length > 0;
  }

  clear() {
    this.show([]);
  }

  show(marks) {
    throw new Error("Nothing says how " + marks.length + " marks are drawn");
  }

  // `drawn`: {parts: elements, ...what `follow` needs}, the last one on top.
  append(drawn) {
    this.drawn = drawn;
    this.svg.replaceChildren(...drawn.flatMap(({ parts }) => parts));
    this.switchTo(this.on);
  }

  switchTo(on) {
    this.on = on;
    this.svg.toggleAttribute("hidden", !on || !this.hasMarks); // svg has no `hidden` property
  }
}
