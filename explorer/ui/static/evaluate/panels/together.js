// Together: findings that occur together in labels and in a model's calls, and the pairs that differ most.

import { make, makePlaceLink } from "../../shared/elements.js";
import { wholeText } from "../../shared/figures.js";
import { makeChart } from "../chart.js";
import { makeMeanDifferenceParts, wholePercentText } from "../figures.js";
import { makeButtonChoice, makeTable } from "../tables.js";

const CHART_SENTENCES = {
  difference: ["How much more a row's finding raises the rate of the column's in the calls of ", " than in the labels: orange is too often, blue too rarely."],
  labels: ["Of the films labeled with a row's finding, the share that are also labeled with the column's, on the films that ", " can call."],
  calls: ["Of the films on which ", " calls a row's finding, the share on which it also calls the column's."],
};

/** @param {EvaluatePanel<ui.evaluate.panels.together.TogetherPayload>} answer */
export function makeTogetherPanel(answer, evaluate) {
  const { content, computing } = answer;
  const { often, rarely, calls, model } = content;
  if (!calls) return [makeHead(content, evaluate), make("p", "board-sentence", model + " calls nothing here: it has no thresholds for these findings, or none is reached.")];
  return [makeHead(content, evaluate), makeChartOfPanel(answer), ...makePairsTable("Called together too often", often, content, computing), ...makePairsTable("Called together too rarely", rarely, content, computing)];
}

function makeHead({ show, shown, models, of: sourceWord, model, few, calls }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const [before, after] = CHART_SENTENCES[show];
  const sentence = before + model + after + (calls ? " Fewer than " + few + " films: faded. Hover for n." : "");
  const label = make("label", "evaluate-choice muted");
  const select = make("select", "");
  for (const { word, name } of models) select.append(new Option(name, word, word === sourceWord, word === sourceWord));
  select.dataset.key = "choose of";
  select.addEventListener("change", () => evaluate.change({ of: select.value }));
  label.append(make("span", "", "Calls of"), select);
  const choices = make("div", "ensemble-choices");
  choices.append(label, makeButtonChoice("Shown", shown, show, (word) => evaluate.change({ show: word })));
  box.append(make("p", "board-sentence", sentence), choices);
  return box;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, show, model } = content;
  const label = "Findings by findings: " + (show === "difference" ? "excess of calls over labels" : show) + " of " + model + ". The tables below have the pairs that differ most.";
  const below = title + ". " + model + ", " + show + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return makeChart({ plotly, figure, label, name: "tailscope_together_" + show, below });
}

function makePairsTable(caption, all, { few }, computing) {
  const title = make("h2", "published-title", caption);
  if (!all.length) return [title, make("p", "counts-line", "No pair with " + few + " films labeled and " + few + " called with the first finding.")];
  const heads = ["Where", "Also", "Called", "At all", "Labeled", "At all", "Excess of calls", "Mistakes"];
  const rows = all.map((each) => [
    each.given,
    each.other,
    makeShareOf(each.called, each.calls),
    wholePercentText(each.called_at_all),
    makeShareOf(each.labeled, each.labels),
    wholePercentText(each.labeled_at_all),
    makeMeanDifferenceParts({ ...each.difference, p: null }, computing),
    makePlaceLink("pair-link", "films", "#explore?" + new URLSearchParams(each.words)),
  ]);
  for (const row of rows) row[7].setAttribute("aria-label", "films of " + row[0] + " with " + row[1]);
  return [title, makeTable("pairs-table", caption, heads, rows)];
}

const makeShareOf = ({ value }, n) => [make("span", "board-value", wholePercentText(value)), make("span", "board-reach muted small", "of " + wholeText(n))];
