// Learners, class and models against the truth: a row per finding or frequency group, a column per reader.

import { focusedKey, make } from "./elements.js";
import { NONE, NO_NEGATIVES, NO_POSITIVES, plural, rate, whole } from "./figures.js";

const METRICS = [
  { word: "sensitivity", name: "Sensitivity", empty: NO_POSITIVES, of: "films with it" },
  { word: "specificity", name: "Specificity", empty: NO_NEGATIVES, of: "films without it" },
];
const SENTENCE =
  "Of the findings that are there, those that were called (sensitivity); of those that are not, those that were left alone (specificity). " +
  "Whole answers are right if all in them is. Models are counted on the same films and findings, at their own thresholds. 95 % intervals count films, not answers: whoever errs on a film errs with others.";

const WHOLE = "whole answers";

export class ResultTable {
  // `table`: from explorer/teaching/result_table_payload.py; `title`: an element; `own`: the table of one learner.
  /** @param {teaching.result_table_payload.ResultTablePayload} table */
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
    scroll.append(this.drawn());
    this.box.replaceChildren(this.title, make("p", "result-words", SENTENCE), this.choices(), scroll, this.uncounted());
    if (kept) this.box.querySelector('[data-key="' + kept + '"]')?.focus();
  }

  choices() {
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
    if (!this.own) line.append(this.learners());
    return line;
  }

  learners() {
    const label = make("label", "result-learner", "One learner ");
    const select = make("select", "");
    select.dataset.key = "learner";
    select.append(new Option(NONE, "-1"));
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
  shown() {
    if (this.own) return this.table.readers.map((_, place) => place);
    const places = this.table.readers.map((_, place) => place).filter((place) => this.table.readers[place].kind !== "learner");
    return this.learner < 0 ? places : [0, this.learner, ...places.slice(1)];
  }

  drawn() {
    const { readers, rows } = this.table;
    const places = this.shown();
    const table = make("table", "result-figures");
    table.append(make("caption", "result-caption", this.metric.name + " with 95 % interval, counted on " + this.metric.of));
    const head = make("tr", "");
    const one = (cell, place) => (place === this.learner ? Object.assign(cell, { className: "result-one" }) : cell);
    head.append(heading("Finding", "col"), ...places.map((place) => one(heading(readers[place].name, "col"), place)));
    const top = make("thead", "");
    top.append(head);
    const body = make("tbody", "");
    body.append(this.wholeAnswers(places, one));
    for (const row of rows.filter((row) => this.counts(row))) {
      const line = make("tr", row.finding ? "" : "result-group");
      line.append(heading(row.name, "row"), ...places.map((place) => one(cell(row[this.metric.word][place], this.metric.empty), place)));
      body.append(line);
    }
    table.append(top, body);
    return table;
  }

  // Whether a row has anything to count: a question about all findings includes many that are on no film.
  counts(row) {
    return this.shown().some((place) => row[this.metric.word][place].n);
  }

  // The rows without anything to count, in a line.
  uncounted() {
    const left = this.table.rows.filter((row) => !this.counts(row)).map(({ name }) => name);
    const words = this.metric.empty.charAt(0).toUpperCase() + this.metric.empty.slice(1) + ": " + left.join(", ") + ".";
    return Object.assign(make("p", "result-words result-uncounted", words), { hidden: !left.length });
  }

  // How many answers are right as a whole, whatever the metric: models have none.
  wholeAnswers(places, one) {
    const line = make("tr", "result-whole");
    const right = (place) => this.table.readers[place].right;
    const made = (place) => (right(place) ? cell(right(place), "none judged") : make("td", "result-none", NONE));
    line.append(heading(WHOLE, "row"), ...places.map((place) => one(made(place), place)));
    return line;
  }
}

function heading(words, scope) {
  return Object.assign(make("th", "", words), { scope });
}

function cell(figure, empty) {
  const box = make("td", "");
  if (!figure.n) {
    box.append(make("span", "result-none", empty));
    return box;
  }
  const films = figure.films === figure.n ? plural(figure.films, "film") : plural(figure.n, "answer") + ", " + plural(figure.films, "film");
  box.append(make("span", "result-rate", rate(figure)), make("span", "result-n", whole(figure.hits) + " of " + films));
  return box;
}
