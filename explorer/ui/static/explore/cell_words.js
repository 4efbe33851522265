// What a cell of the table shows, and what it says to those who cannot see it.

import { make } from "../shared/elements.js";
import { score, whole } from "../shared/figures.js";
import { apart, named } from "./margins.js";
import { MEASURE_WORDS, interval, track } from "./panel_base.js";

// One measure of a cell: {parts, spoken, few}.
export function words(cell, measure, { pending, unit }) {
  const { positives, negatives, shift } = cell;
  if (!positives && !negatives) return shift ? shiftWords({ ...shift, unit }) : plainWords(pending ? "computing" : "no labels");
  const counted = measure === "specificity" ? negatives : positives;
  const kind = measure === "specificity" ? "negatives" : "positives";
  if (!counted) return plainWords("no " + kind);
  if (measure === "precision" && !negatives) return plainWords("no negatives");
  return { ...(measure === "precision" ? precisionWords(cell) : rateWords(cell[measure], measure, kind)), few: counted < FEW };
}

export const FEW = 10; // the server tells the same in words: below it rates are gray

function plainWords(text) {
  return { parts: [make("span", "cell-none", text)], spoken: text, few: true };
}

function rateWords(rate, measure, kind) {
  if (!rate.n) return plainWords("no threshold");
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", score(rate.value)), make("span", "cell-interval", interval(rate)));
  const spoken = MEASURE_WORDS[measure] + " " + score(rate.value) + ", 95 % interval " + score(rate.low) + " to " + score(rate.high) + ", " + whole(rate.hits) + " of " + whole(rate.n) + " " + kind;
  return { parts: [figures, under(track(rate), "n " + whole(rate.n))], spoken };
}

// The interval drawn, and what it was counted over.
function under(line, text, kind = "") {
  const box = make("span", "cell-under");
  box.append(line, make("span", "cell-n " + kind, text));
  return box;
}

// Average precision against its chance line; its interval takes longer than the rest.
function precisionWords({ positives, negatives, precision }) {
  const { value, chance, natural } = precision;
  if (value === null) return { parts: [make("span", "cell-none computing", "computing")], spoken: "average precision is being computed" };
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", score(value)), reach(precision));
  const spoken = "average precision " + score(value) + ", chance " + chanceWords(chance) + ", 95 % interval " + spokenReach(precision) + ", " + whole(positives) + " positives and " + whole(negatives) + " negatives";
  const parts = [figures, under(track(precision, chance), chanceWords(chance), "cell-chance")];
  if (natural === null) return { parts, spoken };
  return { parts: [...parts, naturalFigure(natural)], spoken: spoken + "; at natural prevalence " + score(natural.value) + ", 95 % interval " + spokenReach(natural) };
}

// The interval of an estimate that is there before it, or why there is none.
function reach(estimate) {
  const { low, known } = estimate;
  return make("span", "cell-interval" + (known ? "" : " computing"), !known ? "computing" : low === null ? "no interval" : interval(estimate));
}

function spokenReach({ low, high, known }) {
  return !known ? "computing" : low === null ? "no interval" : score(low) + " to " + score(high);
}

export const NATURAL = "AP at natural prevalence: these films were drawn to be rich in rare findings, so each counts by how often its combination of findings occurs.";

// Average precision as it would be among films as nature has them.
function naturalFigure(natural) {
  const figure = make("span", "cell-n cell-natural", "natural " + score(natural.value) + " ");
  figure.append(reach(natural));
  figure.title = NATURAL;
  return figure;
}

export const chanceWords = (chance) => (chance < 0.1 ? chance.toFixed(3) : chance.toFixed(2));

// Without labels: how far the scores lie from those of the labeled films. `median` is missing where films are so many
// that it comes with the interval.
function shiftWords(shift) {
  const { films, median, difference, low, high, known } = shift;
  if (difference === null) return plainWords("no labels anywhere");
  const reach = low !== null && low !== undefined ? "[" + apart(low, shift) + ", " + apart(high, shift) + "]" : known ? "no interval" : "computing";
  const figures = make("span", "cell-figures");
  figures.append(make("span", "cell-value", apart(difference, shift)), make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach));
  const count = films === undefined ? "" : ", n " + whole(films);
  const spoken = "no labels; " + shift.unit + " shift " + apart(difference, shift) + " " + reach + (median === undefined ? "" : ", median " + named(median, shift)) + count;
  return { parts: [figures, make("span", "cell-shift", "shift" + count)], spoken };
}

// The largest difference of sensitivity between two centers, and their positives.
export function gapCell(gap, centers) {
  const cell = make("td", "cells-gap");
  if (!gap) return cell;
  const name = (side) => centers.find((center) => center.id === side.center)?.name ?? "";
  const side = (which) => name(which) + " " + score(which.value) + ", n " + whole(which.n);
  cell.title = "Sensitivity: " + side(gap.high) + "; " + side(gap.low);
  cell.append(make("span", "cell-value", score(gap.value)), make("span", "cell-n", "n " + whole(gap.high.n) + ", " + whole(gap.low.n)));
  return cell;
}
