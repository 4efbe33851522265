// What the colors of a map mean: a list with the number of films of each, and the colors by code for the canvas.

import { make } from "../shared/elements.js";
import { significantText, wholeText } from "../shared/figures.js";
import { SHAPES } from "./map_points.js";

const OUTSIDE_CODE = 255;
const SCALE_STEPS = 250; // of the scale of scores
const SCALE = ["#46498f", "#2f7a96", "#22a884", "#7ad151", "#fde725"]; // viridis without its darkest part, which is invisible here
const SIGNS = { miss: ["down", "\u25bc"], "false alarm": ["up", "\u25b2"], hit: ["disc", "\u25cf"], "correct rejection": ["ring", "\u25cb"] };
const COMMON_ALPHA = 170; // of 255: films of the slice are opaque
const OUTSIDE_COLOR = [85, 97, 111, 70]; // films outside the slice

// The entries as buttons that narrow the slice; for a scale, its bar with scores.
export function makeKey({ by: colorBy, entries, ticks }, explore) {
  if (colorBy === "score") return makeScale(entries[0], ticks);
  const list = make("ul", "map-key");
  for (const entry of entries) {
    const place = make("li", "");
    const isButton = Object.keys(entry.changes).length > 0 && entry.films > 0;
    const row = make(isButton ? "button" : "span", "map-entry");
    const sign = make("span", "map-sign", SIGNS[entry.name]?.[1] ?? "\u25cf");
    sign.style.color = entry.color;
    sign.setAttribute("aria-hidden", "true");
    row.append(sign, make("span", "map-name", entry.name), make("span", "panel-count muted small", wholeText(entry.films)));
    if (isButton) {
      row.setAttribute("type", "button");
      row.dataset.key = "map " + entry.name;
      const on = Object.entries(entry.changes).every(([name, value]) => explore.state[name] === value);
      row.setAttribute("aria-pressed", String(on));
      const changesOff = Object.fromEntries(Object.keys(entry.changes).map((name) => [name, null]));
      row.addEventListener("click", () => explore.change(on ? changesOff : entry.changes));
    }
    place.append(row);
    list.append(place);
  }
  return list;
}

function makeScale({ films }, ticks) {
  const box = make("div", "map-scale");
  const bar = make("span", "map-bar");
  bar.style.background = "linear-gradient(to right, " + SCALE.join(", ") + ")";
  const marks = make("span", "map-ticks muted small");
  for (const tick of ticks) marks.append(make("span", "", significantText(tick, 2)));
  box.append(bar, marks, make("p", "cells-legend muted small", "By rank of the score among " + wholeText(films) + " films; figures: the least, quartiles, the greatest."));
  return box;
}

// Colors [r, g, b, alpha] and shapes by code, and the codes in drawing order: the largest group is drawn first.
export function makePalette({ by: colorBy, entries }, list) {
  const palette = Array.from({ length: 256 }, () => OUTSIDE_COLOR);
  const shapes = new Uint8Array(256);
  if (colorBy === "score") {
    for (let step = 0; step < SCALE_STEPS; step += 1) palette[step] = [...scaleColor(step / (SCALE_STEPS - 1)), COMMON_ALPHA];
    return { palette, shapes, order: [...Array(SCALE_STEPS).keys()] };
  }
  const signs = list.querySelectorAll(".map-sign");
  for (const [code, { name }] of entries.entries()) {
    palette[code] = [...getComputedStyle(signs[code]).color.match(/\d+/g).slice(0, 3).map(Number), COMMON_ALPHA];
    shapes[code] = SHAPES[SIGNS[name]?.[0] ?? "disc"];
  }
  const order = [...entries.keys()].sort((one, other) => entries[other].films - entries[one].films);
  return { palette, shapes, order };
}

export const codeName = ({ by: colorBy, entries }, code) => (code === OUTSIDE_CODE ? "not among these films" : colorBy === "score" ? "" : (entries[code]?.name ?? ""));

function scaleColor(share) {
  const at = share * (SCALE.length - 1);
  const low = Math.min(SCALE.length - 2, Math.floor(at));
  const [one, other] = [SCALE[low], SCALE[low + 1]].map((color) => [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16)));
  return one.map((value, part) => Math.round(value + (other[part] - value) * (at - low)));
}
