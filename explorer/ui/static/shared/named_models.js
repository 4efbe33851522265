// What the models that a film names say of the one finding it is asked about: a table for a room, a row a model.

import { inBrackets } from "./origin_words.js";

// `scores`: [{model, origin, score, threshold, outcome}]; no row of it is left out for want of room.
export function namedModels(finding, scores) {
  const rows = scores.map(({ model, origin, score, threshold, outcome }) => ({ finding: model + inBrackets(origin), score, threshold, outcome, words: "no outcome", compared: true }));
  return { name: "Scores of " + finding + " against thresholds", kept: true, rows };
}
