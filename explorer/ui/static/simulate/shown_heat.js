// Which heat map lies over the displayed film, and its label.

import { MARGIN_DIGITS } from "../shared/figures.js";
import { noBetterMapWords } from "../shared/finding_words.js";
import { noMapWords } from "./answer.js";

// The map of the chosen finding by the chosen model, or by the other one where that does not know the finding: {model,
// opinion, place, why}, whose `opinion` the viewer takes; null: there is none. `said`: by model; `view`: film, twin or
// difference.
export function selectHeat(readings, { chosen, model, view }) {
  const names = model === "text" ? ["text", "classifier"] : ["classifier", "text"];
  const name = names.find((each) => readings[each]?.heat?.findings.includes(chosen));
  const heat = readings[name]?.heat;
  if (!heat || view === "difference") return null;
  const row = readings[name].rows.find(({ finding }) => finding === chosen);
  const score = view === "twin" ? row.twin.score : row.score;
  const rows = heat.findings.map((finding) => ({ finding, score, map: heat.worth[finding] }));
  const digits = name === "text" ? { digits: MARGIN_DIGITS } : {};
  const opinion = { ...heat, values: heat.values[view], places: heat.places[view], rows, ...digits };
  return { model: name, opinion, place: heat.findings.indexOf(chosen), why: noMapWords(row, view) || noBetterMapWords(heat.worth[chosen]) };
}
