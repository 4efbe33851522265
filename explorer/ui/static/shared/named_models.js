// The scores of a film's models for the finding in question: a table for a room, a row per model.

import { bracketed } from "./origin_words.js";

// `scores`: [{model, origin, score, threshold, outcome}]; every row is shown.
export function scoreTableOf(finding, scores) {
  const rows = scores.map(({ model, origin, score, threshold, outcome }) => ({ finding: model + bracketed(origin), score, threshold, outcome, words: "no outcome", compared: true }));
  return { name: "Scores of " + finding + " against thresholds", kept: true, rows };
}
