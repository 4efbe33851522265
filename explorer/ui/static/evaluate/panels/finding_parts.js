// Shared by the parts of the finding panel: a choice, a chart named after the finding, the format of a threshold.

import { significantText } from "../../shared/figures.js";
import { make } from "../../shared/elements.js";
import { makeChart } from "../chart.js";

export function makeFindingChoice(title, key, options, chosen, choose) {
  const label = make("label", "evaluate-choice muted");
  const select = make("select", "");
  for (const { word, name } of options) select.append(new Option(name, word, word === chosen, word === chosen));
  select.dataset.key = "panel " + key;
  select.addEventListener("change", () => choose(select.value));
  label.append(make("span", "", title), select);
  return label;
}

export const thresholdPlaceText = ({ low, high }) => (low === high ? thresholdText(low) : thresholdText(low) + " to " + thresholdText(high) + ", by fold");
// Scores lie close together near 0 and 1.
export const thresholdText = (value) => significantText(value);

export function makeFindingChart({ content, title, simulated }, figure, kind, label) {
  const name = "tailscope_" + kind + "_" + content.finding.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return makeChart({ plotly: content.plotly, figure, label, name, below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}
