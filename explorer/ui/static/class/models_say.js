// What models say about the film: scores with outcomes, and heat maps.

import { make } from "../shared/elements.js";
import { againstThresholdTexts } from "../shared/figures.js";
import { STATE_WORDS } from "../shared/finding_words.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { makeSection } from "./reveal_part.js";

/** @param {school.preparing.prepared.ModelSaysPayload[]} models */
export function makeModelParts(models, onFilm) {
  return models.map((model) => makeSection(model.model + " says", ...makeTitle(model), make("p", "class-hint", model.origin), makeTable(model, onFilm), ...makeMapWorth(model)));
}

// The title for a model that the playlist names.
/** @param {school.preparing.prepared.ModelSaysPayload} says */
const makeTitle = ({ title: words }) => (words ? [make("p", "class-text", words)] : []);

/** @param {school.preparing.prepared.ModelSaysPayload} says */
function makeTable({ model, rows, overlays }, onFilm) {
  const table = make("table", "class-scores");
  table.append(make("caption", "class-unseen", "Scores of " + model), makeHead(), make("tbody", ""));
  for (const row of rows) table.tBodies[0].append(makeRow(row, overlays.find(({ finding }) => finding === row.finding), onFilm));
  return table;
}

function makeHead() {
  const row = make("tr", "");
  for (const words of ["finding and outcome", "score and threshold", "map"]) {
    row.append(Object.assign(make("th", "", words), { scope: "col" }));
  }
  const section = make("thead", "class-unseen");
  section.append(row);
  return section;
}

/**
 * @param {school.preparing.prepared.ScorePayload} row
 * @param {school.preparing.prepared.OverlayPayload} overlay
 * @param {any} onFilm
 */
function makeRow({ finding, score: value, threshold, outcome, cannot_judge: unjudged, flag_words: flagRate }, overlay, onFilm) {
  const row = make("tr", "");
  const name = Object.assign(make("th", "class-score-name"), { scope: "row" });
  const strength = make("p", "class-hint class-map-strength");
  strength.setAttribute("role", "status");
  name.append(make("span", "class-score", finding), makeOutcomeBadge(outcome));
  if (unjudged) name.append(make("p", "class-hint", STATE_WORDS["cannot judge"] + ": no better than chance"));
  if (flagRate) name.append(make("p", "class-hint", flagRate));
  name.append(strength);
  const cells = ["class-figure", "class-map-cell"].map((word) => make("td", word));
  const [figure, against] = againstThresholdTexts(value, threshold);
  cells[0].append(make("span", "class-score", figure), make("span", "class-threshold", against));
  if (overlay) {
    cells[1].append(onFilm.makeHeatButton(overlay, strength));
    if (overlay.peak !== null) cells[1].append(make("span", "class-threshold", overlay.peak < 0.005 ? "below 1 %" : "up to " + Math.round(100 * overlay.peak) + " %"));
  }
  row.append(name, ...cells);
  return row;
}

// How often such maps are right, each sentence once.
function makeMapWorth({ overlays }) {
  return [...new Set(overlays.map((each) => each.worth).filter(Boolean))].map((words) => make("p", "class-hint", words));
}
