// What models say of the film: scores with their outcomes, and a heat map where there is one.

import { make } from "../shared/elements.js";
import { againstWords } from "../shared/figures.js";
import { STATE_WORDS } from "../shared/finding_words.js";
import { outcomeBadge } from "../shared/outcome.js";
import { part } from "./reveal_part.js";

/** @param {school.preparing.prepared.ModelSaysPayload[]} models */
export function modelParts(models, onFilm) {
  return models.map((model) => part(model.model + " says", ...title(model), make("p", "class-hint", model.origin), table(model, onFilm), ...worth(model)));
}

// Of a model that the playlist names.
/** @param {school.preparing.prepared.ModelSaysPayload} says */
const title = ({ title: words }) => (words ? [make("p", "class-text", words)] : []);

/** @param {school.preparing.prepared.ModelSaysPayload} says */
function table({ model, rows, overlays }, onFilm) {
  const made = make("table", "class-scores");
  made.append(make("caption", "class-unseen", "Scores of " + model), head(), make("tbody", ""));
  for (const row of rows) made.tBodies[0].append(line(row, overlays.find(({ finding }) => finding === row.finding), onFilm));
  return made;
}

function head() {
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
function line({ finding, score: value, threshold, outcome, cannot_judge: unjudged, flag_words: often }, overlay, onFilm) {
  const row = make("tr", "");
  const name = Object.assign(make("th", "class-score-name"), { scope: "row" });
  const strength = make("p", "class-hint class-map-strength");
  strength.setAttribute("role", "status");
  name.append(make("span", "class-score", finding), outcomeBadge(outcome));
  if (unjudged) name.append(make("p", "class-hint", STATE_WORDS["cannot judge"] + ": no better than chance"));
  if (often) name.append(make("p", "class-hint", often));
  name.append(strength);
  const cells = ["class-figure", "class-map-cell"].map((word) => make("td", word));
  const [figure, against] = againstWords(value, threshold);
  cells[0].append(make("span", "class-score", figure), make("span", "class-threshold", against));
  if (overlay) {
    cells[1].append(onFilm.heatButton(overlay, strength));
    if (overlay.peak !== null) cells[1].append(make("span", "class-threshold", overlay.peak < 0.005 ? "below 1 %" : "up to " + Math.round(100 * overlay.peak) + " %"));
  }
  row.append(name, ...cells);
  return row;
}

// How often such maps are right, each sentence once.
function worth({ overlays }) {
  return [...new Set(overlays.map((each) => each.worth).filter(Boolean))].map((words) => make("p", "class-hint", words));
}
