// Exact masks of findings on one film: an outline along the pixel edges and a light fill.

import { Marks, SVG } from "./marks.js";
import { setAttributes } from "./ruler.js";

const MASK_COLORS = ["#f0e442", "#56b4e9", "#e69f00", "#cc79a7", "#009e73", "#d55e00"]; // Okabe and Ito's, safe for color-blind eyes

// The color of a mask by its index in the film's list, whichever finding is chosen.
export const maskColor = (place) => MASK_COLORS[place % MASK_COLORS.length];

// A mask's bits, packed by explorer/ui/viewer/mask_payload.py: (row, column) -> inside or not; false outside of the
// mask.
function makeMaskReader({ size: [height, width], bits }) {
  const bytes = Uint8Array.from(atob(bits), (letter) => letter.charCodeAt(0));
  return (row, column) => {
    if (row < 0 || column < 0 || row >= height || column >= width) return 0;
    const at = row * width + column;
    return (bytes[at >> 3] >> (7 - (at & 7))) & 1;
  };
}

// Runs of a line of cells where `inside(i)`: calls `run(start, length)`.
function forEachRun(count, inside, run) {
  for (let i = 0, start = -1; i <= count; i++) {
    const now = i < count && inside(i);
    if (now && start < 0) start = i;
    if (!now && start >= 0) run(start, i - start), (start = -1);
  }
}

// Two SVG paths in pixels of the mask: the fill, and every edge between inside and outside.
function makeMaskPaths(mask) {
  const [height, width] = mask.size;
  const at = makeMaskReader(mask);
  const fill = [];
  const edges = [];
  for (let row = 0; row <= height; row++) {
    forEachRun(width, (x) => at(row, x), (x, n) => fill.push("M" + x + " " + row + "h" + n + "v1h-" + n + "z"));
    forEachRun(width, (x) => at(row, x) !== at(row - 1, x), (x, n) => edges.push("M" + x + " " + row + "h" + n));
  }
  for (let column = 0; column <= width; column++) {
    forEachRun(height, (y) => at(y, column) !== at(y, column - 1), (y, n) => edges.push("M" + column + " " + y + "v" + n));
  }
  return { fill: fill.join(""), edges: edges.join("") };
}

export class Masks extends Marks {
  // `masks`: {finding, size, bits, global}; the chosen finding's is drawn last, with a thicker line.
  /**
   * @override
   * @param {ui.viewer.mask_payload.MaskPayload[]} masks
   * @param {string} [finding]
   */
  show(masks, finding) {
    const names = masks.map((mask) => mask.finding).join();
    if (names !== this.names) { // another film
      this.names = names;
      this.off = new Set();
      this.isolated = null;
    }
    this.list = masks;
    const order = [...masks].sort((a, b) => Number(a.finding === finding) - Number(b.finding === finding));
    this.append(order.map((mask) => ({ mask, parts: [this.makeMask(mask, maskColor(masks.indexOf(mask)), mask.finding === finding)] })));
    this.showChosen();
  }

  isOn(finding) {
    return !this.off.has(finding);
  }

  switchMask(finding, on) {
    this.off[on ? "delete" : "add"](finding);
    this.showChosen();
  }

  // Show the mask of one finding alone; null: all that are on.
  isolate(finding) {
    this.isolated = this.list.some((mask) => mask.finding === finding) ? finding : null;
    this.showChosen();
  }

  showChosen() {
    for (const { mask: { finding }, parts: [group] } of this.drawn) {
      const seen = this.isolated ? this.isolated === finding : this.isOn(finding);
      group.style.display = seen ? "" : "none";
    }
  }

  makeMask(mask, hue, chosen) {
    const { fill, edges } = makeMaskPaths(mask);
    const group = document.createElementNS(SVG, "g");
    for (const [name, path] of [["mask-fill", fill], ["mask-halo", edges], ["mask-line", edges]]) {
      const part = document.createElementNS(SVG, "path");
      setAttributes(part, { class: name + (mask.global ? " global" : ""), d: path });
      if (name !== "mask-halo") part.style.color = hue;
      group.append(part);
    }
    group.classList.toggle("chosen", chosen);
    group.dataset.finding = mask.finding;
    return group;
  }

  follow(camera) {
    for (const { mask: { size }, parts: [group] } of this.drawn) {
      const [down, across] = [camera.film.height / size[0], camera.film.width / size[1]].map((each) => each * camera.zoom);
      group.setAttribute("transform", "translate(" + camera.x + " " + camera.y + ") scale(" + across + " " + down + ")");
    }
  }
}
