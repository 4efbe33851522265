// How far the reference is above each reader on the same films, with paired intervals.

import { make } from "../../shared/elements.js";
import { MINUS_BETWEEN, wholeText } from "../../shared/figures.js";
import { makeMeanDifferenceParts, meanText } from "../figures.js";
import { makeFold, makeTable } from "../tables.js";

const HEADS = ["Reader", "Films", "n+", "Specificity at the reader's sensitivity", "Sensitivity at the reader's specificity", "AUROC of ratings"];

/** @param {ui.evaluate.panels.finding_people.AboveReaderPayload[]} all */
export function makeAboveFold(all, model, computing) {
  const rows = all.map(({ name, films, positives, specificity, sensitivity, area }) => [name, wholeText(films), wholeText(positives), ...[specificity, sensitivity, area].map((gap) => makeGapParts(gap, computing))]);
  const caption = "How far " + model + " is above each reader: its figure minus the reader's, on the same films";
  return makeFold("finding-above", "Above the reader, by how much", makeTable("above-table", caption, HEADS, rows));
}

// The difference with its interval, then the two figures.
function makeGapParts({ model, reader, difference }, computing) {
  const parts = makeMeanDifferenceParts({ ...difference, p: null }, computing);
  if (difference.value === null) return parts;
  return [...parts, " ", make("span", "muted small", meanText(model) + MINUS_BETWEEN + meanText(reader))];
}
