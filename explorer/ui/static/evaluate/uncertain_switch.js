// How uncertain labels count, where the chosen source has some: left out, as absent, as present, or both bounds side by
// side, which is a panel of its own.

import { make } from "../shared/elements.js";
import { wholeText } from "../shared/figures.js";
import { UNCERTAIN_BOUNDS } from "../shared/uncertain_bounds.js";

const BOTH = "both";
const MEANING = "Labels given as uncertain, or on which sources differ. All of them count alike: in every panel, and in Explore.";

export function makeUncertainSwitch({ evaluate }, { uncertain }) {
  if (!uncertain.labels && !uncertain.chosen) return [];
  const both = Object.entries(UNCERTAIN_BOUNDS).every(([word, value]) => evaluate.state[word] === value);
  const chosen = both ? BOTH : uncertain.chosen;
  const select = make("select", "");
  for (const { word, name } of [...uncertain.values, { word: BOTH, name: "both bounds" }]) select.append(new Option(name, word, word === chosen, word === chosen));
  select.dataset.key = "choose uncertain";
  select.addEventListener("change", () => evaluate.change(changesTo(select.value, both)));
  const label = make("label", "evaluate-choice muted");
  label.title = MEANING;
  label.append(make("span", "", "Uncertain labels (" + wholeText(uncertain.labels) + ")"), select);
  return [label];
}

function changesTo(word, both) {
  if (word === BOTH) return { ...UNCERTAIN_BOUNDS, uncertain: null };
  const left = both ? Object.fromEntries(Object.keys(UNCERTAIN_BOUNDS).map((each) => [each, null])) : {};
  return { ...left, uncertain: word };
}
