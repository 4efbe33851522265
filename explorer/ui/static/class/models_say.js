// What models say of the film: scores with their outcomes, and a heat map where there is one.

import { make } from "../shared/elements.js";
import { score } from "../shared/figures.js";
import { outcomeBadge } from "../shared/outcome.js";
import { part } from "./reveal_part.js";

export function modelParts(models, onFilm) {
  return models.map((model) => part(model.model + " says", make("p", "class-hint", model.origin), table(model, onFilm), ...worth(model)));
}

function table({ model, rows, overlays }, onFilm) {
  const made = make("table", "class-scores");
  made.append(make("caption", "class-unseen", "Scores of " + model), head(), make("tbody", ""));
  for (const row of rows) made.tBodies[0].append(line(row, overlays.find(({ finding }) => finding === row.finding), onFilm));
  return made;
}

function head() {
  const row = make("tr", "");
  for (const words of ["finding", "score", "threshold", "outcome", "map"]) {
    row.append(Object.assign(make("th", "", words), { scope: "col" }));
  }
  const section = make("thead", "class-unseen");
  section.append(row);
  return section;
}

function line({ finding, score: value, threshold, outcome }, overlay, onFilm) {
  const row = make("tr", "");
  const cells = [make("td", "class-figure", score(value)), make("td", "class-figure class-threshold", threshold === null ? "no threshold" : "of " + score(threshold)), make("td", ""), make("td", "")];
  cells[2].append(outcomeBadge(outcome));
  if (overlay) cells[3].append(onFilm.heatButton(overlay));
  row.append(Object.assign(make("th", "", finding), { scope: "row" }), ...cells);
  return row;
}

// How often such maps are right, each sentence once.
function worth({ overlays }) {
  return [...new Set(overlays.map((each) => each.worth).filter(Boolean))].map((words) => make("p", "class-hint", words));
}
