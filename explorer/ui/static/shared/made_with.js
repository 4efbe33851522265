// The line below the panel: the model, the device, and the duration of each step.

import { make } from "./elements.js";
import { DOT } from "./figures.js";

export function showModel(part, { name, title, device }) {
  const said = make("span", "made-title");
  said.append(make("span", "made-name", name), ": " + title);
  part.replaceChildren(said, make("span", "made-device", DOT + device));
  part.title = part.textContent;
}

// `steps`: milliseconds by step; steps without a duration are left out.
export function timesWords(steps) {
  const shown = Object.entries(steps).filter(([, ms]) => ms >= 0.5);
  const words = shown.map(([step, ms]) => step.replaceAll("_", " ") + " " + Math.round(ms)).join(DOT);
  return words && words + " ms";
}

export function showTimes(part, steps) {
  part.textContent = part.title = timesWords(steps);
}
