// The stored scores of the models that a lesson's note is about, beside the current reading.

import { make } from "../shared/elements.js";
import { againstWords } from "../shared/figures.js";
import { STATE_WORDS } from "../shared/finding_words.js";
import { namedModels } from "../shared/named_models.js";
import { inBrackets } from "../shared/origin_words.js";
import { outcomeBadge } from "../shared/outcome.js";
import { filmKey, readState } from "./state.js";

let shown = { key: null, models: [] };

// `models`: [{model, title, origin, finding, score, threshold, outcome}] of the film at `address`; empty: show nothing.
export function showScores(part, models = [], address = "") {
  shown = { key: models.length ? filmKey(readState(address)) : null, models };
  part.hidden = !models.length;
  part.replaceChildren(...(models.length ? [table(models)] : []));
}

// The same for the film with a key, in the form of Present.
export const scoresOf = (key) => (key === shown.key ? [namedModels(shown.models[0].finding, shown.models)] : []);

function table(models) {
  const made = make("table", "lesson-models");
  const body = make("tbody", "");
  body.append(...models.map(row));
  made.append(make("caption", "", "Stored scores of " + models[0].finding), body);
  return made;
}

function row({ model, title, origin, score: value, threshold, outcome }) {
  const made = make("tr", "");
  const name = Object.assign(make("th", "lesson-model", model), { scope: "row" });
  name.append(" ", make("span", "lesson-model-title", title + inBrackets(origin)));
  const said = make("td", "lesson-model-said");
  said.append(outcomeBadge(outcome), make("span", "lesson-called", flagWords(value, threshold)));
  const [figure, against] = againstWords(value, threshold);
  made.append(name, make("td", "lesson-model-score", figure), make("td", "lesson-model-threshold", against), said);
  return made;
}

const flagWords = (value, threshold) => (threshold === null ? "" : value >= threshold ? STATE_WORDS.above : STATE_WORDS.below);
