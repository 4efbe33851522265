// Calibration of all findings: ECE, slope and intercept of the reference, as scored and after Platt's calibration.

import { make } from "../../shared/elements.js";
import { NO_FIGURE, numberTexts, wholeText } from "../../shared/figures.js";
import { makeMeanParts } from "../figures.js";
import { makeButtonChoice, makeTable } from "../tables.js";

const MANY_FILMS = "The figures of so many films take minutes. The table appears as soon as they are there, first without intervals of ECE.";
const HEADS = ["Finding", "n+", "ECE", "Slope", "Intercept", "ECE after", "Slope after", "Intercept after"];

/** @param {EvaluatePanel<ui.evaluate.panels.calibration.CalibrationPanelPayload>} answer */
export function makeCalibrationPanel({ content, computing }, evaluate) {
  if (!content.rows.length) return [makeHead(content, evaluate), make("p", "board-sentence", MANY_FILMS)];
  const rows = content.rows.map((row) => [row.finding, makeCount(row, content.few), ...makeCells(row.raw, computing), ...makeAfter(row, computing)]);
  return [makeHead(content, evaluate), makeTable("calibration-table", "Calibration of " + content.model + " by finding", HEADS, rows)];
}

function makeHead({ model, by, ways }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const source = by === "carried" ? "carried from validation films" : "cross-fitted on other patients of these films";
  const choices = make("div", "pair-choices flex-row flex-wraps");
  if (ways.length > 1) choices.append(makeButtonChoice("Calibration", ways, by, (word) => evaluate.change({ calibrated: word })));
  box.append(make("p", "board-sentence", model + " as scored, and after Platt's calibration, " + source + ". Slope 1 and intercept 0 are ideal."), choices);
  return box;
}

function makeCount({ positives, films }, few) {
  return [make("span", positives < few ? "board-count few" : "board-count", wholeText(positives) + " of " + wholeText(films))];
}

const makeCells = ({ ece, slope, intercept }, computing) => [makeMeanParts(ece, computing), makeLineParts(slope), makeLineParts(intercept)];

function makeAfter({ after, reason }, computing) {
  if (after !== null) return makeCells(after, computing);
  return [make("span", "board-none muted small", reason), "", ""];
}

// A slope or an intercept, which may be negative or above 1.
function makeLineParts(figure) {
  if (figure.value === null) return [make("span", "board-none muted small", NO_FIGURE)];
  const [value, interval] = numberTexts(figure);
  return [make("span", "board-value", value), ...(interval === null ? [] : [make("span", "board-reach muted small", interval)])];
}
