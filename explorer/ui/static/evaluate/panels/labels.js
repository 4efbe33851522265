// Labels against labels: means under each source, agreement of the orders and of the sources, and each finding.

import { make } from "../../shared/elements.js";
import { plural, whole } from "../../shared/figures.js";
import { meaning } from "../../shared/glossary.js";
import { chart } from "../chart.js";
import { differenceParts, figureParts } from "../figures.js";
import { fold, oneOf, table } from "../tables.js";

const WORDS = ["one", "other"];

/** @param {EvaluatePanel<ui.evaluate.panels.labels.LabelsPayload>} answer */
export function labels(answer, evaluate) {
  const { content, computing } = answer;
  const pair = content.chosen.length === 2;
  return [
    head(content, pair, evaluate),
    pair ? picture(answer) : lacking(content),
    means(content, computing),
    ...(pair ? [title("The same order under both?"), alike(content, computing), title("How far the sources agree"), agreement(content, computing)] : []),
    findings(content, computing),
  ];
}

const title = (words) => make("h2", "published-title labels-title", words);

function head({ measure, measures, mean, sources, chosen, films, models }, pair, evaluate) {
  const box = make("div", "board-head");
  const words = pair ? mean + " of " + plural(models.length, "model") + " on the " + plural(films, "film") + " that both sources label." : mean + " of " + plural(models.length, "model") + " by the only source of labels.";
  const choices = sources.length > 2 ? WORDS.map((word, place) => source(word, sources, chosen, place, evaluate)) : [];
  box.append(make("p", "board-sentence", words), ...choices, oneOf("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), meaning));
  return box;
}

function source(word, sources, chosen, place, evaluate) {
  const label = make("label", "evaluate-choice");
  const select = make("select", "");
  const here = chosen[place].word;
  for (const each of sources) if (each.word !== chosen[1 - place].word) select.append(new Option(each.name, each.word, each.word === here, each.word === here));
  select.dataset.key = "labels " + word;
  select.addEventListener("change", () => evaluate.change({ one: chosen[0].word, other: chosen[1].word, [word]: select.value }));
  label.append(make("span", "", place ? "against" : "Labels from"), select);
  return label;
}

function lacking({ cohort, chosen }) {
  return make("p", "labels-lacking", cohort + " has labels of one source, " + chosen[0].name + ". A second one, say of readers beside reports, is needed to compare: docs/evaluate.md says how to add it.");
}

function picture({ content, title, simulated }) {
  const { plotly, figure, mean, measure, models, chosen } = content;
  const label = mean + " of " + plural(models.length, "model") + " by the labels of " + chosen[0].name + " against those of " + chosen[1].name + ". The table below has the numbers.";
  return chart({ plotly, figure, label, name: "tailscope_labels_" + measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

// From -1 to 1, with a sign.
const signed = (figure, computing) => differenceParts({ ...figure, p: null }, computing);

function means({ mean, chosen, models, means: all, counted }, computing) {
  const rows = models.map((name, place) => [name, ...all.map((figures) => figureParts(figures[place], computing))]);
  return table("labels-means", mean + " over " + plural(counted, "finding") + ", by source of labels", ["Model", ...chosen.map(({ name }) => name)], rows);
}

function alike({ alike: all }, computing) {
  const rows = all.map(({ name, tau, rho }) => [name, signed(tau, computing), signed(rho, computing)]);
  return table("labels-alike", "How alike the order is under both sources", ["Order of", "Kendall\u2019s tau-b", "Spearman\u2019s rho"], rows);
}

function agreement({ findings: all, chosen }, computing) {
  const heads = ["Finding", "n", ...chosen.map(({ name }) => "n+ " + name), ...chosen.map(({ name }) => "n+ " + name + " alone"), "Cohen\u2019s kappa"];
  const rows = all.map(({ finding, films, positives, only, kappa }) => [finding, whole(films), ...positives.map(whole), ...only.map(whole), signed(kappa, computing)]);
  return table("labels-agreement", "Agreement of the sources by finding", heads, rows);
}

function findings({ findings: all, models, measure, chosen }, computing) {
  const heads = ["Finding", "Labels from", "n+ of n", ...models];
  const rows = all.flatMap(({ finding, films, positives, figures }) => chosen.map(({ name }, place) => [place ? "" : finding, name, whole(positives[place]) + " of " + whole(films), ...figures[place].map((figure) => figureParts(figure, computing))]));
  return fold("labels-findings", measure + " of each finding", table("findings-table", measure + " by finding, source of labels and model", heads, rows));
}
