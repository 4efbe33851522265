// Robustness: what perturbations cost a model, by kind and strength, which calls flip, and which films are least stable.

import { make, makePlaceLink } from "../../shared/elements.js";
import { countText } from "../../shared/figures.js";
import { makeWithCommands } from "../../shared/refusal.js";
import { makeChart } from "../chart.js";
import { makePartChoice } from "../part_choice.js";
import { makeButtonChoice, makeFold, makeTable } from "../tables.js";
import { makeFindingChoice } from "./finding_parts.js";
import { makeFilmListBar, makeStressChoice } from "./stress_parts.js";

const MANY_FILMS = "The scores of so many films take minutes. The charts appear once all levels are compared, first without intervals.";

/** @param {EvaluatePanel<ui.evaluate.panels.robustness.RobustnessPayload>} answer */
export function makeRobustnessPanel(answer, evaluate) {
  const { content } = answer;
  const { found, missing } = content;
  if (missing) return [makeChoices(content, evaluate), makeWithCommands("p", "board-sentence robustness-missing", missing)];
  if (!found) return [makeChoices(content, evaluate), make("p", "board-sentence", MANY_FILMS)];
  return [
    ...makeSentences(found, answer.computing),
    makeChoices(content, evaluate),
    ...makeCharts(answer),
    ...found.unstable.map((unstable) => makeUnstableFold(unstable, content, evaluate)),
    ...found.tables.map(({ word, title, heads, rows }) => makeFold("robustness-" + word, title, makeTable("robustness-table", title, heads, rows))),
  ];
}

function makeSentences({ sentences }, computing) {
  const [first, ...rest] = sentences;
  const parts = [make("p", "board-sentence robustness-first", first), ...rest.map((words) => make("p", "counts-line", words))];
  if (computing) parts.push(make("p", "muted small computing", "Intervals are being computed."));
  return parts;
}

function makeChoices({ models, of: word, scale, scales, measure, measures, found }, evaluate) {
  const box = make("div", "stress-choices flex-row flex-wraps");
  box.append(makeStressChoice("robustness", evaluate), makeFindingChoice("Model", "robustness model", models, word, (of) => evaluate.change({ of })));
  if (!found) return box;
  const chosen = measures.find(({ name }) => name === measure).word;
  box.append(makePartChoice(found.parts, found.part, evaluate), makeButtonChoice("Metric", measures, chosen, (metric) => evaluate.change({ metric })));
  if (scales.length > 1) box.append(makeButtonChoice("Scale", scales, scale, (each) => evaluate.change({ scale: each })));
  return box;
}

function makeCharts({ content, title, simulated }) {
  const { plotly, found, measure, model } = content;
  const below = title + ". " + found.part.name + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  const draw = (figure, heading, label, name) => (figure ? [make("h2", "published-title", heading), makeChart({ plotly, figure, label, name: "tailscope_robustness_" + name, below })] : []);
  const change = "Change of mean " + measure + " of " + model + ", " + found.part.name;
  return [
    ...draw(found.strengths, change + ", by strength, costliest first", change + " by kind and strength. The table below has the numbers.", "strengths"),
    ...(found.rest ? [make("p", "counts-line", found.rest)] : []),
    ...draw(found.switched, found.switched_title, change + " by kinds that are on or off, and of published teams. The tables below have the numbers.", "switched"),
  ];
}

// Levels with a strength, and kinds that are on or off, whose strengths do not cost alike.
function makeUnstableFold({ kinds, films, levels }, { model }, evaluate) {
  const dialed = kinds === "dialed";
  const name = dialed ? "robustness-films" : "robustness-films-switched";
  const start = dialed ? "Least stable films: " : "Least stable films, kinds that are on or off: ";
  const counted = dialed ? countText(levels, "level") : countText(levels, "kind");
  if (!films.length) return makeFold(name, start + "no call flips");
  const title = start + "a call of " + model + " flips at up to " + films[0].flips + " of " + counted;
  const rows = films.map(({ case: name, finding, outcome, flips, words }) => [
    makePlaceLink("pair-link", name, "#explore?" + new URLSearchParams(words)),
    finding,
    outcome,
    flips + " of " + levels,
  ]);
  const last = dialed ? "Flips at levels" : "Flips at kinds";
  return makeFold(name, title, makeFilmListBar(films, evaluate, kinds), makeTable("robustness-table", title, ["Film", "Finding", "Unchanged", last], rows));
}
