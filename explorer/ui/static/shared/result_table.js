// Learners, class and models against the truth: a row per finding or frequency group, a column per reader.

import { focusedKey, make } from "./elements.js";
import { NO_FIGURE, NO_NEGATIVES, NO_POSITIVES, countText, rateText, wholeText } from "./figures.js";

const METRICS = [
  { word: "sensitivity", name: "Sensitivity", empty: NO_POSITIVES, of: "films with it" },
  { word: "specificity", name: "Specificity", empty: NO_NEGATIVES, of: "films without it" },
];
const HOW_COUNTED =
  "Sensitivity: the share of present findings that were called. Specificity: the share of absent findings that were not called. " +
  "A whole answer is correct only if every part is. Models are counted on the same films and findings, at their own thresholds. 95 % intervals count films, not answers, because learners err on the same films.";

const WHOLE_ANSWERS = "whole answers";

export class ResultTable {
  // `table`: from explorer/school/judging/result_table_payload.py; `title`: an element; `own`: the table of one learner.
  /** @param {school.judging.result_table_payload.ResultTablePayload} table */
  constructor(table, title, own = false) {
    this.table = table;
    this.title = title;
    this.own = own;
    this.metric = METRICS[0];
    this.learner = -1;
    this.box = make("section", "result-table");
    this.draw();
  }

  draw() {
    const kept = document.activeElement?.closest(".result-table") ? focusedKey(document) : null;
    const scroll = make("div", "result-scroll");
    Object.assign(scroll, { tabIndex: 0 });
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Class and models against the truth");
    scroll.append(this.makeTable());
    this.box.replaceChildren(this.title, make("p", "result-words", HOW_COUNTED), this.makeMetricChoice(), scroll, this.makeUncountedLine());
    if (kept) this.box.querySelector('[data-key="' + kept + '"]')?.focus();
  }

  makeMetricChoice() {
    const line = make("div", "result-choices");
    for (const metric of METRICS) {
      const button = Object.assign(make("button", "", metric.name), { type: "button" });
      button.dataset.key = metric.word;
      button.setAttribute("aria-pressed", String(metric === this.metric));
      button.addEventListener("click", () => {
        this.metric = metric;
        this.draw();
      });
      line.append(button);
    }
    if (!this.own) line.append(this.makeLearnerChoice());
    return line;
  }

  makeLearnerChoice() {
    const label = make("label", "result-learner", "One learner ");
    const select = make("select", "");
    select.dataset.key = "learner";
    select.append(new Option(NO_FIGURE, "-1"));
    this.table.readers.forEach(({ name, kind }, place) => {
      if (kind === "learner") select.append(new Option(name, String(place)));
    });
    select.value = String(this.learner);
    select.addEventListener("change", () => {
      this.learner = Number(select.value);
      this.draw();
    });
    label.append(select);
    return label;
  }

  // The indices of the readers that have a column.
  shownReaders() {
    if (this.own) return this.table.readers.map((_, place) => place);
    const places = this.table.readers.map((_, place) => place).filter((place) => this.table.readers[place].kind !== "learner");
    return this.learner < 0 ? places : [0, this.learner, ...places.slice(1)];
  }

  makeTable() {
    const { readers, rows } = this.table;
    const places = this.shownReaders();
    const table = make("table", "result-figures");
    table.append(make("caption", "result-caption", this.metric.name + " with 95 % interval, counted on " + this.metric.of));
    const head = make("tr", "");
    const one = (cell, place) => (place === this.learner ? Object.assign(cell, { className: "result-one" }) : cell);
    head.append(makeHeading("Finding", "col"), ...places.map((place) => one(makeHeading(readers[place].name, "col"), place)));
    const top = make("thead", "");
    top.append(head);
    const body = make("tbody", "");
    body.append(this.makeWholeAnswersRow(places, one));
    for (const row of rows.filter((row) => this.hasCounts(row))) {
      const line = make("tr", row.finding ? "" : "result-group");
      line.append(makeHeading(row.name, "row"), ...places.map((place) => one(makeCell(row[this.metric.word][place], this.metric.empty), place)));
      body.append(line);
    }
    table.append(top, body);
    return table;
  }

  // Whether a row has anything to count: a question about all findings includes many that are on no film.
  hasCounts(row) {
    return this.shownReaders().some((place) => row[this.metric.word][place].n);
  }

  // The rows without anything to count, in a line.
  makeUncountedLine() {
    const left = this.table.rows.filter((row) => !this.hasCounts(row)).map(({ name }) => name);
    const words = this.metric.empty.charAt(0).toUpperCase() + this.metric.empty.slice(1) + ": " + left.join(", ") + ".";
    return Object.assign(make("p", "result-words result-uncounted", words), { hidden: !left.length });
  }

  // How many answers are right as a whole, whatever the metric: models have none.
  makeWholeAnswersRow(places, one) {
    const line = make("tr", "result-whole");
    const right = (place) => this.table.readers[place].right;
    const makeReaderCell = (place) => (right(place) ? makeCell(right(place), "none judged") : make("td", "result-none", NO_FIGURE));
    line.append(makeHeading(WHOLE_ANSWERS, "row"), ...places.map((place) => one(makeReaderCell(place), place)));
    return line;
  }
}

function makeHeading(words, scope) {
  return Object.assign(make("th", "", words), { scope });
}

function makeCell(figure, empty) {
  const box = make("td", "");
  if (!figure.n) {
    box.append(make("span", "result-none", empty));
    return box;
  }
  const films = figure.films === figure.n ? countText(figure.films, "film") : countText(figure.n, "answer") + ", " + countText(figure.films, "film");
  box.append(make("span", "result-rate", rateText(figure)), make("span", "result-n", wholeText(figure.hits) + " of " + films));
  return box;
}
