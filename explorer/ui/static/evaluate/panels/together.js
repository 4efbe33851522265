// Together: findings that occur together in labels and in a model's calls, and the pairs that differ most.

import { make, placeLink } from "../../shared/elements.js";
import { whole } from "../../shared/figures.js";
import { chart } from "../chart.js";
import { differenceParts, percent } from "../figures.js";
import { oneOf, table } from "../tables.js";

const SEEN = {
  difference: ["How much more a row's finding raises the share of the column's, over its rate at all, in the calls of ", " than in labels: orange put together too often, blue too rarely."],
  labels: ["Of the films labeled with a row's finding, the share that are also labeled with the column's, on the films that ", " can call."],
  calls: ["Of the films on which ", " calls a row's finding, the share on which it also calls the column's."],
};

/** @param {EvaluatePanel<ui.evaluate.panels.together.TogetherPayload>} answer */
export function together(answer, evaluate) {
  const { content, computing } = answer;
  const { often, rarely, calls, model } = content;
  if (!calls) return [head(content, evaluate), make("p", "board-sentence", model + " calls nothing here: it has no thresholds for these findings, or none is reached.")];
  return [head(content, evaluate), picture(answer), ...pairs("Put together most too often", often, content, computing), ...pairs("Put together most too rarely", rarely, content, computing)];
}

function head({ show, shown, models, of, model, few, calls }, evaluate) {
  const box = make("div", "board-head");
  const [before, after] = SEEN[show];
  const sentence = before + model + after + (calls ? " Fewer than " + few + " films: faded. Hover for n." : "");
  const label = make("label", "evaluate-choice");
  const select = make("select", "");
  for (const { word, name } of models) select.append(new Option(name, word, word === of, word === of));
  select.dataset.key = "choose of";
  select.addEventListener("change", () => evaluate.change({ of: select.value }));
  label.append(make("span", "", "Calls of"), select);
  const choices = make("div", "ensemble-choices");
  choices.append(label, oneOf("Shown", shown, show, (word) => evaluate.change({ show: word })));
  box.append(make("p", "board-sentence", sentence), choices);
  return box;
}

function picture({ content, title, simulated }) {
  const { plotly, figure, show, model } = content;
  const label = "Findings by findings: " + (show === "difference" ? "excess of calls over labels" : show) + " of " + model + ". The tables below have the pairs that differ most.";
  const below = title + ". " + model + ", " + show + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return chart({ plotly, figure, label, name: "tailscope_together_" + show, below });
}

function pairs(caption, all, { few }, computing) {
  const title = make("h2", "published-title", caption);
  if (!all.length) return [title, make("p", "counts-line", "No pair with " + few + " films labeled and " + few + " called with the first finding.")];
  const heads = ["Where", "Also", "Called", "At all", "Labeled", "At all", "Excess of calls", "Mistakes"];
  const rows = all.map((each) => [
    each.given,
    each.other,
    of(each.called, each.calls),
    percent(each.called_at_all),
    of(each.labeled, each.labels),
    percent(each.labeled_at_all),
    differenceParts({ ...each.difference, p: null }, computing),
    placeLink("pair-link", "films", "#explore?" + new URLSearchParams(each.words)),
  ]);
  for (const row of rows) row[7].setAttribute("aria-label", "films of " + row[0] + " with " + row[1]);
  return [title, table("pairs-table", caption, heads, rows)];
}

const of = ({ value }, n) => [make("span", "board-value", percent(value)), make("span", "board-reach", "of " + whole(n))];
