// The line below the panel: the model, the device, and the duration of each step.

import { make } from "./elements.js";
import { DOT_BETWEEN } from "./figures.js";

export function showModel(part, { name, title, device }) {
  const modelName = make("span", "made-title");
  modelName.append(make("span", "made-name", name), ": " + title);
  part.replaceChildren(modelName, make("span", "made-device", DOT_BETWEEN + device));
  part.title = part.textContent;
}

// `steps`: milliseconds by step; steps without a duration are left out.
export function timesWords(steps) {
  const measurable = Object.entries(steps).filter(([, ms]) => ms >= 0.5);
  const words = measurable.map(([step, ms]) => step.replaceAll("_", " ") + " " + Math.round(ms)).join(DOT_BETWEEN);
  return words && words + " ms";
}

export function showTimes(part, steps) {
  part.textContent = part.title = timesWords(steps);
}
