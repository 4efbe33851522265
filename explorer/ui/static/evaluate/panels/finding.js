// A finding: its curves by model, a threshold to drag, the results of each model's thresholds.

import { make } from "../../shared/elements.js";
import { NONE, plural, rate, whole } from "../../shared/figures.js";
import { meanText, figureParts } from "../figures.js";
import { fold, table } from "../tables.js";
import { calibrated } from "./calibrated.js";
import { choice, findingChart, placeOf } from "./finding_parts.js";
import { ThresholdTool } from "./threshold_tool.js";

const FEW_MODELS = 8; // up to this many, the table of areas starts open

export function finding(answer, evaluate) {
  const { content, computing } = answer;
  const parts = [head(content, evaluate)];
  if (content.lacking) return [...parts, make("p", "finding-lacking", content.finding + ": " + content.lacking + " among these films. There is no curve, and no threshold to judge.")];
  const picture = drawn(answer);
  const tool = new ThresholdTool(content, evaluate, picture.querySelector(".chart-drawn"));
  return [...parts, picture, tool.box, areas(content, computing), thresholds(content), ...readers(content), ...classes(content), ...calibrated(answer)];
}

function head({ finding: name, word: of, findings, films, positives, few }, evaluate) {
  const box = make("div", "board-head");
  const thin = positives && positives < few ? " Fewer than " + few + " positives: little can be told." : "";
  const counted = " n+ " + whole(positives) + " of " + plural(films, "film") + " with a known label.";
  const sentence = make("p", "board-sentence", "How well the scores of each model tell films with " + name + " from films without it, at every threshold." + counted + thin);
  box.append(sentence, choice("Finding", "finding", findings, evaluate.state[of], (word) => evaluate.change({ [of]: word, at: null, prevalence: null })));
  return box;
}

function drawn(answer) {
  const { models, finding: name, figure } = answer.content;
  const label = "ROC and precision-recall curves of " + plural(models.length, "model") + " for " + name + ". The tables below have the areas and thresholds.";
  return findingChart(answer, figure, "finding", label);
}

function areas({ areas: { AUROC, AP }, models, prevalence }, computing) {
  const rows = models.map(({ name }, place) => [name, figureParts(AUROC[place], computing), figureParts(AP[place], computing)]);
  rows.push(["chance", meanText(0.5), meanText(prevalence)]);
  const box = fold("finding-areas", "AUROC and AP of each model", table("areas-table", "AUROC and AP by model", ["Model", "AUROC", "AP"], rows));
  box.open = models.length <= FEW_MODELS;
  return box;
}

function thresholds({ marks, models, reference }) {
  const heads = ["Model", "Threshold", "At", "Hits", "False alarms", "Misses", "Correct rejections", "Sensitivity", "Specificity", "Precision", "F1"];
  const order = [reference, ...models.keys().filter((place) => place !== reference)];
  const rows = order.flatMap((place) => marks[place].map((mark) => [models[place].name, ...cells(mark)]));
  return fold("finding-thresholds", "What each model's thresholds are worth", table("thresholds-table", "Thresholds by model", heads, rows));
}

function readers({ readers: all }) {
  if (!all.length) return [];
  const box = fold("finding-readers", "What other sources of labels call present", table("readers-table", "Other sources of labels against the labels that count", readerHeads("Source of labels"), all.map(readerRow)));
  box.open = true;
  return [box];
}

function classes({ classes: all }) {
  if (!all.length) return [];
  return [fold("finding-classes", "What classes called present", table("classes-table", "Classes and their learners against the labels that count", readerHeads("Reader"), all.map(readerRow)))];
}

const readerHeads = (who) => [who, "Films", "Hits", "False alarms", "Misses", "Correct rejections", "Sensitivity", "Specificity", "Precision", "F1"];

const readerRow = (reader) => [reader.name, whole(reader.hits + reader.misses + reader.false_alarms + reader.correct_rejections), ...counted(reader)];

function cells(mark) {
  const name = mark.name + (mark.in_sample ? " (these films)" : "");
  return mark.low === null ? [name, mark.reason, ...Array(8).fill("")] : [name, placeOf(mark), ...counted(mark)];
}

function counted(mark) {
  const counts = [mark.hits, mark.false_alarms, mark.misses, mark.correct_rejections].map(whole);
  const precision = mark.precision.value === null ? "nothing called" : rate(mark.precision);
  return [...counts, rate(mark.sensitivity), rate(mark.specificity), precision, mark.f1 === null ? NONE : meanText(mark.f1)];
}
