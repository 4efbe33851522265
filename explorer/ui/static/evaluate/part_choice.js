// Choice of the group of findings, or the center, that a panel covers.

import { make } from "../shared/elements.js";
import { columnName } from "./figures.js";

export function makePartChoice(parts, chosen, evaluate) {
  const label = make("label", "evaluate-choice muted");
  const select = make("select", "");
  for (const part of parts) select.append(new Option(columnName(part), part.word, part.word === chosen.word, part.word === chosen.word));
  select.dataset.key = "choose part";
  select.addEventListener("change", () => evaluate.change({ part: select.value }));
  label.append(make("span", "", "Findings"), select);
  return label;
}
