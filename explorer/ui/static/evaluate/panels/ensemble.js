// Ensemble: what the mean of the chosen models gains over the best member and over the reference, by group of findings.

import { make } from "../../shared/elements.js";
import { countText, wholeText } from "../../shared/figures.js";
import { findMeaning } from "../../shared/glossary.js";
import { showRefusal, showWithCommands } from "../../shared/refusal.js";
import { makeChart } from "../chart.js";
import { columnName, makeMeanDifferenceParts, makeMeanParts } from "../figures.js";
import { makeButtonChoice, makeTable } from "../tables.js";

const ONE_MODEL = "An ensemble needs two models: choose another at the left.";

/** @param {EvaluatePanel<ui.evaluate.panels.ensemble.EnsemblePayload>} answer */
export function makeEnsemblePanel(answer, evaluate) {
  const { members } = answer.content;
  if (members.length < 2) return [make("p", "board-sentence", ONE_MODEL)];
  return [makeHead(answer.content, evaluate), makeChartOfPanel(answer), makeGainsTable(answer), makeKeepForm(evaluate)];
}

function makeHead({ measure, measures, mean, means, members, mean_name }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const named = members.length > 4 ? countText(members.length, "model") : members.join(", ");
  const directionNote = measure === "ECE" ? " Less is better: a gain is below 0." : "";
  const sentence = make("p", "board-sentence", "The mean of " + mean + " of " + named + ", of equal weight: its " + mean_name + " and what it has more than its best member and than the reference." + directionNote);
  const choices = make("div", "ensemble-choices");
  choices.append(makeButtonChoice("Mean of", means, mean, (word) => evaluate.change({ mean: word })), makeButtonChoice("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), findMeaning));
  box.append(sentence, choices);
  return box;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, mean, mean_name, members } = content;
  const label = "What the mean of " + mean + " of " + countText(members.length, "model") + " gains in " + mean_name + " by group of findings. The table below has the numbers.";
  const below = title + ". Mean of " + mean + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return makeChart({ plotly, figure, label, name: "tailscope_ensemble_" + mean, below });
}

function makeGainsTable({ content, computing }) {
  const { gains: all, mean_name, reference } = content;
  const heads = ["Findings", "n, fewest n+", "Ensemble", "Best member", "Over the best", reference, "Over " + reference];
  const rows = all.map((each) => [
    columnName(each),
    wholeText(each.films) + ", " + wholeText(each.fewest),
    makeMeanParts(each.ensemble, computing),
    [make("span", "board-name", each.best ?? ""), ...makeMeanParts(each.of_best, computing)],
    makeMeanDifferenceParts({ ...each.over_best, p: null }, computing),
    makeMeanParts(each.of_reference, computing),
    makeMeanDifferenceParts({ ...each.over_reference, p: null }, computing),
  ]);
  return makeTable("gains-table", mean_name + " of the ensemble by group of findings, and what it gains", heads, rows);
}

// Save the ensemble as a model of the cohort, under a typed name.
function makeKeepForm(evaluate) {
  const form = make("form", "beneath ensemble-keep flex-row flex-wraps");
  const label = make("label", "evaluate-choice muted");
  const name = Object.assign(make("input", "ensemble-name"), { type: "text", required: true, maxLength: 63, autocomplete: "off", spellcheck: false });
  name.dataset.key = "name of the ensemble";
  label.append(make("span", "", "Name"), name);
  const button = Object.assign(make("button", "ensemble-button", "Keep as a model of the cohort"), { type: "submit" });
  const status = make("p", "counts-line ensemble-said");
  status.setAttribute("role", "status");
  form.append(label, button, status);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = "Writing scores and thresholds";
    const answer = await evaluate.ask("keep_ensemble", { name: name.value.trim() });
    button.disabled = false;
    if (answer.stage !== "kept") return showRefusal(status, answer);
    showWithCommands(status, answer.says);
    evaluate.choices.show(answer.choices);
  });
  return form;
}
