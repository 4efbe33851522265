// Subgroups: how much each differs from the other films, as a chart; then a table for each attribute.

import { make } from "../../shared/elements.js";
import { countText, wholeText } from "../../shared/figures.js";
import { findMeaning } from "../../shared/glossary.js";
import { makeChart } from "../chart.js";
import { makeMeanDifferenceParts, makeMeanParts } from "../figures.js";
import { makeButtonChoice, makeTable } from "../tables.js";

/** @param {EvaluatePanel<ui.evaluate.panels.subgroups.SubgroupsPayload>} answer */
export function makeSubgroupsPanel(answer, evaluate) {
  const { content, computing } = answer;
  if (!content.respects.length) return [makeHead(content, evaluate), make("p", "subgroup-none", "The films are alike in center, view, sex, age and number of findings, or these are not known: there is no subgroup to compare.")];
  return [makeHead(content, evaluate), makeChartOfPanel(answer), ...content.respects.flatMap((respect) => makeAttributeTable(respect, content, computing))];
}

function makeHead({ measure, measures, mean, over: group, parts, findings, prevalence }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const sentence = make("p", "board-sentence", mean + " over " + countText(findings, "finding") + " on films of each subgroup, and its difference to the other films.");
  if (prevalence) sentence.append(" ", make("span", "subgroup-caution", measure + " depends on prevalence and cannot be compared between subgroups. AUROC can."));
  box.append(sentence, makeGroupChoice(group, parts, evaluate), makeButtonChoice("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), findMeaning));
  return box;
}

function makeGroupChoice(chosenGroup, parts, evaluate) {
  const label = make("label", "evaluate-choice muted");
  const select = make("select", "");
  for (const { word, name } of parts) select.append(new Option(name, word, word === chosenGroup, word === chosenGroup));
  select.dataset.key = "over";
  select.addEventListener("change", () => evaluate.change({ over: select.value }));
  label.append(make("span", "", "Findings"), select);
  return label;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, mean, models } = content;
  const label = "Difference of " + mean + " between each subgroup and the other films, of " + countText(models.length, "model") + ". The tables below have the numbers.";
  return makeChart({ plotly, figure, label, name: "tailscope_subgroups_" + content.measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

function makeAttributeTable({ by: attribute, subgroups: all }, { models, findings, few, mean }, computing) {
  const heads = ["Model", ...all.map((each) => makeColumnHeading(each, findings, few))];
  const rows = models.map(({ name }, place) => [name, ...all.map((each) => makeCell(each, place, computing))]);
  return [make("h2", "published-title subgroup-title", attribute), makeTable("subgroup-table", mean + " by " + attribute.toLowerCase() + ", and the difference to the other films, by model", heads, rows)];
}

function makeColumnHeading({ name, films, others, counted, fewest }, findings, few) {
  const positivesNote = make("span", fewest < few ? "board-count few" : "board-count", "n+ from " + wholeText(fewest));
  const findingsNote = counted === findings ? countText(findings, "finding") : counted + " of " + countText(findings, "finding");
  return [make("span", "subgroup-name", name), make("span", "board-count", "n " + wholeText(films) + " against " + wholeText(others)), make("span", "board-count", findingsNote), ...(counted ? [positivesNote] : [])];
}

function makeCell({ counted, figures, differences }, place, computing) {
  if (!counted) return make("span", "board-none muted small", "no finding on both sides");
  return [...makeMeanParts(figures[place], computing), ...makeMeanDifferenceParts(differences[place], computing)];
}
