// What a cell of the table shows, and its text for screen readers.

import { make } from "../shared/elements.js";
import { MINUS_BETWEEN, NO_NEGATIVES, differenceTexts, intervalOrReason, markIntervalBeside, spokenInterval, wholeText } from "../shared/figures.js";
import { decimalsOf, unitValueText } from "./margins.js";
import { MEASURE_WORDS, PREVALENCE_DIFFERS, chanceText, estimateFigureText, estimateIntervalText, makeDifferenceParts, makeTrack } from "./panel_base.js";

// One measure of a cell: {parts, spoken, few}.
/** @returns {{parts: HTMLElement[], spoken: string, few?: boolean}} */
export function makeCellParts(cell, measure, { pending, unit }) {
  const { positives, negatives, shift } = cell;
  if (!positives && !negatives) return shift ? makeShiftParts({ ...shift, unit }) : makeTextParts(pending ? "computing" : "no labels");
  const count = measure === "specificity" ? negatives : positives;
  const kind = measure === "specificity" ? "negatives" : "positives";
  if (!count) return makeTextParts("no " + kind);
  if (measure === "precision" && !negatives) return makeTextParts(NO_NEGATIVES);
  return { ...(measure === "precision" ? makePrecisionParts(cell) : makeRateParts(cell[measure], measure, kind)), few: count < FEW_FILMS };
}

export const FEW_FILMS = 10; // the server sends the same number in words: rates of fewer films are gray

function makeTextParts(text) {
  return { parts: [make("span", text === "computing" ? "cell-none computing" : "cell-none", text)], spoken: text, few: true };
}

/** @param {reading.finding_json.RateAnswer} rate */
function makeRateParts(rate, measure, kind) {
  if (!rate.n) return makeTextParts("no threshold");
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", estimateFigureText(rate)), make("span", "cell-interval muted small", estimateIntervalText(rate)));
  const spoken = MEASURE_WORDS[measure] + " " + estimateFigureText(rate) + ", 95 % interval " + spokenInterval(rate) + ", " + wholeText(rate.hits) + " of " + wholeText(rate.n) + " " + kind;
  return { parts: [figures, makeBelow(makeTrack(rate), "n " + wholeText(rate.n))], spoken };
}

// The interval, and the count it is based on.
function makeBelow(line, text, kind = "") {
  const box = make("span", "cell-under flex-row");
  box.append(line, make("span", "cell-n muted small " + kind, text));
  return box;
}

// Average precision against its chance line, with AUROC below; the intervals take longer than the rest.
function makePrecisionParts({ positives, negatives, precision, auroc }) {
  const { value, chance, natural } = precision;
  if (value === null) return { parts: [make("span", "cell-none computing", "computing")], spoken: "average precision is being computed" };
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", estimateFigureText(precision)), makeInterval(precision));
  const counts = wholeText(positives) + " positives and " + wholeText(negatives) + " negatives";
  const spoken = "average precision " + spokenEstimateText(precision) + ", " + counts + "; AUROC " + spokenEstimateText(auroc);
  const parts = [figures, makeBelow(makeTrack(precision, chance), "chance " + chanceText(chance), "cell-chance"), makeSecondFigure("AUROC", auroc)];
  if (natural === null) return { parts, spoken };
  const beside = Object.assign(makeSecondFigure("natural", natural), { title: NATURAL_PREVALENCE_WORDS });
  return { parts: [...parts, beside], spoken: spoken + "; at natural prevalence average precision " + spokenEstimateText(natural) };
}

const spokenEstimateText = (estimate) => estimateFigureText(estimate) + ", chance " + chanceText(estimate.chance) + ", 95 % interval " + spokenIntervalOrNone(estimate);

// The interval of an estimate that arrived before it, or why there is none.
function makeInterval(estimate) {
  const { low, known } = estimate;
  const box = make("span", "cell-interval muted small" + (known ? "" : " computing"), intervalOrReason(known ? estimateIntervalText(estimate) : null, !known));
  return known && low !== null ? markIntervalBeside(box, estimate) : box;
}

