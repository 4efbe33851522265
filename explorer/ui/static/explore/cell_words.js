// What a cell of the table shows, and its text for screen readers.

import { make } from "../shared/elements.js";
import { LESS, NO_NEGATIVES, besideMarked, differenceTexts, reachText, spokenInterval, whole } from "../shared/figures.js";
import { digitsOf, named } from "./margins.js";
import { MEASURE_WORDS, OTHER_PREVALENCE, chanceWords, differenceParts, figure, interval, track } from "./panel_base.js";

// One measure of a cell: {parts, spoken, few}.
/** @returns {{parts: HTMLElement[], spoken: string, few?: boolean}} */
export function words(cell, measure, { pending, unit }) {
  const { positives, negatives, shift } = cell;
  if (!positives && !negatives) return shift ? shiftWords({ ...shift, unit }) : plainWords(pending ? "computing" : "no labels");
  const counted = measure === "specificity" ? negatives : positives;
  const kind = measure === "specificity" ? "negatives" : "positives";
  if (!counted) return plainWords("no " + kind);
  if (measure === "precision" && !negatives) return plainWords(NO_NEGATIVES);
  return { ...(measure === "precision" ? precisionWords(cell) : rateWords(cell[measure], measure, kind)), few: counted < FEW };
}

export const FEW = 10; // the server sends the same number in words: rates of fewer films are gray

function plainWords(text) {
  return { parts: [make("span", "cell-none", text)], spoken: text, few: true };
}

/** @param {reading.finding_json.RateAnswer} rate */
function rateWords(rate, measure, kind) {
  if (!rate.n) return plainWords("no threshold");
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", figure(rate)), make("span", "cell-interval", interval(rate)));
  const spoken = MEASURE_WORDS[measure] + " " + figure(rate) + ", 95 % interval " + spokenInterval(rate) + ", " + whole(rate.hits) + " of " + whole(rate.n) + " " + kind;
  return { parts: [figures, under(track(rate), "n " + whole(rate.n))], spoken };
}

// The interval, and the count it is based on.
function under(line, text, kind = "") {
  const box = make("span", "cell-under");
  box.append(line, make("span", "cell-n " + kind, text));
  return box;
}

// Average precision against its chance line, with AUROC below; the intervals take longer than the rest.
function precisionWords({ positives, negatives, precision, auroc }) {
  const { value, chance, natural } = precision;
  if (value === null) return { parts: [make("span", "cell-none computing", "computing")], spoken: "average precision is being computed" };
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", figure(precision)), reach(precision));
  const counts = whole(positives) + " positives and " + whole(negatives) + " negatives";
  const spoken = "average precision " + spokenFigure(precision) + ", " + counts + "; AUROC " + spokenFigure(auroc);
  const parts = [figures, under(track(precision, chance), "chance " + chanceWords(chance), "cell-chance"), alsoFigure("AUROC", auroc)];
  if (natural === null) return { parts, spoken };
  const beside = Object.assign(alsoFigure("natural", natural), { title: NATURAL });
  return { parts: [...parts, beside], spoken: spoken + "; at natural prevalence average precision " + spokenFigure(natural) };
}

const spokenFigure = (estimate) => figure(estimate) + ", chance " + chanceWords(estimate.chance) + ", 95 % interval " + spokenReach(estimate);

// The interval of an estimate that came before it, or why there is none.
function reach(estimate) {
  const { low, known } = estimate;
  const box = make("span", "cell-interval" + (known ? "" : " computing"), reachText(known ? interval(estimate) : null, !known));
  return known && low !== null ? besideMarked(box, estimate) : box;
}

function spokenReach(estimate) {
  const { low, known } = estimate;
  return reachText(known && low !== null ? spokenInterval(estimate) : null, !known);
}

export const NATURAL = "AP at natural prevalence: these films were drawn to be rich in rare findings, so each counts by how often its combination of findings occurs.";

// Another measure of the same films, and its chance level.
export function alsoFigure(name, estimate) {
  const line = make("span", "cell-n cell-also", name + " " + figure(estimate) + " ");
  const chance = make("span", "cell-chance", chanceWords(estimate.chance));
  chance.prepend(make("span", "chance-word", "chance "));
  line.append(chance, " ", reach(estimate));
  return line;
}

// Without labels: how far the scores lie from those of the labeled films. With many films, `median` comes with the
// interval, and is missing before.
function shiftWords(shift) {
  const { films, median, difference, low, high, known } = shift;
  if (difference === null) return plainWords("no labels anywhere");
  const [shown, ends] = differenceTexts({ value: difference, low, high }, digitsOf(shift));
  const reach = reachText(ends, !known);
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", shown), make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach));
  const count = films === undefined ? "" : ", n " + whole(films);
  const spoken = "no labels; " + shift.unit + " shift " + shown + " " + reach + (median === undefined ? "" : ", median " + named(median, shift)) + count;
  return { parts: [figures, make("span", "cell-shift", "shift" + count)], spoken };
}

// The difference of two centers.
const minus = ([first, second]) => second + LESS + first;
export const gapTitle = ({ between }) => (between.length > 2 ? "Largest gap" : minus(between));

export function aboutGaps(table, measure) {
  const { between } = table;
  const pairs = (between.length * (between.length - 1)) / 2;
  const which = pairs > 1 ? " between two of " + between.length + " labeled centers (a marked one before others)" : "";
  const over = "findings and four measures" + (pairs > 1 ? " and all " + pairs + " pairs of centers" : "");
  const words = gapTitle(table) + ": the difference of the measure shown" + which + ", with its 95 % interval. \u25c6 p is at most 0.05, adjusted over all " + over + " (Benjamini and Hochberg): of the marks about 1 in 20 is by chance.";
  return measure !== "precision" ? words : words + " AP of films of different prevalence is not compared and has no mark: the 95 % interval of the difference of the prevalences excludes 0. AUROC does not depend on prevalence.";
}

// One center minus another for the measure on show, named where there are `several` pairs; AUROC beside AP, which has
// no mark where the prevalences differ.
export function gapCell(gaps, measure, several) {
  const cell = make("td", "cells-gap");
  if (several) cell.append(make("span", "cell-n", minus(gaps[measure].centers)));
  cell.append(gapFigure(gaps[measure]));
  if (measure !== "precision" || gaps.precision.value === null) return cell;
  if (gaps.precision.other_prevalence) cell.append(Object.assign(make("span", "cell-n", "prevalence differs"), { title: OTHER_PREVALENCE }));
  cell.append(gapFigure(gaps.auroc, "AUROC" + (several ? " " + minus(gaps.auroc.centers) : "")));
  return cell;
}

function gapFigure(gap, name) {
  const line = make("span", "cells-apart");
  if (gap.value === null) return line;
  if (name) line.append(make("span", "cell-n", name));
  line.append(...differenceParts(gap, gap.known));
  return line;
}
