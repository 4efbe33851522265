// The leaderboard: a row per model, a column per group of findings, differences to the chosen reference.

import { make } from "../shared/elements.js";
import { earnedDigits, countText, wholeText } from "../shared/figures.js";
import { findMeaning, markTerm } from "../shared/glossary.js";
import { makeMeanDifferenceParts, makeMeanParts, makeIntervalLine, sharedScale, makeShareParts, columnName } from "./figures.js";
import { makeButtonChoice } from "./tables.js";

// How a column that compares models looks and is written, by its unit.
const COMPARISON_UNITS = {
  share: { className: "board-share", parts: makeShareParts },
  difference: { className: "board-difference", parts: makeAdjustedParts },
};

/** @param {analysis.leaderboard.columns.ComparedFigure} difference */
function makeAdjustedParts({ value, low, high, p_adjusted: p }, computing, digits) {
  return makeMeanDifferenceParts({ value, low, high, p }, computing, digits);
}

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
    const head = make("div", "board-head");
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

  makeTable(answer) {
    const table = make("table", "board-table");
    const body = make("tbody", "");
    const ranges = answer.parts.map((_, place) => sharedScale(answer.rows.map(({ figures }) => figures[place])));
    const best = answer.parts.map((_, place) => findBest(answer, place));
    for (const row of this.orderedRows(answer)) body.append(this.makeRow(answer, row, ranges, best));
    table.append(make("caption", "board-caption", answer.mean + " by model and group of findings"), this.makeHeader(answer), body);
    return table;
  }

  orderedRows(answer) {
    const { by: sortedBy, upside: isReversed } = this.evaluate.state;
    const place = this.orderedColumn(answer);
    const [, key] = (sortedBy ?? "").split(" "); // in the address, after the group
    const column = answer.columns.find((each) => each.key === key);
    const falls = column ? column.falls : answer.larger_is_better;
    const figure = (row) => (column ? (row.compared[key][place] ?? { value: 0 }) : row.figures[place]); // the reference differs by 0 from itself
    const value = (row) => figure(row).value ?? (falls ? -Infinity : Infinity);
    const sign = falls ? 1 : -1;
    const order = sortedBy === "model" ? (one, other) => one.name.localeCompare(other.name) : (one, other) => sign * (value(other) - value(one)) || one.name.localeCompare(other.name);
    const rows = [...answer.rows].sort(order);
    return isReversed ? rows.reverse() : rows;
  }

  makeHeader(answer) {
    const head = make("thead", "");
    const row = make("tr", "");
    row.append(this.makeSortHeading("model", "Model", "board-model", [], false));
    answer.parts.forEach((part, place) => row.append(this.makePartHeading(answer, part, place)));
    if (answer.rows.length > 1) row.append(...this.makeComparisonHeadings(answer));
    head.append(row);
    return head;
  }

  makePartHeading(answer, part, place) {
    const findings = part.counted === part.findings ? countText(part.findings, "finding") : part.counted + " of " + countText(part.findings, "finding");
    const few = make("span", part.fewest < answer.few ? "board-count few" : "board-count", "n+ from " + wholeText(part.fewest));
    few.title = "Positives of the rarest finding, which limits how reliable the mean is.";
    const notes = [make("span", "board-count", findings), make("span", "board-count", "n " + wholeText(part.films)), few];
    if (part.incomplete) {
      const lacking = make("span", "board-count few", wholeText(part.incomplete) + " of " + wholeText(answer.resamples) + " incomplete");
      lacking.title = "Resamples without positives of one of the findings: their mean is over the others.";
      notes.push(lacking);
    }
    const cell = this.makeSortHeading(part.word, columnName(part), "board-part", notes, answer.larger_is_better, place === 0);
    if (this.orderedColumn(answer) === place && this.evaluate.state.by !== "model") cell.classList.add("on");
    return cell;
  }

  // A heading that sorts: the best first, then reversed. `falls`: the best is the largest.
  makeSortHeading(word, name, className, notes, falls, usual = false) {
    const { by: sortedBy, upside: isReversed } = this.evaluate.state;
    const on = sortedBy ? sortedBy === word : usual;
    const cell = make("th", className);
    cell.scope = "col";
    const descending = falls !== Boolean(isReversed);
    cell.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none");
    const button = Object.assign(make("button", "board-sort", name), { type: "button" });
    button.dataset.key = "sort " + word;
    button.addEventListener("click", () => this.evaluate.change({ by: word, upside: on && !isReversed ? 1 : null }));
    cell.append(button, ...notes);
    return cell;
  }

  makeComparisonHeadings(answer) {
    const part = answer.parts[this.orderedColumn(answer)];
    return answer.columns.map(({ key, unit, title, note, falls }) => {
      const below = make("span", "board-count", [columnName(part), note].filter(Boolean).join(", "));
      const cell = this.makeSortHeading(part.word + " " + key, title, COMPARISON_UNITS[unit].className, [below], falls);
      if (findMeaning(title)) markTerm(cell.querySelector("button"), title);
      return cell;
    });
  }

  makeRow(answer, row, ranges, best) {
    const line = make("tr", row.reference && answer.rows.length > 1 ? "reference" : "");
    line.dataset.model = row.name;
    line.append(this.makeNameCell(answer, row));
    row.figures.forEach((figure, place) => line.append(this.makeFigureCell(answer, figure, ranges[place], best[place] === figure.value, place)));
    if (answer.rows.length > 1) line.append(...this.makeComparisonCells(answer, row));
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

  makeFigureCell(answer, figure, range, isBest, place) {
    const cell = make("td", "board-figure");
    if (place === this.orderedColumn(answer)) cell.classList.add("on");
    if (isBest && answer.rows.length > 1 && figure.value !== null) cell.classList.add("best");
    cell.append(...makeMeanParts(figure, answer.computing, range.digits));
    if (figure.value !== null && answer.rows.length > 1) cell.append(makeIntervalLine(figure, range));
    return cell;
  }

  makeComparisonCells(answer, row) {
    const place = this.orderedColumn(answer);
    return answer.columns.map(({ key, unit }) => {
      const cell = make("td", COMPARISON_UNITS[unit].className);
      const figure = row.compared[key][place];
      const digits = earnedDigits(answer.rows.flatMap(({ compared }) => compared[key][place] ?? []));
      cell.append(...(figure === null ? [make("span", "board-reach", "reference")] : COMPARISON_UNITS[unit].parts(figure, answer.computing, digits)));
      return cell;
    });
  }
}

function findBest({ rows, larger_is_better }, place) {
  const values = rows.map(({ figures }) => figures[place].value).filter((value) => value !== null);
  return larger_is_better ? Math.max(...values) : Math.min(...values);
}
