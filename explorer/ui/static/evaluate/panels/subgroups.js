// Subgroups: how far each differs from the other films, as a chart; then a table for each attribute.

import { make } from "../../shared/elements.js";
import { plural, whole } from "../../shared/figures.js";
import { meaning } from "../../shared/glossary.js";
import { chart } from "../chart.js";
import { differenceParts, figureParts } from "../figures.js";
import { oneOf, table } from "../tables.js";

/** @param {EvaluatePanel<ui.evaluate.panels.subgroups.SubgroupsPayload>} answer */
export function subgroups(answer, evaluate) {
  const { content, computing } = answer;
  if (!content.respects.length) return [head(content, evaluate), make("p", "subgroup-none", "The films are alike in center, view, sex, age and number of findings, or these are not known: there is no subgroup to compare.")];
  return [head(content, evaluate), picture(answer), ...content.respects.flatMap((respect) => one(respect, content, computing))];
}

function head({ measure, measures, mean, over, parts, findings, prevalence }, evaluate) {
  const box = make("div", "board-head");
  const sentence = make("p", "board-sentence", mean + " over " + plural(findings, "finding") + " on films of each subgroup, and its difference to the other films.");
  if (prevalence) sentence.append(" ", make("span", "subgroup-caution", measure + " follows prevalence: between subgroups it is not comparable. AUROC is."));
  box.append(sentence, group(over, parts, evaluate), oneOf("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), meaning));
  return box;
}

function group(over, parts, evaluate) {
  const label = make("label", "evaluate-choice");
  const select = make("select", "");
  for (const { word, name } of parts) select.append(new Option(name, word, word === over, word === over));
  select.dataset.key = "over";
  select.addEventListener("change", () => evaluate.change({ over: select.value }));
  label.append(make("span", "", "Findings"), select);
  return label;
}

function picture({ content, title, simulated }) {
  const { plotly, figure, mean, models } = content;
  const label = "Difference of " + mean + " between each subgroup and the other films, of " + plural(models.length, "model") + ". The tables below have the numbers.";
  return chart({ plotly, figure, label, name: "tailscope_subgroups_" + content.measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

function one({ by, subgroups: all }, { models, findings, few, mean }, computing) {
  const heads = ["Model", ...all.map((each) => column(each, findings, few))];
  const rows = models.map(({ name }, place) => [name, ...all.map((each) => cell(each, place, computing))]);
  return [make("h2", "published-title subgroup-title", by), table("subgroup-table", mean + " by " + by.toLowerCase() + ", and the difference to the other films, by model", heads, rows)];
}

function column({ name, films, others, counted, fewest }, findings, few) {
  const thin = make("span", fewest < few ? "board-count few" : "board-count", "n+ from " + whole(fewest));
  const over = counted === findings ? plural(findings, "finding") : counted + " of " + plural(findings, "finding");
  return [make("span", "subgroup-name", name), make("span", "board-count", "n " + whole(films) + " against " + whole(others)), make("span", "board-count", over), ...(counted ? [thin] : [])];
}

function cell({ counted, figures, differences }, place, computing) {
  if (!counted) return make("span", "board-none", "no finding on both sides");
  return [...figureParts(figures[place], computing), ...differenceParts(differences[place], computing)];
}
