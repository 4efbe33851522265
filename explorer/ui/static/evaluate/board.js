// The leaderboard: a row per model, a column per group of findings, differences to the chosen reference.

import { make } from "../shared/elements.js";
import { countText, earnedDigits, wholeText } from "../shared/figures.js";
import { findMeaning, markTerm } from "../shared/glossary.js";
import { columnName, makeIntervalLine, makeMeanDifferenceParts, makeMeanParts, makeShareParts, sharedScale } from "./figures.js";
import { makeSortHeading } from "./sort_heading.js";
import { makeButtonChoice } from "./tables.js";

// How a column that compares models looks and is written, by its unit.
const COMPARISON_UNITS = {
  share: { className: "board-share", makeParts: makeShareParts },
  difference: { className: "board-difference", makeParts: makeAdjustedParts },
};

/** @param {analysis.leaderboard.columns.BoardFigure} difference */
function makeAdjustedParts({ value, low, high, p_adjusted: p }, computing, digits) {
  return makeMeanDifferenceParts({ value, low, high, p }, computing, digits);
}

// A column is an entry: `word` in the address, `title` and `notes` of its heading, `falls` if the best is the largest,
// `value(row)` to sort by, and `makeCell(row)`.
function meanColumn(answer, part, place) {
  const figures = answer.rows.map((row) => row.figures[place]);
  const [scale, best, many] = [sharedScale(figures), findBest(figures, answer.larger_is_better), answer.rows.length > 1];
  const makeCell = (row) => {
    const figure = row.figures[place];
    const cell = make("td", "board-figure");
    if (figure.value === best && many && figure.value !== null) cell.classList.add("best");
    cell.append(...makeMeanParts(figure, answer.computing, scale.digits));
    if (figure.value !== null && many) cell.append(makeIntervalLine(figure, scale));
    return cell;
  };
  const value = (row) => row.figures[place].value;
  return { word: part.word, title: columnName(part), className: "board-part", notes: makePartNotes(answer, part), falls: answer.larger_is_better, value, makeCell };
}

// A comparison by the means of one part, at `place`; the reference differs by 0 from itself.
function comparisonColumn(answer, { key, unit, title, note, falls }, place) {
  const part = answer.parts[place];
  const { className, makeParts } = COMPARISON_UNITS[unit];
  const digits = earnedDigits(answer.rows.flatMap(({ compared }) => compared[key][place] ?? []));
  const makeCell = (row) => {
    const figure = row.compared[key][place];
    const cell = make("td", className);
    cell.append(...(figure === null ? [make("span", "board-reach muted small", "reference")] : makeParts(figure, answer.computing, digits)));
    return cell;
  };
  const notes = [make("span", "board-count", [columnName(part), note].filter(Boolean).join(", "))];
  const value = ({ compared }) => (compared[key][place] ?? { value: 0 }).value;
  return { word: part.word + " " + key, title, className, notes, falls, value, makeCell };
}

export function makePartNotes({ few, resamples }, part) {
  const findings = part.counted === part.findings ? countText(part.findings, "finding") : part.counted + " of " + countText(part.findings, "finding");
  const fewest = make("span", part.fewest < few ? "board-count few" : "board-count", "n+ from " + wholeText(part.fewest));
  fewest.title = "Positives of the rarest finding, which limits how reliable the mean is.";
  const notes = [make("span", "board-count", findings), make("span", "board-count", "n " + wholeText(part.films)), fewest];
  if (!part.incomplete) return notes;
  const lacking = make("span", "board-count few", wholeText(part.incomplete) + " of " + wholeText(resamples) + " incomplete");
  lacking.title = "Resamples without positives of one of the findings: their mean is over the others.";
  return [...notes, lacking];
}

const TIED = 1e12; // figures that agree in 12 decimals differ by rounding errors alone

export class Board {
  constructor(evaluate) {
    this.evaluate = evaluate;
  }

  // The index of the column that the rows are sorted by.
  orderedColumn({ parts }) {
    const [group] = (this.evaluate.state.by ?? "").split(" ");
    const found = parts.findIndex(({ word }) => word === group);
    return Math.max(found, 0);
  }

  makeParts(answer) {
    const scroll = make("div", "board-scroll");
    Object.assign(scroll, { tabIndex: 0 });
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Leaderboard, by " + answer.mean);
    scroll.append(this.makeTable(answer));
    return [this.makeHead(answer), scroll];
  }