function spokenIntervalOrNone(estimate) {
  const { low, known } = estimate;
  return intervalOrReason(known && low !== null ? spokenInterval(estimate) : null, !known);
}

export const NATURAL_PREVALENCE_WORDS = "AP at natural prevalence: rare findings are overrepresented here, so each film is weighted by how often its combination of findings occurs.";

// Another measure of the same films, and its chance level, which is blue; the word would take a line of its own.
export function makeSecondFigure(name, estimate) {
  const line = make("span", "cell-n muted small cell-also", name + " " + estimateFigureText(estimate) + " ");
  line.append(make("span", "cell-chance", chanceText(estimate.chance)), " ", makeInterval(estimate));
  return line;
}

// Without labels: how far the scores lie from those of the labeled films. With many films, `median` comes with the
// interval, and is missing until then.
function makeShiftParts(shift) {
  const { films, median, difference, low, high, known } = shift;
  if (difference === null) return makeTextParts("no labels anywhere");
  const [valueText, ends] = differenceTexts({ value: difference, low, high }, decimalsOf(shift));
  const intervalText = intervalOrReason(ends, !known);
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", valueText), make("span", "cell-interval muted small" + (intervalText === "computing" ? " computing" : ""), intervalText));
  const count = films === undefined ? "" : ", n " + wholeText(films);
  const spoken = "no labels; " + shift.unit + " shift " + valueText + " " + intervalText + (median === undefined ? "" : ", median " + unitValueText(median, shift)) + count;
  return { parts: [figures, make("span", "cell-shift muted small", "shift" + count)], spoken };
}

// The difference of two centers.
const differenceTitle = ([first, second]) => second + MINUS_BETWEEN + first;
export const gapHeading = ({ between }) => (between.length > 2 ? "Largest gap" : differenceTitle(between));

export function gapNote(table, measure) {
  const { between } = table;
  const pairs = (between.length * (between.length - 1)) / 2;
  const pairsNote = pairs > 1 ? " between two of " + between.length + " labeled centers (a marked one before others)" : "";
  const adjustedOver = "findings, " + (measure === "precision" ? "AP and AUROC" : "sensitivity and specificity") + (pairs > 1 ? ", and all " + pairs + " pairs of centers" : "");
  const words = gapHeading(table) + ": the difference of the measure shown" + pairsNote + ", with its 95 % interval. \u25c6 p is at most 0.05, adjusted over all " + adjustedOver + " (Benjamini and Hochberg): of the marks about 1 in 20 is by chance.";
  return measure !== "precision" ? words : words + " AP of films of different prevalence is not compared and has no mark: the 95 % interval of the difference of the prevalences excludes 0. AUROC does not depend on prevalence.";
}

// One center minus another for the displayed measure, named where there are `several` pairs; AUROC beside AP, which has
// no mark where the prevalences differ.
export function makeGapCell(gaps, measure, several) {
  const cell = make("td", "cells-gap");
  if (several) cell.append(make("span", "cell-n muted small", differenceTitle(gaps[measure].centers)));
  cell.append(makeGapFigure(measure === "precision" ? gaps[measure] : { ...gaps[measure], known: true }));
  if (measure !== "precision" || gaps.precision.value === null) return cell;
  if (gaps.precision.other_prevalence) cell.append(Object.assign(make("span", "cell-n muted small", "prevalence differs"), { title: PREVALENCE_DIFFERS }));
  cell.append(makeGapFigure(gaps.auroc, "AUROC" + (several ? " " + differenceTitle(gaps.auroc.centers) : "")));
  return cell;
}

function makeGapFigure(gap, name) {
  const line = make("span", "cells-apart");
  if (gap.value === null) return line;
  if (name) line.append(make("span", "cell-n muted small", name));
  line.append(...makeDifferenceParts(gap, gap.known));
  return line;
}
