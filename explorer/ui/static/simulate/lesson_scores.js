// The stored scores of the models that a lesson's note is about, beside the current reading.

import { make } from "../shared/elements.js";
import { againstThresholdTexts } from "../shared/figures.js";
import { STATE_WORDS } from "../shared/finding_words.js";
import { scoreTableOf } from "../shared/named_models.js";
import { bracketed } from "../shared/origin_words.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { filmKey, readSimulateAddress } from "./state.js";

let shownScores = { key: null, models: [] };

// `models`: [{model, title, origin, finding, score, threshold, outcome}] of the film at `address`; empty: show nothing.
export function showScores(part, models = [], address = "") {
  shownScores = { key: models.length ? filmKey(readSimulateAddress(address)) : null, models };
  part.hidden = !models.length;
  part.replaceChildren(...(models.length ? [makeTable(models)] : []));
}

// The same for the film with a key, in the form of Present.
export const storedScoresOf = (key) => (key === shownScores.key ? [scoreTableOf(shownScores.models[0].finding, shownScores.models)] : []);

function makeTable(models) {
  const table = make("table", "lesson-models");
  const body = make("tbody", "");
  body.append(...models.map(makeRow));
  table.append(make("caption", "", "Stored scores of " + models[0].finding), body);
  return table;
}

function makeRow({ model, title, origin, score: value, threshold, outcome }) {
  const row = make("tr", "");
  const name = Object.assign(make("th", "lesson-model", model), { scope: "row" });
  name.append(" ", make("span", "lesson-model-title muted small", title + bracketed(origin)));
  const outcomeCell = make("td", "lesson-model-said");
  outcomeCell.append(makeOutcomeBadge(outcome), make("span", "lesson-called muted small", flagWords(value, threshold)));
  const [figure, against] = againstThresholdTexts(value, threshold);
  row.append(name, make("td", "lesson-model-score", figure), make("td", "lesson-model-threshold muted small", against), outcomeCell);
  return row;
}

const flagWords = (value, threshold) => (threshold === null ? "" : value >= threshold ? STATE_WORDS.above : STATE_WORDS.below);
