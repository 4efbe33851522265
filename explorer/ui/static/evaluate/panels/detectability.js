// Detectability: how often simulated findings inserted into films are flagged, by severity, place and patient.

import { make, makePlaceLink } from "../../shared/elements.js";
import { countText } from "../../shared/figures.js";
import { makeWithCommands } from "../../shared/refusal.js";
import { makeChart } from "../chart.js";
import { makeFold, makeTable } from "../tables.js";
import { makeFindingChoice } from "./finding_parts.js";
import { makeFilmListBar, makeStressChoice } from "./stress_parts.js";

/** @param {EvaluatePanel<ui.evaluate.panels.detectability.DetectabilityPayload>} answer */
export function makeDetectabilityPanel(answer, evaluate) {
  const { content } = answer;
  const { found, missing } = content;
  if (!found) return [makeChoices(content, evaluate), makeWithCommands("p", "board-sentence detectability-missing", missing)];
  const [first, ...rest] = found.sentences;
  const [severities, groups, without] = found.tables;
  return [
    make("p", "board-sentence detectability-first", first),
    ...rest.map((words) => make("p", "counts-line", words)),
    makeChoices(content, evaluate),
    ...makeCharts(answer),
    makeTableFold(severities),
    makeTableFold(groups),
    makeFold("detectability-scores", "How the score of an inserted finding rises: " + nameOf(found), makeScoreChart(answer), makeTextTable(without)),
    makeBlindFold(content, evaluate),
  ];
}

function makeChoices({ models, of: word, other, others, found }, evaluate) {
  const box = make("div", "stress-choices flex-row flex-wraps");
  box.append(makeStressChoice("detectability", evaluate), makeFindingChoice("Model", "detectability model", models, word, (of) => evaluate.change({ of, other: null })));
  if (!found) return box;
  if (others.length > 1) box.append(makeFindingChoice("Compare with", "detectability other", others, other, (each) => evaluate.change({ other: each })));
  const chosen = makeFindingChoice("Inserted", "detectability finding", found.findings, found.finding, (inserted) => evaluate.change({ inserted, grade: null }));
  box.append(chosen, makeFindingChoice("Severity", "detectability severity", found.severities, found.severity, (grade) => evaluate.change({ grade })));
  return box;
}

function makeCharts(answer) {
  const { found, model } = answer.content;
  const name = nameOf(found);
  return [
    make("h2", "published-title", "Share flagged, by severity from 0, subtle, to 1, obvious"),
    makeNamedChart(answer, found.shares, "Share of inserted findings that " + model + " flags, by finding and severity. The table below has the numbers.", "severity"),
    make("h2", "published-title", name + ", severity " + found.severity + ": share flagged, by place and patient"),
    makeNamedChart(answer, found.groups, "Share of inserted " + name + " that " + model + " flags, by place and patient. The table below has the numbers.", "places"),
  ];
}

function makeScoreChart(answer) {
  const { found, model } = answer.content;
  return makeNamedChart(answer, found.scores, "Score of inserted " + nameOf(found) + " by " + model + ", by severity. The table below has the numbers.", "scores");
}

const nameOf = ({ findings, finding }) => findings.find(({ word }) => word === finding).name;

function makeNamedChart({ content, title }, figure, label, name) {
  return makeChart({ plotly: content.plotly, figure, label, name: "tailscope_detectability_" + name, below: [title + ".", content.found.doubt, "Not for medical use"].filter(Boolean).join(" ") });
}

const makeTextTable = ({ title, heads, rows }) => makeTable("detectability-table", title, heads, rows);
const makeTableFold = (table) => makeFold("detectability-" + table.word, table.title, makeTextTable(table));

function makeBlindFold({ found, model }, evaluate) {
  const { films, every, of } = found.blind;
  const title = "Films on which " + model + " flags at most half: " + every + " of " + countText(of, "film");
  if (!films.length) return makeFold("detectability-films", title);
  const rows = films.map(({ case: name, flagged, inserted, words }) => [makePlaceLink("pair-link", name, "#explore?" + new URLSearchParams(words)), flagged + " of " + inserted]);
  return makeFold("detectability-films", title, makeFilmListBar(films, evaluate), makeTable("detectability-table", title + ". All severities and places of " + nameOf(found), ["Film without the finding", "Flagged when inserted"], rows));
}
