// Whether one model's scores are rates, before and after calibration on other patients, and their distribution.

import { make } from "../../shared/elements.js";
import { makeMeanDifferenceParts, makeMeanParts } from "../figures.js";
import { makeTable } from "../tables.js";
import { makeFindingChart } from "./finding_parts.js";

export function makeCalibratedPanel(answer) {
  const { content, computing } = answer;
  const { finding, models, reference, calibrated: kinds, reliability, spread } = content;
  const name = models[reference].name;
  const title = make("h2", "published-title", "Are the scores of " + name + " rates?");
  const words = make("p", "counts-line", "Share of films with " + finding + " among films that score alike, ten bins of the same number of films with 95 % intervals; on the dotted line scores are rates. Calibration is fitted on other patients' films.");
  const rows = kinds.map(({ kind, reason, ece, brier }) => [kind, ...(reason ? [reason, reason] : [makeMeanParts(ece, computing), makeMeanDifferenceParts({ ...brier, p: null }, computing)])]);
  const figures = makeTable("calibrated-table", "ECE and scaled Brier score before and after calibration", ["Scores", "ECE", "Scaled Brier"], rows);
  const below = make("h2", "published-title", "How its scores are spread, by label and center");
  const label = "Reliability of " + name + " for " + finding + " before and after calibration. The table below has ECE and the Brier score.";
  const spreadLabel = "Histograms of the scores of " + name + " of films with and without " + finding + ", for all films and each center.";
  return [title, words, makeFindingChart(answer, reliability, "reliability", label), figures, below, makeFindingChart(answer, spread, "scores", spreadLabel)];
}
