// A second model's opinion of the film, in a column beside the first: its score, and where the two differ.

import { make } from "../shared/elements.js";
import { NONE, plural, score } from "../shared/figures.js";

const called = (row) => (row.state === "cannot judge" ? null : row.above);
const CALL = { true: "flagged", false: "not flagged", null: "no threshold" };

// Whether exactly one of the models flags the finding; unknown where one has no threshold.
export function differ(row, other) {
  const [one, two] = [called(row), other === undefined ? null : called(other)];
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
  const by = new Map(others.map((row) => [row.finding, row]));
  const shared = rows.filter((row) => by.has(row.finding) && findings.buttons.has(row.finding));
  const apart = shared.filter((row) => differ(row, by.get(row.finding)));
  const both = shared.filter((row) => called(row) !== null && called(by.get(row.finding)) !== null);
  const list = findings.list;
  list.classList.add("with-beside");
  for (const head of list.querySelectorAll(".group-head")) {
    if (head.querySelector(".group-column")) head.append(Object.assign(make("span", "group-column beside-name", model), { title: model }));
  }
  for (const row of shared) addCell(findings.buttons.get(row.finding), row, by.get(row.finding), model);
  const words = both.length
    ? `${model} disagrees on ${apart.length} of ${plural(both.length, "finding")}, marked \u2260.`
    : `${model} and this model have no thresholds in common: their scores stand side by side, and are on scales of their own.`;
  list.prepend(make("p", "beside-says", [says, words].filter(Boolean).join(" ")));
  const alone = others.filter((row) => !rows.some((each) => each.finding === row.finding));
  if (alone.length) list.append(only(model, alone));
}

export function clearBeside({ list }) {
  list.classList.remove("with-beside");
  for (const old of list.querySelectorAll(".beside-cell, .beside-name, .beside-says, .beside-only")) old.remove();
}

function addCell(button, row, other, model) {
  const apart = differ(row, other);
  const cell = make("span", "beside-cell", (apart ? "\u2260 " : "") + (other.state === "cannot judge" ? NONE : score(other.score)));
  cell.dataset.differs = String(apart);
  const words = other.state === "cannot judge" ? "cannot judge it" : `${score(other.score)}, ${CALL[String(other.above)]}`;
  cell.title = `${model}: ${words}`;
  button.append(cell);
  const own = button.getAttribute("aria-label").split("; ")[0];
  button.setAttribute("aria-label", `${own}; ${model} ${words}${apart ? ", which differs" : ""}`);
}

function only(model, rows) {
  const section = make("details", "group beside-only");
  section.append(make("summary", "group-head", ""));
  section.firstElementChild.append(make("span", "group-title", `Only ${model} looks for (${rows.length})`));
  for (const row of rows) {
    const line = make("p", "beside-line");
    line.append(make("span", "finding-name", row.finding), make("span", "finding-margin", CALL[String(called(row))]), make("span", "finding-score", score(row.score)));
    section.append(line);
  }
  return section;
}
