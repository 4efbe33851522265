// The legend of a film's exact masks: a color, a name and a switch for each, over a corner of the stage.

import { maskColor } from "./masks.js";

function makeElement(tag, name, text = "") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

export class MaskKey {
  constructor(part, masks) {
    this.part = part;
    this.masks = masks;
    bindIsolation(part, (finding) => masks.isolate(finding));
    part.addEventListener("change", ({ target }) => masks.switchMask(target.closest("[data-finding]").dataset.finding, target.checked));
  }

  // A hidden mask is not named either: its name would reveal the finding.
  show(shown) {
    const list = shown ? this.masks.list : [];
    this.part.hidden = !list.length;
    const names = JSON.stringify(list.map(({ finding }) => finding));
    if (names === this.names) return;
    this.names = names;
    this.part.replaceChildren(...(list.length ? [makeElement("span", "mask-key-title", "Exact masks"), ...list.map((mask, place) => this.makeChip(mask, place))] : []));
  }

  makeChip({ finding, global }, place) {
    const chip = makeElement("label", "mask-chip");
    chip.dataset.finding = finding;
    const box = makeElement("input", "");
    box.type = "checkbox";
    box.checked = this.masks.isOn(finding);
    const dot = makeElement("span", "mask-dot");
    dot.style.background = maskColor(place);
    chip.append(box, dot, finding + (global ? " (whole region)" : ""));
    return chip;
  }
}

// Give the rows of a list, each with its `data-finding`, dots in the colors of their masks.
export function addMaskDots(section, masks) {
  for (const row of section.querySelectorAll("[data-finding]")) {
    const place = masks.findIndex(({ finding }) => finding === row.dataset.finding);
    row.classList.toggle("masked-row", place >= 0);
    if (place >= 0) row.style.setProperty("--mask", maskColor(place));
  }
}

// While the pointer or the focus is on a row, `isolate(finding)`; then `isolate(null)`.
export function bindIsolation(section, isolate) {
  const isolateRow = ({ target }) => isolate(target.closest("[data-finding]")?.dataset.finding ?? null);
  section.addEventListener("pointerover", isolateRow);
  section.addEventListener("focusin", isolateRow);
  section.addEventListener("pointerleave", () => isolate(null));
  section.addEventListener("focusout", () => isolate(null));
}
