// The labels around a film: sides and view in the gutters, facts in the line below. Nothing covers it.

import { significantText } from "../shared/figures.js";

export const ALTERED_PIXELS =
  "This browser changes the pixels that pages read (protection against fingerprinting): gray values here are not " +
  "exact. Allow this page to read canvases, then open the film again.";

export const SIMULATED = "SIMULATED";

/**
 * @param {any} view
 * @param {ui.viewer.payload.FilmPayload} film
 */
export function labelFilm(view, film) {
  const part = (name) => view.querySelector("." + name);
  const viewName = film.view === "unknown" ? "" : film.view;
  const lateral = film.view === "lateral"; // right and left lie behind one another
  const doubt = film.sides === "stated" ? "" : " by convention; the file does not say";
  const mark = (name, text, title) => {
    part(name).textContent = text;
    part(name).title = title;
    part(name).classList.toggle("assumed", doubt !== "");
  };
  mark("mark-right", lateral ? "" : "R", "Patient's right" + doubt);
  mark("mark-left", lateral ? "" : "L", "Patient's left" + doubt);
  part("mark-view").textContent = lateral ? "lat" : viewName;
  part("mark-view").title = viewName + " view";
  part("simulated-mark").textContent = film.simulated ? SIMULATED : "";
  part("simulated-mark").title = "Made by a program: not a patient's film";
  const sides = lateral ? "" : ", patient's right on the left" + doubt;
  const simulatedMark = film.simulated ? SIMULATED + ", " : "";
  part("stage").setAttribute("aria-label", "Film" + sides);
  part("film").setAttribute("aria-label", simulatedMark + "Radiograph, " + (viewName || "view not stated"));
  part("facts").textContent = factsWords(film);
}

function factsWords({ view, size, spacing, simulated, changes = [] }) {
  const words = [...(simulated ? [SIMULATED] : []), ...changes, view === "unknown" ? "view not stated" : view, size[1] + " x " + size[0] + " px"];
  if (spacing) words.push(spacingWords(spacing));
  return words.join("  \u00b7  ");
}

// Both sides of a pixel only where they differ.
function spacingWords(spacing) {
  const [row, column] = spacing.mm.map((mm) => significantText(mm, 3));
  return (row === column ? row : row + " x " + column) + " mm per pixel" + pixelPositionText(spacing);
}

export function pixelPositionText({ at }) {
  return { detector: " at detector", patient: " in the patient" }[at] || "";
}
