// Six metrics at a glance for one group of findings: a radar, dots with intervals, and a table of the same.

import { make } from "../../shared/elements.js";
import { countText } from "../../shared/figures.js";
import { makeChart } from "../chart.js";
import { columnName, makeMeanParts } from "../figures.js";
import { makePartChoice } from "../part_choice.js";
import { makeFold, makeTable } from "../tables.js";

/** @param {EvaluatePanel<ui.evaluate.panels.glance.GlancePayload>} answer */
export function makeGlancePanel(answer, evaluate) {
  return [makeHead(answer.content, evaluate), makeChartOfPanel(answer), makeFiguresFold(answer)];
}

function makeHead({ parts, part, findings, films, fewest, few, models }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const gray = models.filter(({ further }) => further).length;
  const further = gray ? " Drawn are the reference and the best by mAP, " + (models.length - gray) + " of " + countText(models.length, "model") + "; the table has all." : "";
  const unstableNote = fewest < few ? " One or two films can change the means." : "";
  const counts = countText(findings, "finding") + ", " + countText(films, "film") + ", fewest positives " + fewest + ".";
  box.append(make("p", "board-sentence", "Six means over findings, more is better on every axis: " + columnName(part) + ", " + counts + unstableNote + further), makePartChoice(parts, part, evaluate));
  return box;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, part, models } = content;
  const label = "Six metrics of " + countText(models.length, "model") + ", " + columnName(part) + ". The table below has the numbers.";
  const below = title + ". " + columnName(part) + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return makeChart({ plotly, figure, label, name: "tailscope_six-metrics", below });
}

function makeFiguresFold({ content, computing }) {
  const { metrics, models, findings } = content;
  const heads = metrics.map(({ name, counted }) => (counted === findings ? name : [name, make("span", "board-count", "of " + countText(counted, "finding"))]));
  const rows = models.map(({ name }, place) => [name, ...metrics.map((each) => makeMeanParts(each.figures[place], computing))]);
  return makeFold("glance-fold", "The same as a table", makeTable("glance-table", "Six means by model", ["Model", ...heads], rows));
}
