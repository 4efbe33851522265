// The leaderboard itself: a row a model, a column a group of findings; differences to the row that is chosen.

import { make } from "../shared/elements.js";
import { earnedDigits, plural, whole } from "../shared/figures.js";
import { meaning, term } from "../shared/glossary.js";
import { differenceParts, figureParts, line, rangeOf, shareParts, where } from "./figures.js";
import { oneOf } from "./tables.js";

// How a column that compares models looks and is written, by its unit.
const UNITS = {
  share: { className: "board-share", parts: shareParts },
  difference: { className: "board-difference", parts: adjustedParts },
};

/** @param {analysis.leaderboard.columns.BoardFigure} difference */
function adjustedParts({ value, low, high, p_adjusted: p }, computing, digits) {
  return differenceParts({ value, low, high, p }, computing, digits);
}

export class Board {
  constructor(evaluate) {
    this.evaluate = evaluate;
  }

  // The place of the column that rows stand in the order of.
  part({ parts }) {
    const [group] = (this.evaluate.state.by ?? "").split(" ");
    const found = parts.findIndex(({ word }) => word === group);
    return Math.max(found, 0);
  }

  parts(answer) {
    const scroll = make("div", "board-scroll");
    Object.assign(scroll, { tabIndex: 0 });
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Leaderboard, by " + answer.mean);
    scroll.append(this.table(answer));
    return [this.head(answer), scroll];
  }

  head(answer) {
    const head = make("div", "board-head");
    const sentence = make("p", "board-sentence");
    const many = answer.rows.length > 1;
    sentence.append(
      term(make("span", "", answer.mean), answer.metric === "ap" ? "AP" : answer.metric === "auroc" ? "AUROC" : answer.mean),
      " over the findings of each group, every finding counted the same" + (answer.larger_is_better ? "" : "; small is good") + ".",
      many ? " Choose a row to compare the others with it." : " Choose a second model to see differences and how sure the order is.",
    );
    head.append(sentence, oneOf("Metric", answer.metrics, answer.metric, (word) => this.evaluate.change({ metric: word }), meaning));
    return head;
  }

  table(answer) {
    const table = make("table", "board-table");
    const body = make("tbody", "");
    const ranges = answer.parts.map((_, place) => rangeOf(answer.rows.map(({ figures }) => figures[place])));
    const best = answer.parts.map((_, place) => bestOf(answer, place));
    for (const row of this.ordered(answer)) body.append(this.row(answer, row, ranges, best));
    table.append(make("caption", "board-caption", answer.mean + " by model and group of findings"), this.header(answer), body);
    return table;
  }

  ordered(answer) {
    const { by, upside } = this.evaluate.state;
    const place = this.part(answer);
    const [, key] = (by ?? "").split(" "); // in the address behind the group
    const column = answer.columns.find((each) => each.key === key);
    const falls = column ? column.falls : answer.larger_is_better;
    const figure = (row) => (column ? (row.compared[key][place] ?? { value: 0 }) : row.figures[place]); // the reference differs by 0 from itself
    const value = (row) => figure(row).value ?? (falls ? -Infinity : Infinity);
    const sign = falls ? 1 : -1;
    const order = by === "model" ? (one, other) => one.name.localeCompare(other.name) : (one, other) => sign * (value(other) - value(one)) || one.name.localeCompare(other.name);
    const rows = [...answer.rows].sort(order);
    return upside ? rows.reverse() : rows;
  }

  header(answer) {
    const head = make("thead", "");
    const row = make("tr", "");
    row.append(this.column("model", "Model", "board-model", [], false));
    answer.parts.forEach((part, place) => row.append(this.partColumn(answer, part, place)));
    if (answer.rows.length > 1) row.append(...this.comparing(answer));
    head.append(row);
    return head;
  }

  partColumn(answer, part, place) {
    const findings = part.counted === part.findings ? plural(part.findings, "finding") : part.counted + " of " + plural(part.findings, "finding");
    const few = make("span", part.fewest < answer.few ? "board-count few" : "board-count", "n+ from " + whole(part.fewest));
    few.title = "Positives of the finding that has the fewest: a mean is no better founded than that.";
    const notes = [make("span", "board-count", findings), make("span", "board-count", "n " + whole(part.films)), few];
    if (part.incomplete) {
      const lacking = make("span", "board-count few", whole(part.incomplete) + " of " + whole(answer.resamples) + " incomplete");
      lacking.title = "Resamples without positives of one of the findings: their mean is over the others.";
      notes.push(lacking);
    }
    const cell = this.column(part.word, where(part), "board-part", notes, answer.larger_is_better, place === 0);
    if (this.part(answer) === place && this.evaluate.state.by !== "model") cell.classList.add("on");
    return cell;
  }

  // A heading that sorts: the best first, then the other way round. `falls`: the best is the greatest.
  column(word, name, className, notes, falls, usual = false) {
    const { by, upside } = this.evaluate.state;
    const on = by ? by === word : usual;
    const cell = make("th", className);
    cell.scope = "col";
    const descending = falls !== Boolean(upside);
    cell.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none");
    const button = Object.assign(make("button", "board-sort", name), { type: "button" });
    button.dataset.key = "sort " + word;
    button.addEventListener("click", () => this.evaluate.change({ by: word, upside: on && !upside ? 1 : null }));
    cell.append(button, ...notes);
    return cell;
  }

  comparing(answer) {
    const part = answer.parts[this.part(answer)];
    return answer.columns.map(({ key, unit, title, note, falls }) => {
      const below = make("span", "board-count", [where(part), note].filter(Boolean).join(", "));
      const cell = this.column(part.word + " " + key, title, UNITS[unit].className, [below], falls);
      if (meaning(title)) term(cell.querySelector("button"), title);
      return cell;
    });
  }

  row(answer, row, ranges, best) {
    const line = make("tr", row.reference && answer.rows.length > 1 ? "reference" : "");
    line.dataset.model = row.name;
    line.append(this.name(answer, row));
    row.figures.forEach((figure, place) => line.append(this.figure(answer, figure, ranges[place], best[place] === figure.value, place)));
    if (answer.rows.length > 1) line.append(...this.compared(answer, row));
    return line;
  }

  name(answer, row) {
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

  figure(answer, figure, range, isBest, place) {
    const cell = make("td", "board-figure");
    if (place === this.part(answer)) cell.classList.add("on");
    if (isBest && answer.rows.length > 1 && figure.value !== null) cell.classList.add("best");
    cell.append(...figureParts(figure, answer.computing, range.digits));
    if (figure.value !== null && answer.rows.length > 1) cell.append(line(figure, range));
    return cell;
  }

  compared(answer, row) {
    const place = this.part(answer);
    return answer.columns.map(({ key, unit }) => {
      const cell = make("td", UNITS[unit].className);
      const figure = row.compared[key][place];
      const digits = earnedDigits(answer.rows.flatMap(({ compared }) => compared[key][place] ?? []));
      cell.append(...(figure === null ? [make("span", "board-reach", "reference")] : UNITS[unit].parts(figure, answer.computing, digits)));
      return cell;
    });
  }
}

function bestOf({ rows, larger_is_better }, place) {
  const values = rows.map(({ figures }) => figures[place].value).filter((value) => value !== null);
  return larger_is_better ? Math.max(...values) : Math.min(...values);
}
