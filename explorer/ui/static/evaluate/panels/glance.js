// Six metrics at a glance for one group of findings: a radar, dots with intervals, and a table of the same.

import { make } from "../../shared/elements.js";
import { plural } from "../../shared/figures.js";
import { chart } from "../chart.js";
import { figureParts, where } from "../figures.js";
import { partChoice } from "../part_choice.js";
import { fold, table } from "../tables.js";

/** @param {EvaluatePanel<ui.evaluate.panels.glance.GlancePayload>} answer */
export function glance(answer, evaluate) {
  return [head(answer.content, evaluate), picture(answer), figures(answer)];
}

function head({ parts, part, findings, films, fewest, few, models }, evaluate) {
  const box = make("div", "board-head");
  const gray = models.filter(({ further }) => further).length;
  const further = gray ? " Drawn are the reference and the best by mAP, " + (models.length - gray) + " of " + plural(models.length, "model") + "; the table has all." : "";
  const swing = fewest < few ? " Means swing with a film or two." : "";
  const counts = plural(findings, "finding") + ", " + plural(films, "film") + ", fewest positives " + fewest + ".";
  box.append(make("p", "board-sentence", "Six means over findings, more is better on every axis: " + where(part) + ", " + counts + swing + further), partChoice(parts, part, evaluate));
  return box;
}

function picture({ content, title, simulated }) {
  const { plotly, figure, part, models } = content;
  const label = "Six metrics of " + plural(models.length, "model") + ", " + where(part) + ". The table below has the numbers.";
  const below = title + ". " + where(part) + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return chart({ plotly, figure, label, name: "tailscope_six-metrics", below });
}

function figures({ content, computing }) {
  const { metrics, models, findings } = content;
  const heads = metrics.map(({ name, counted }) => (counted === findings ? name : [name, make("span", "board-count", "of " + plural(counted, "finding"))]));
  const rows = models.map(({ name }, place) => [name, ...metrics.map((each) => figureParts(each.figures[place], computing))]);
  return fold("glance-fold", "The same as a table", table("glance-table", "Six means by model", ["Model", ...heads], rows));
}
