// Head to tail: a line per model over the findings, from the most frequent to the rarest; two gaps; a table of the
// same.

import { make } from "../../shared/elements.js";
import { NO_FIGURE, NO_POSITIVES, countText, ratioText, wholeText } from "../../shared/figures.js";
import { findMeaning } from "../../shared/glossary.js";
import { makeChart } from "../chart.js";
import { makeMeanParts } from "../figures.js";
import { makeButtonChoice, makeFold, makeTable } from "../tables.js";

/** @param {EvaluatePanel<ui.evaluate.panels.head_to_tail.TailPayload>} answer */
export function makeHeadToTailPanel(answer, evaluate) {
  const { content, computing } = answer;
  return [makeHead(content, evaluate), makeChartOfPanel(answer), ...makeMeansTable(content, computing), ...makeGapsTable(content, computing), makeFindingsFold(content, computing)];
}

function makeHead({ measure, measures, models, findings, few }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const gray = models.filter(({ further }) => further).length;
  const further = gray ? " Of " + countText(models.length, "model") + " the reference and the best by mAP have a color; the others are gray: choose fewer to tell them apart." : "";
  const fewPositives = findings.filter(({ positives }) => positives < few).length;
  const unstableNote = fewPositives ? " " + countText(fewPositives, "finding") + " with fewer than " + few + " positives." : "";
  const sentence = make("p", "board-sentence", measure + " of each finding, frequent ones left, with 95 % intervals; positives below." + further + unstableNote);
  box.append(sentence, makeButtonChoice("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), findMeaning));
  return box;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, measure, models } = content;
  const label = measure + " of " + countText(models.length, "model") + " by finding, from the most frequent to the rarest. The table below has the numbers.";
  return makeChart({ plotly, figure, label, name: "tailscope_head-to-tail_" + measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

function makeMeansTable({ means: all, models, mean, few }, computing) {
  const heads = all.map(({ name, findings, films, fewest }) => [make("span", "", name), ...makeCounts(countText(findings, "finding"), fewest, few, "n " + wholeText(films))]);
  const rows = models.map(({ name }, place) => [name, ...all.map(({ figures }) => makeMeanParts(figures[place], computing))]);
  const title = make("h2", "published-title", mean + " of each group of findings");
  return [title, makeTable("means-table", mean + " by model and group of findings", ["Model", ...heads], rows)];
}

function makeCounts(findings, fewest, few, films = null) {
  const lines = [make("span", "board-count", findings), make("span", fewest < few ? "board-count few" : "board-count", "n+ from " + wholeText(fewest))];
  return films ? [lines[0], make("span", "board-count", films), lines[1]] : lines;
}

function makeGapsTable({ gaps: all, models, mean, few }, computing) {
  if (!all.length) return [];
  const rows = models.map(({ name }, place) => [name, ...all.map(({ figures }) => makeMeanParts(figures[place], computing))]);
  const title = make("h2", "published-title", "Loss from head to tail, in " + mean);
  return [title, makeTable("gap-table", "Differences of " + mean + " between groups of findings, by model", ["Model", ...all.map(({ name, findings, fewest }) => [make("span", "", name), ...makeCounts(findings[0] + " and " + countText(findings[1], "finding"), fewest, few)])], rows)];
}

function makeFindingsFold({ findings: all, models, measure }, computing) {
  const heads = ["Finding", "Group", "n+ of n", "Imbalance ratio", ...models.map(({ name }) => name)];
  const rows = all.map(({ finding, group, positives, films, ratio, figures }) => [
    finding,
    group ?? NO_FIGURE,
    wholeText(positives) + " of " + wholeText(films),
    ratio === null ? NO_POSITIVES : ratioText(ratio),
    ...figures.map((figure) => makeMeanParts(figure, computing)),
  ]);
  return makeFold("tail-table", "The same data as a table", makeTable("findings-table", measure + " by finding and model", heads, rows));
}
