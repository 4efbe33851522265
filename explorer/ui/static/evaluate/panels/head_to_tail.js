// Head to tail: a line per model over the findings, from the most frequent to the rarest; two gaps; a table of the
// same.

import { make } from "../../shared/elements.js";
import { NONE, NO_POSITIVES, plural, ratioText, whole } from "../../shared/figures.js";
import { meaning } from "../../shared/glossary.js";
import { chart } from "../chart.js";
import { figureParts } from "../figures.js";
import { fold, oneOf, table } from "../tables.js";

/** @param {EvaluatePanel<ui.evaluate.panels.head_to_tail.TailPayload>} answer */
export function headToTail(answer, evaluate) {
  const { content, computing } = answer;
  return [head(content, evaluate), picture(answer), ...means(content, computing), ...gaps(content, computing), findings(content, computing)];
}

function head({ measure, measures, models, findings, few }, evaluate) {
  const box = make("div", "board-head");
  const gray = models.filter(({ further }) => further).length;
  const further = gray ? " Of " + plural(models.length, "model") + " the reference and the best by mAP have a color; the others are gray: choose fewer to tell them apart." : "";
  const thin = findings.filter(({ positives }) => positives < few).length;
  const swing = thin ? " " + plural(thin, "finding") + " with fewer than " + few + " positives." : "";
  const sentence = make("p", "board-sentence", measure + " of each finding, frequent ones left, with 95 % intervals; positives below." + further + swing);
  box.append(sentence, oneOf("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), meaning));
  return box;
}

function picture({ content, title, simulated }) {
  const { plotly, figure, measure, models } = content;
  const label = measure + " of " + plural(models.length, "model") + " by finding, from the most frequent to the rarest. The table below has the numbers.";
  return chart({ plotly, figure, label, name: "tailscope_head-to-tail_" + measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

function means({ means: all, models, mean, few }, computing) {
  const heads = all.map(({ name, findings, films, fewest }) => [make("span", "", name), ...counts(plural(findings, "finding"), fewest, few, "n " + whole(films))]);
  const rows = models.map(({ name }, place) => [name, ...all.map(({ figures }) => figureParts(figures[place], computing))]);
  const title = make("h2", "published-title", mean + " of each group of findings");
  return [title, table("means-table", mean + " by model and group of findings", ["Model", ...heads], rows)];
}

function counts(findings, fewest, few, films = null) {
  const lines = [make("span", "board-count", findings), make("span", fewest < few ? "board-count few" : "board-count", "n+ from " + whole(fewest))];
  return films ? [lines[0], make("span", "board-count", films), lines[1]] : lines;
}

function gaps({ gaps: all, models, mean, few }, computing) {
  if (!all.length) return [];
  const rows = models.map(({ name }, place) => [name, ...all.map(({ figures }) => figureParts(figures[place], computing))]);
  const title = make("h2", "published-title", "What is lost on the way, in " + mean);
  return [title, table("gap-table", "Differences of " + mean + " between groups of findings, by model", ["Model", ...all.map(({ name, findings, fewest }) => [make("span", "", name), ...counts(findings[0] + " and " + plural(findings[1], "finding"), fewest, few)])], rows)];
}

function findings({ findings: all, models, measure }, computing) {
  const heads = ["Finding", "Group", "n+ of n", "Imbalance ratio", ...models.map(({ name }) => name)];
  const rows = all.map(({ finding, group, positives, films, ratio, figures }) => [
    finding,
    group ?? NONE,
    whole(positives) + " of " + whole(films),
    ratio === null ? NO_POSITIVES : ratioText(ratio),
    ...figures.map((figure) => figureParts(figure, computing)),
  ]);
  return fold("tail-table", "The same as a table", table("findings-table", measure + " by finding and model", heads, rows));
}
