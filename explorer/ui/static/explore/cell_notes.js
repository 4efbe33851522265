// The notes of the table: above it how to read it, below it how its figures were computed.

import { wholeText } from "../shared/figures.js";
import { NATURAL_PREVALENCE_WORDS, gapNote } from "./cell_words.js";
import { upperFirst } from "./panel_base.js";

// How to read the table, by its measure; `all`: the three measures of one center.
const HOW_TO_READ = {
  sensitivity: "Of the films with a finding, the share that the model called.",
  specificity: "Of the films without a finding, the share that the model did not call.",
  precision: "How well the scores rank films with a finding above films without it; blue marks chance level.",
  all: "How often the model calls present findings, does not call absent ones, and how well its scores rank the films; blue marks chance level.",
};

// `table`: the server's answer; `several` centers; `gaps` between two of them.
export function tableWords({ table, measure, several, gaps }) {
  const { lines, few } = table;
  const differingNote = gaps ? " \u25c6: " + (table.between.length > 2 ? "two" : "the") + " centers differ by more than chance explains." : "";
  if (!several || measure !== "sensitivity") return HOW_TO_READ[several ? measure : "all"] + differingNote;
  const known = lines.map(({ finding, pooled }) => ({ finding, ...pooled.sensitivity })).filter(({ n, value }) => n >= few && value !== null);
  const [worst] = known.sort((one, other) => one.value - other.value);
  const most = worst && worst.hits < worst.n ? " Most often missed: " + worst.finding + " (" + wholeText(worst.n - worst.hits) + " of " + wholeText(worst.n) + ")." : "";
  return HOW_TO_READ.sensitivity + most + differingNote;
}

export function legendLines({ table, measure, gaps }) {
  const { thresholds, few, centers } = table;
  const lines = [
    ...table.relations,
    "Thresholds: " + thresholds + ".",
    "95 % intervals: of rates by Wilson, with as many films as would be independent, because films of one patient are alike; of AP and AUROC by resampling whole patients. Blue: chance, which is the prevalence for AP and 0.50 for AUROC.",
    "Gray: fewer than " + few + " films to count.",
  ];
  if (table.lines.some(({ pooled }) => pooled.precision.natural !== null)) lines.push("Natural: " + NATURAL_PREVALENCE_WORDS + " Its interval is of the same resamples.");
  if (gaps) lines.push(gapNote(table, measure));
  for (const [origin, meaning] of new Map(centers.map((center) => [center.origin, center.meaning]))) if (origin) lines.push(upperFirst(origin) + ": " + meaning + ".");
  return lines;
}