  makeHead(answer) {
    const head = make("div", "board-head flex-row flex-wraps row wrap");
    const sentence = make("p", "board-sentence");
    const many = answer.rows.length > 1;
    sentence.append(
      markTerm(make("span", "", answer.mean), answer.metric === "ap" ? "AP" : answer.metric === "auroc" ? "AUROC" : answer.mean),
      " over the findings of each group, each with equal weight" + (answer.larger_is_better ? "" : "; lower is better") + ".",
      many ? " Choose a row to compare the others with it." : " Choose a second model to see differences and how sure the order is.",
    );
    head.append(sentence, makeButtonChoice("Metric", answer.metrics, answer.metric, (word) => this.evaluate.change({ metric: word }), findMeaning));
    return head;
  }

  makeColumns(answer) {
    const place = this.orderedColumn(answer);
    const means = answer.parts.map((part, at) => meanColumn(answer, part, at));
    return answer.rows.length > 1 ? [...means, ...answer.columns.map((column) => comparisonColumn(answer, column, place))] : means;
  }

  makeTable(answer) {
    const table = make("table", "board-table");
    const body = make("tbody", "");
    const columns = this.makeColumns(answer);
    const sorted = this.orderedColumn(answer);
    for (const row of this.orderedRows(answer, columns)) body.append(this.makeRow(answer, row, columns, sorted));
    table.append(make("caption", "board-caption", answer.mean + " by model and group of findings"), this.makeHeader(columns, sorted), body);
    return table;
  }

  orderedRows(answer, columns) {
    const { by: sortedBy, upside: isReversed } = this.evaluate.state;
    const column = columns.find(({ word }) => word === sortedBy) ?? columns[this.orderedColumn(answer)];
    const value = (row) => Math.round(TIED * (column.value(row) ?? (column.falls ? -Infinity : Infinity)));
    const sign = column.falls ? 1 : -1;
    const place = columns.indexOf(column) < answer.parts.length ? columns.indexOf(column) : this.orderedColumn(answer);
    const byName = (one, other) => one.name.localeCompare(other.name);
    const byTie = (one, other) => (other.ties[place] ?? -Infinity) - (one.ties[place] ?? -Infinity); // by mAUROC, as CXR-LT ranks
    const byColumn = (one, other) => sign * (value(other) - value(one)) || byTie(one, other) || byName(one, other);
    const rows = [...answer.rows].sort(sortedBy === "model" ? byName : byColumn);
    return isReversed ? rows.reverse() : rows;
  }

  makeHeader(columns, sorted) {
    const head = make("thead", "");
    const row = make("tr", "");
    row.append(makeSortHeading(this.evaluate, { word: "model", title: "Model", className: "board-model", notes: [], falls: false }));
    columns.forEach((column, place) => {
      const cell = makeSortHeading(this.evaluate, column, place === 0);
      if (place === sorted && this.evaluate.state.by !== "model") cell.classList.add("on");
      row.append(cell);
    });
    head.append(row);
    return head;
  }

  makeRow(answer, row, columns, sorted) {
    const line = make("tr", row.reference && answer.rows.length > 1 ? "reference" : "");
    line.dataset.model = row.name;
    const cells = columns.map(({ makeCell }) => makeCell(row));
    cells[sorted].classList.add("on");
    line.append(this.makeNameCell(answer, row), ...cells);
    return line;
  }

  makeNameCell(answer, row) {
    const cell = make("th", "board-model");
    cell.scope = "row";
    const name = make("span", "board-name", row.name);
    name.title = row.title;
    if (answer.rows.length < 2) cell.append(name);
    else {
      const label = make("label", "");
      const choice = Object.assign(make("input", ""), { type: "radio", name: "board-reference", checked: row.reference });
      choice.dataset.key = "reference " + row.word;
      choice.setAttribute("aria-label", "Compare with " + row.name);
      choice.addEventListener("change", () => this.evaluate.change({ reference: row.word }));
      label.append(choice, name);
      cell.append(label);
    }
    if (row.origin) cell.append(make("span", answer.rows.length < 2 ? "board-origin alone" : "board-origin", row.origin));
    return cell;
  }
}

function findBest(figures, largerIsBetter) {
  const values = figures.map(({ value }) => value).filter((value) => value !== null);
  return largerIsBetter ? Math.max(...values) : Math.min(...values);
}
