// What both parts of Stress tests share: the choice between them, and the button that saves listed films.

import { make } from "../../shared/elements.js";
import { countText } from "../../shared/figures.js";
import { makeButtonChoice } from "../tables.js";

const PARTS = [
  { word: "robustness", name: "Perturbed films" },
  { word: "detectability", name: "Inserted findings" },
];

export const makeStressChoice = (shown, evaluate) => makeButtonChoice("Stress test", PARTS, shown, (panel) => evaluate.panels.openPanel(panel));

// The films are no filter: they are saved as a list, and the list is the filter.
export function makeFilmListBar(films, evaluate, kinds = "") {
  const status = make("span", "muted small");
  status.setAttribute("role", "status");
  const open = Object.assign(make("button", "stress-open", "Open these " + countText(films.length, "film") + " in Explore"), { type: "button" });
  open.addEventListener("click", async () => {
    const answer = await evaluate.ask("films_listed", { kinds });
    if (answer.stage === "films listed") location.hash = "#explore?" + new URLSearchParams(answer.words);
    else status.replaceChildren(answer.title + ". " + answer.detail);
  });
  const bar = make("p", "flex-row flex-wraps");
  bar.append(open, make("span", "muted small", "They are saved as a list of cases on this machine."), status);
  return bar;
}
