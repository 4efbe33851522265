// Ensemble: what the mean of the chosen models gains over the best member and over the reference, by group of findings.

import { make } from "../../shared/elements.js";
import { plural, whole } from "../../shared/figures.js";
import { meaning } from "../../shared/glossary.js";
import { showRefusal, showWords } from "../../shared/refusal.js";
import { chart } from "../chart.js";
import { differenceParts, figureParts, where } from "../figures.js";
import { oneOf, table } from "../tables.js";

const ALONE = "An ensemble needs two models: choose another at the left.";

/** @param {EvaluatePanel<ui.evaluate.panels.ensemble.EnsemblePayload>} answer */
export function ensemble(answer, evaluate) {
  const { members } = answer.content;
  if (members.length < 2) return [make("p", "board-sentence", ALONE)];
  return [head(answer.content, evaluate), picture(answer), gains(answer), keeping(evaluate)];
}

function head({ measure, measures, mean, means, members, mean_name }, evaluate) {
  const box = make("div", "board-head");
  const named = members.length > 4 ? plural(members.length, "model") : members.join(", ");
  const good = measure === "ECE" ? " Less is better: a gain is below 0." : "";
  const sentence = make("p", "board-sentence", "The mean of " + mean + " of " + named + ", of equal weight: its " + mean_name + " and what it has more than its best member and than the reference." + good);
  const choices = make("div", "ensemble-choices");
  choices.append(oneOf("Mean of", means, mean, (word) => evaluate.change({ mean: word })), oneOf("Metric", measures, measure.toLowerCase(), (word) => evaluate.change({ metric: word }), meaning));
  box.append(sentence, choices);
  return box;
}

function picture({ content, title, simulated }) {
  const { plotly, figure, mean, mean_name, members } = content;
  const label = "What the mean of " + mean + " of " + plural(members.length, "model") + " gains in " + mean_name + " by group of findings. The table below has the numbers.";
  const below = title + ". Mean of " + mean + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return chart({ plotly, figure, label, name: "tailscope_ensemble_" + mean, below });
}

function gains({ content, computing }) {
  const { gains: all, mean_name, reference } = content;
  const heads = ["Findings", "n, fewest n+", "Ensemble", "Best member", "Over the best", reference, "Over " + reference];
  const rows = all.map((each) => [
    where(each),
    whole(each.films) + ", " + whole(each.fewest),
    figureParts(each.ensemble, computing),
    [make("span", "board-name", each.best ?? ""), ...figureParts(each.of_best, computing)],
    differenceParts({ ...each.over_best, p: null }, computing),
    figureParts(each.of_reference, computing),
    differenceParts({ ...each.over_reference, p: null }, computing),
  ]);
  return table("gains-table", mean_name + " of the ensemble by group of findings, and what it gains", heads, rows);
}

// Save the ensemble as a model of the cohort, under a typed name.
function keeping(evaluate) {
  const form = make("form", "beneath ensemble-keep");
  const label = make("label", "evaluate-choice");
  const name = Object.assign(make("input", "ensemble-name"), { type: "text", required: true, maxLength: 63, autocomplete: "off", spellcheck: false });
  name.dataset.key = "name of the ensemble";
  label.append(make("span", "", "Name"), name);
  const button = Object.assign(make("button", "ensemble-button", "Keep as a model of the cohort"), { type: "submit" });
  const said = make("p", "counts-line ensemble-said");
  said.setAttribute("role", "status");
  form.append(label, button, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = "Writing scores and thresholds";
    const answer = await evaluate.ask("keep_ensemble", { name: name.value.trim() });
    button.disabled = false;
    if (answer.stage !== "kept") return showRefusal(said, answer);
    showWords(said, answer.says);
    evaluate.choices.show(answer.choices);
  });
  return form;
}
