// The answers on request about the finding that was put in: where it would be missed, and how its score follows severity.

import { make } from "./elements.js";
import { makeSeverityChart } from "./severity_chart.js";
import { SVG } from "../viewer/marks.js";
import { makeDot } from "../viewer/place_dots.js";

// By the name of the server's call: the stage of its answer, its button and what is said while it is awaited.
export const ANSWERS = {
  blind_spots: { stage: "blind spots", ask: "Where would it be missed?", asking: "Trying 100 places of lungs and heart, which takes a few seconds\u2026" },
  dose_response: { stage: "dose response", ask: "Score by severity", asking: "Trying 11 severities\u2026" },
};
const CHART_KEY = "The straight line is the threshold; a disc is flagged, a ring is not. SIMULATED finding.";

// `known`: {open, answer, failed} of a call; `severity`: that of the finding in the film.
export function makeAnswer(name, { answer, failed }, severity) {
  if (!answer) return [make("p", "insertion-waits", failed || ANSWERS[name].asking)];
  return name === "blind_spots" ? makeBlindSpots(answer) : makeDoses(answer, severity);
}

/** @param {ui.read.insertion_payload.BlindSpotsPayload} answer */
function makeBlindSpots({ says }) {
  const key = make("p", "insertion-key muted");
  key.append(makeKeyDot(true), "flagged", makeKeyDot(false), "missed, on the film without the finding.");
  return [make("p", "insertion-answer", says), key];
}

// Lines below an exported picture of the film with the places at which the finding was tried.
/** @param {ui.read.insertion_payload.BlindSpotsPayload} answer */
export function placeLines({ says, believable }) {
  return ["SIMULATED FINDING, not in the picture. " + says, "Green dot: flagged there. Orange triangle: missed. " + believable];
}

/**
 * @param {ui.read.insertion_payload.DoseResponsePayload} answer
 * @param {number} severity
 */
function makeDoses({ finding, severities, models }, severity) {
  const silent = models.filter(({ scores }) => !scores.length).map(({ says }) => make("p", "insertion-answer", says));
  const series = models.filter(({ scores }) => scores.length);
  if (!series.length) return silent;
  return [makeSeverityChart({ finding, severities, series, severity }), ...silent, make("p", "muted", CHART_KEY)];
}

function makeKeyDot(flagged) {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("class", "key-dot");
  picture.setAttribute("viewBox", "-6 -6 12 12");
  picture.setAttribute("aria-hidden", "true");
  const dot = makeDot(flagged);
  if (flagged) dot.setAttribute("r", "4");
  else dot.setAttribute("d", "M-5 -4H5L0 5Z");
  picture.append(dot);
  return picture;
}
