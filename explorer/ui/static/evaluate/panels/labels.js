// Labels against labels: means with each source, how far orders and sources agree, and each finding.

import { make } from "../../shared/elements.js";
import { countText, wholeText } from "../../shared/figures.js";
import { findMeaning } from "../../shared/glossary.js";
import { makeChart } from "../chart.js";
import { makeMeanDifferenceParts, makeMeanParts } from "../figures.js";
import { makeButtonChoice, makeFold, makeTable } from "../tables.js";

const SOURCE_WORDS = ["one", "other"];

/** @param {EvaluatePanel<ui.evaluate.panels.labels.LabelsPayload>} answer */
export function makeLabelsPanel(answer, evaluate) {
  const { content, computing } = answer;
  const pair = content.chosen.length === 2;
  return [
    makeHead(content, pair, evaluate),
    pair ? makeChartOfPanel(answer) : makeOneSourceNote(content),
    makeMeansTable(content, computing),
    ...makeRanges(content),
    ...(pair ? [makeTitle("The same order under both?"), makeOrderAgreementTable(content, computing), makeTitle("How far the sources agree"), makeSourceAgreementTable(content, computing)] : []),
    makeFindingsFold(content, computing),
  ];
}

const makeTitle = (words) => make("h2", "published-title labels-title", words);

function makeHead({ measure, measures, mean, sources, chosen, films, models }, pair, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const words = pair ? mean + " of " + countText(models.length, "model") + " on the " + countText(films, "film") + " that both label." : mean + " of " + countText(models.length, "model") + " by the only source of labels.";
  const choices = sources.length > 2 ? SOURCE_WORDS.map((word, place) => makeSourceChoice(word, sources, chosen, place, evaluate)) : [];
  box.append(make("p", "board-sentence", words), ...choices, makeButtonChoice("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), findMeaning));
  return box;
}

function makeSourceChoice(word, sources, chosen, place, evaluate) {
  const label = make("label", "evaluate-choice muted");
  const select = make("select", "");
  const current = chosen[place].word;
  for (const each of sources) if (each.word !== chosen[1 - place].word) select.append(new Option(each.name, each.word, each.word === current, each.word === current));
  select.dataset.key = "labels " + word;
  select.addEventListener("change", () => evaluate.change({ one: chosen[0].word, other: chosen[1].word, [word]: select.value }));
  label.append(make("span", "", place ? "against" : "Labels from"), select);
  return label;
}

function makeOneSourceNote({ cohort, chosen }) {
  return make("p", "labels-lacking", cohort + " has labels of one source, " + chosen[0].name + ". A second one, say of readers beside reports, is needed to compare: docs/evaluate.md says how to add it.");
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, mean, measure, models, chosen } = content;
  const label = mean + " of " + countText(models.length, "model") + " by the labels of " + chosen[0].name + " against those of " + chosen[1].name + ". The table below has the numbers.";
  return makeChart({ plotly, figure, label, name: "tailscope_labels_" + measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

// From -1 to 1, with a sign.
const makeSignedParts = (figure, computing) => makeMeanDifferenceParts({ ...figure, p: null }, computing);

function makeMeansTable({ mean, chosen, models, means: all, counted }, computing) {
  const rows = models.map((name, place) => [name, ...all.map((figures) => makeMeanParts(figures[place], computing))]);
  return makeTable("labels-means", mean + " over " + countText(counted, "finding") + ", by source of labels", ["Model", ...chosen.map(({ name }) => name)], rows);
}

const capitalized = (words) => words[0].toUpperCase() + words.slice(1);

// What uncertain labels can do to each model, and to the order.
function makeRanges({ ranges }) {
  if (!ranges) return [];
  const tables = ranges.grids.map(({ title, header, rows }) => makeTable("labels-ranges", title, header.map(capitalized), rows));
  return [makeTitle("Whichever way uncertain labels fall"), make("p", "labels-ranges-words", ranges.sentence), ...tables];
}

function makeOrderAgreementTable({ alike: all }, computing) {
  const rows = all.map(({ name, tau, rho }) => [name, makeSignedParts(tau, computing), makeSignedParts(rho, computing)]);
  return makeTable("labels-alike", "How alike the order is under both sources", ["Order of", "Kendall\u2019s tau-b", "Spearman\u2019s rho"], rows);
}

function makeSourceAgreementTable({ findings: all, chosen }, computing) {
  const heads = ["Finding", "n", ...chosen.map(({ name }) => "n+ " + name), ...chosen.map(({ name }) => "n+ " + name + " alone"), "Cohen\u2019s kappa"];
  const rows = all.map(({ finding, films, positives, only, kappa }) => [finding, wholeText(films), ...positives.map(wholeText), ...only.map(wholeText), makeSignedParts(kappa, computing)]);
  return makeTable("labels-agreement", "Agreement of the sources by finding", heads, rows);
}

function makeFindingsFold({ findings: all, models, measure, chosen }, computing) {
  const heads = ["Finding", "Labels from", "n+ of n", ...models];
  const rows = all.flatMap(({ finding, films, positives, figures }) => chosen.map(({ name }, place) => [place ? "" : finding, name, wholeText(positives[place]) + " of " + wholeText(films), ...figures[place].map((figure) => makeMeanParts(figure, computing))]));
  return makeFold("labels-findings", measure + " of each finding", makeTable("findings-table", measure + " by finding, source of labels and model", heads, rows));
}
