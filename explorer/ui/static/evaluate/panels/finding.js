// A finding: its curves by model, a threshold to drag, the results of each model's thresholds.

import { make } from "../../shared/elements.js";
import { NO_FIGURE, countText, rateText, wholeText } from "../../shared/figures.js";
import { makeMeanParts, meanText } from "../figures.js";
import { makeFold, makeTable } from "../tables.js";
import { makeCalibratedPanel } from "./calibrated.js";
import { makeAboveFold } from "./finding_above.js";
import { makeFindingChart, makeFindingChoice, thresholdPlaceText } from "./finding_parts.js";
import { ThresholdTool } from "./threshold_tool.js";

const FEW_MODELS = 8; // up to this many, the table of areas starts open

export function makeFindingPanel(answer, evaluate) {
  const { content, computing } = answer;
  const parts = [makeHead(content, evaluate)];
  if (content.lacking) return [...parts, make("p", "finding-lacking", content.finding + ": " + content.lacking + " among these films. There is no curve, and no threshold to judge.")];
  const picture = makeChartOfPanel(answer);
  const tool = new ThresholdTool(content, evaluate, picture.querySelector(".chart-drawn"));
  return [...parts, picture, tool.box, makeAreasFold(content, computing), makeThresholdsFold(content), ...makeReadersFold(content), ...makeGroupsFold(content), ...makePeopleFolds(content), ...makeCalibratedPanel(answer)];
}

function makeHead({ finding: name, word: findingWord, findings, films, positives, few }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const fewNote = positives && positives < few ? " Fewer than " + few + " positives: the figures are unreliable." : "";
  const countNote = " n+ " + wholeText(positives) + " of " + countText(films, "film") + " with a known label.";
  const sentence = make("p", "board-sentence", "How well the scores of each model tell films with " + name + " from films without it, at every threshold." + countNote + fewNote);
  box.append(sentence, makeFindingChoice("Finding", "finding", findings, evaluate.state[findingWord], (word) => evaluate.change({ [findingWord]: word, at: null, prevalence: null })));
  return box;
}

function makeChartOfPanel(answer) {
  const { models, finding: name, figure } = answer.content;
  const label = "ROC and precision-recall curves of " + countText(models.length, "model") + " for " + name + ". The tables below have the areas and thresholds.";
  return makeFindingChart(answer, figure, "finding", label);
}

function makeAreasFold({ areas: { AUROC, AP }, models, prevalence }, computing) {
  const rows = models.map(({ name }, place) => [name, makeMeanParts(AUROC[place], computing), makeMeanParts(AP[place], computing)]);
  rows.push(["chance", meanText(0.5), meanText(prevalence)]);
  const box = makeFold("finding-areas", "AUROC and AP of each model", makeTable("areas-table", "AUROC and AP by model", ["Model", "AUROC", "AP"], rows));
  box.open = models.length <= FEW_MODELS;
  return box;
}

function makeThresholdsFold({ marks, models, reference }) {
  const heads = ["Model", "Threshold", "At", "Hits", "False alarms", "Misses", "Correct rejections", "Sensitivity", "Specificity", "Precision", "F1"];
  const order = [reference, ...models.keys().filter((place) => place !== reference)];
  const rows = order.flatMap((place) => marks[place].map((mark) => [models[place].name, ...markCells(mark)]));
  return makeFold("finding-thresholds", "Results at each model's thresholds", makeTable("thresholds-table", "Thresholds by model", heads, rows));
}

function makeReadersFold({ readers: all }) {
  if (!all.length) return [];
  const box = makeFold("finding-readers", "What other sources of labels call present", makeTable("readers-table", "Other sources of labels against the labels that count", readerHeads("Source of labels"), all.map(readerCells)));
  box.open = true;
  return [box];
}

function makeGroupsFold({ groups: all }) {
  if (!all.length) return [];
  return [makeFold("finding-groups", "What classes and reviews called present", makeTable("groups-table", "Classes, reviews and their readers against the labels that count", readerHeads("Reader"), all.map(readerCells)))];
}

function makePeopleFolds({ people: all, above, comparing, models, reference }) {
  const called = all.length ? [makeFold("finding-people", "What imported readers called present", makeTable("people-table", "Imported readers against the labels that count", readerHeads("Reader"), all.map(readerCells)))] : [];
  return [...called, ...(above.length ? [makeAboveFold(above, models[reference].name, comparing)] : [])];
}

const readerHeads = (who) => [who, "Films", "Hits", "False alarms", "Misses", "Correct rejections", "Sensitivity", "Specificity", "Precision", "F1"];

const readerCells = (reader) => [reader.name, wholeText(reader.hits + reader.misses + reader.false_alarms + reader.correct_rejections), ...countCells(reader)];

function markCells(mark) {
  const name = mark.name + (mark.in_sample ? " (these films)" : "");
  return mark.low === null ? [name, mark.reason, ...Array(8).fill("")] : [name, thresholdPlaceText(mark), ...countCells(mark)];
}

function countCells(mark) {
  const counts = [mark.hits, mark.false_alarms, mark.misses, mark.correct_rejections].map(wholeText);
  const precision = mark.precision.value === null ? "nothing called" : rateText(mark.precision);
  return [...counts, rateText(mark.sensitivity), rateText(mark.specificity), precision, mark.f1 === null ? NO_FIGURE : meanText(mark.f1)];
}
