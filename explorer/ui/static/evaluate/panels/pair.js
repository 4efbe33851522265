// Two models by finding: the differences as a chart, and a table that sorts by any column.

import { make } from "../../shared/elements.js";
import { earnedDigits, pText, wholeText } from "../../shared/figures.js";
import { findMeaning } from "../../shared/glossary.js";
import { makeChart } from "../chart.js";
import { makeMeanDifferenceParts, makeMeanParts } from "../figures.js";
import { makeSortHeading } from "../sort_heading.js";
import { makeButtonChoice } from "../tables.js";

const BEYOND_CHANCE = 0.05;
const ONE_MODEL = "Two models are compared here: choose another at the left.";

/** @param {EvaluatePanel<ui.evaluate.panels.pair.PairPayload>} answer */
export function makePairPanel(answer, evaluate) {
  if (!answer.content.others.length) return [make("p", "board-sentence", ONE_MODEL)];
  return [makeHead(answer.content, evaluate), makeChartOfPanel(answer), makeTable(answer, evaluate)];
}

function makeHead(content, evaluate) {
  const { measure, measures, reference, model, summary } = content;
  const box = make("div", "board-head flex-row flex-wraps");
  const sentence = make("p", "board-sentence", model + " less " + reference + " in " + measure + ", for each finding. " + summary);
  const word = measures.find(({ name }) => name === measure).word;
  const choices = make("div", "pair-choices flex-row flex-wraps");
  choices.append(
    makeOtherChoice(content, evaluate),
    makeLeastChoice(content, evaluate),
    makeButtonChoice("Metric", measures, word, (chosen) => evaluate.change({ metric: chosen }), findMeaning),
  );
  box.append(sentence, choices);
  return box;
}

function makeOtherChoice({ other, others }, evaluate) {
  return makeSelect("Compare", "other", others, other, evaluate);
}

function makeLeastChoice({ least, leasts }, evaluate) {
  const options = leasts.map((each) => ({ word: String(each), name: "n+ " + each }));
  return makeSelect("Tested from", "least", options, String(least), evaluate);
}

function makeSelect(title, word, options, chosen, evaluate) {
  const label = make("label", "evaluate-choice muted");
  const select = make("select", "");
  for (const { word: value, name } of options) select.append(new Option(name, value, value === chosen, value === chosen));
  select.dataset.key = "choose " + word;
  select.addEventListener("change", () => evaluate.change({ [word]: select.value }));
  label.append(make("span", "", title), select);
  return label;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure, measure, model, reference } = content;
  const label = "Difference in " + measure + " by finding, " + model + " less " + reference + ". The table below has the numbers.";
  return makeChart({ plotly, figure, label, name: "tailscope_pair_" + measure.toLowerCase(), below: title + (simulated ? ". SIMULATED" : "") + ". Not for medical use" });
}

// A column is an entry, as on the leaderboard: `word` in the address, its heading, `value(row)` to sort by, `fill(row)`.
function columnsOf({ content, computing }) {
  const { measure, reference, model, rows } = content;
  const digits = earnedDigits(rows.map(({ difference }) => difference));
  const plain = (value) => makeMeanParts({ value, low: null, high: null }, false).slice(0, 1);
  const columns = [
    { word: "positives", title: "n+", value: (row) => row.positives, fill: (row) => [wholeText(row.positives), " ", make("span", "board-count", "of " + wholeText(row.films))] },
    { word: "reference", title: reference, value: (row) => row.reference, fill: (row) => plain(row.reference) },
    { word: "model", title: model, value: (row) => row.model, fill: (row) => plain(row.model) },
    { word: "difference", title: "difference", value: (row) => row.difference.value, fill: (row) => makeDifferenceParts(row, row.difference, computing, digits) },
    { word: "p", title: "p adjusted", lowIsBest: true, value: (row) => row.difference.p, fill: (row) => makeP(row.difference) },
  ];
  if (measure !== "AUROC" || rows.some(({ area }) => area === null)) return columns;
  return [
    ...columns,
    { word: "delong", title: "DeLong", value: (row) => row.area.value, fill: (row) => makeDifferenceParts(row, row.area, computing, digits) },
    { word: "delong p", title: "p by DeLong", lowIsBest: true, value: (row) => row.area.p, fill: (row) => makeP(row.area) },
  ];
}

function makeDifferenceParts({ tested }, difference, computing, digits) {
  const parts = makeMeanDifferenceParts({ ...difference, p: null }, computing && tested, digits);
  return tested || difference.value === null ? parts : [parts[0], make("span", "board-reach muted small", "too few to test")];
}

function makeP({ p }) {
  if (p === null) return [];
  return [make("span", p < BEYOND_CHANCE ? "board-value pair-beyond" : "board-value", pText(p))];
}

function makeTable(answer, evaluate) {
  const columns = columnsOf(answer);
  const table = make("table", "beneath-table pair-table");
  const head = make("tr", "");
  head.append(makeSortHeading(evaluate, { word: "finding", title: "Finding", className: "", notes: [], falls: false }));
  for (const column of columns) head.append(makeSortHeading(evaluate, { className: "", notes: [], falls: !column.lowIsBest, ...column }, column.word === "positives"));
  const top = make("thead", "");
  top.append(head);
  const body = make("tbody", "");
  for (const row of sortedRows(answer.content.rows, columns, evaluate.state)) body.append(makeRow(row, columns));
  const caption = answer.content.measure + " of two models by finding, and the difference";
  table.append(make("caption", "beneath-caption", caption), top, body);
  const scroll = Object.assign(make("div", "board-scroll"), { tabIndex: 0 });
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", caption);
  scroll.append(table);
  return scroll;
}

function makeRow(row, columns) {
  const line = make("tr", row.tested ? "" : "pair-untested");
  const name = Object.assign(make("th", ""), { scope: "row" });
  name.append(make("span", "", row.finding), ...(row.group ? [" ", make("span", "board-count", row.group)] : []));
  line.append(name);
  for (const { fill } of columns) {
    const cell = make("td", "");
    cell.append(...fill(row));
    line.append(cell);
  }
  return line;
}

// Undefined figures come last in either direction.
function sortedRows(rows, columns, { by, upside }) {
  const byName = (one, other) => one.finding.localeCompare(other.finding);
  if (by === "finding") return upside ? [...rows].sort(byName).reverse() : [...rows].sort(byName);
  const column = columns.find(({ word }) => word === by) ?? columns[0];
  const sign = Boolean(column.lowIsBest) === Boolean(upside) ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [column.value(one), column.value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null) || byName(one, other);
    return sign * (a - b) || byName(one, other);
  });
}
