// A second model's opinion of the film, in a column beside the first: its score, and where the two differ.

import { make } from "../shared/elements.js";
import { NO_FIGURE, countText, scoreText } from "../shared/figures.js";

const isCalled = (row) => (row.state === "cannot judge" ? null : row.above);
const CALL_WORDS = { true: "flagged", false: "not flagged", null: "no threshold" };

// Whether exactly one of the models flags the finding; unknown where one has no threshold.
export function modelsDiffer(row, other) {
  const [one, two] = [isCalled(row), other === undefined ? null : isCalled(other)];
  return one !== null && two !== null && one !== two;
}

// Adds the column to the list `findings`; `rows` are those of the first model.
/**
 * @param {any} findings
 * @param {reading.finding_json.FindingAnswer[]} rows
 * @param {ui.read.payload.BesideModelPayload} beside
 */
export function showBeside(findings, rows, { model, rows: others, says }) {
  clearBeside(findings);
  const rowByFinding = new Map(others.map((row) => [row.finding, row]));
  const shared = rows.filter((row) => rowByFinding.has(row.finding) && findings.buttons.has(row.finding));
  const differing = shared.filter((row) => modelsDiffer(row, rowByFinding.get(row.finding)));
  const both = shared.filter((row) => isCalled(row) !== null && isCalled(rowByFinding.get(row.finding)) !== null);
  const list = findings.list;
  list.classList.add("with-beside");
  for (const head of list.querySelectorAll(".group-head")) {
    if (head.querySelector(".group-column")) head.append(Object.assign(make("span", "group-column beside-name muted", model), { title: model }));
  }
  for (const row of shared) addCell(findings, row, rowByFinding.get(row.finding), model);
  const words = both.length
    ? `${model} disagrees on ${differing.length} of ${countText(both.length, "finding")}, marked \u2260.`
    : `${model} and this model have no thresholds in common: their scores are on different scales.`;
  list.prepend(make("p", "beside-says", [says, words].filter(Boolean).join(" ")));
  const alone = others.filter((row) => !rows.some((each) => each.finding === row.finding));
  if (alone.length) list.append(makeOnlyHere(model, alone));
}

export function clearBeside({ list }) {
  list.classList.remove("with-beside");
  for (const old of list.querySelectorAll(".beside-cell, .beside-name, .beside-says, .beside-only")) old.remove();
}

function addCell(findings, row, other, model) {
  const differs = modelsDiffer(row, other);
  const cell = make("span", "beside-cell muted", (differs ? "\u2260 " : "") + (other.state === "cannot judge" ? NO_FIGURE : scoreText(other.score)));
  cell.dataset.differs = String(differs);
  const words = other.state === "cannot judge" ? "cannot judge it" : `${scoreText(other.score)}, ${CALL_WORDS[String(other.above)]}`;
  cell.title = `${model}: ${words}`;
  findings.buttons.get(row.finding).querySelector(".finding-margin").after(cell);
  findings.speak(row.finding, "beside", `${model} ${words}${differs ? ", which differs" : ""}`);
}

function makeOnlyHere(model, rows) {
  const section = make("details", "group beside-only");
  section.append(make("summary", "group-head", ""));
  section.firstElementChild.append(make("span", "group-title", `Only ${model} looks for (${rows.length})`));
  for (const row of rows) {
    const line = make("p", "beside-line");
    line.append(make("span", "finding-name", row.finding), make("span", "finding-margin", CALL_WORDS[String(isCalled(row))]), make("span", "finding-score", scoreText(row.score)));
    section.append(line);
  }
  return section;
}
