// The findings x centers table: rates at the threshold, average precision and AUROC against chance, score shift without labels.

import { make } from "../shared/elements.js";
import { plural, whole } from "../shared/figures.js";
import { term } from "../shared/glossary.js";
import { latest } from "../shared/latest.js";
import { originsOf } from "../shared/origin_words.js";
import { NATURAL, aboutGaps, gapCell, gapTitle, words } from "./cell_words.js";
import { ExplorePanel, MEASURES, MEASURE_WORDS, choice, column, details, groupTitle, notice, plain, said, upperFirst } from "./panel_base.js";

const SORTS = {
  finding: (one, other) => one.finding.localeCompare(other.finding),
  positives: (one, other) => other.pooled.positives - one.pooled.positives,
  sensitivity: worstFirst((line) => line.pooled.sensitivity.value),
  specificity: worstFirst((line) => line.pooled.specificity.value),
  precision: worstFirst((line) => line.pooled.precision.value),
};

// How the table is read, by what it shows; `all` three of them for one center.
const READS = {
  sensitivity: "Of the films with a finding, the share that the model called.",
  specificity: "Of the films without a finding, the share that the model did not call.",
  precision: "How well the scores put films with a finding before those without; blue is what guessing would reach.",
  all: "How often the model called what is there, left alone what is not, and how well its scores order the films.",
};

// Ascending, what is undefined last.
function worstFirst(value) {
  return (one, other) => (value(one) ?? Infinity) - (value(other) ?? Infinity) || one.finding.localeCompare(other.finding);
}

function largestFirst(value) {
  return worstFirst((line) => {
    const known = value(line) ?? null;
    return known === null ? null : -Math.abs(known);
  });
}

export class CellTable extends ExplorePanel {
  question = "cell_table";

  draw(table) {
    this.table = table;
    this.places = new Map(); // by finding and center: where its numbers stand
    const { sort, measure } = this.explore.state;
    this.measure = MEASURE_WORDS[measure] ? measure : "sensitivity";
    this.sorts = { ...SORTS, gap: largestFirst(({ gaps }) => gaps?.[this.measure].value) };
    this.sort = this.sorts[sort] ? sort : null;
    this.several = table.centers.length > 1;
    this.gaps = table.between !== null; // else there are no rates to compare
    const scroll = make("div", "cells-scroll");
    scroll.append(this.grid());
    this.box.replaceChildren(this.head(), plain(this.plainWords()), scroll, ...this.unlabelled(), this.legend());
    const start = this.box.querySelector(".cell[aria-pressed=true]") ?? this.box.querySelector(".cell");
    if (start) this.rove(start);
    this.learn(table);
  }

  head() {
    const head = make("header", "panel-head-line");
    head.append(said(this.table));
    if (this.several) {
      head.append(choice("Measure", MEASURES, this.measure, (measure) => this.set({ measure })));
    }
    return head;
  }

  plainWords() {
    const { lines, few } = this.table;
    const apart = this.gaps ? " \u25c6: the centers differ by more than chance explains." : "";
    if (!this.several || this.measure !== "sensitivity") return READS[this.several ? this.measure : "all"] + apart;
    const known = lines.map(({ finding, pooled }) => ({ finding, ...pooled.sensitivity })).filter(({ n, value }) => n >= few && value !== null);
    const [worst] = known.sort((one, other) => one.value - other.value);
    const most = worst && worst.hits < worst.n ? " Missed most: " + worst.finding + ", " + whole(worst.n - worst.hits) + " of " + whole(worst.n) + " films." : "";
    return READS.sensitivity + most + apart;
  }

  set(changes) {
    this.explore.change(changes, { keep: true });
  }

  grid() {
    const grid = make("table", "cells" + (this.several ? " several" : ""));
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", "Findings and centers: " + this.table.sentence);
    const body = make("tbody", "");
    let group;
    for (const line of this.ordered()) {
      if (!this.sort && line.group !== group) body.append(this.heading((group = line.group)));
      body.append(this.row(line));
    }
    grid.append(this.header(), body);
    grid.addEventListener("keydown", (event) => this.move(event));
    grid.addEventListener("click", (event) => this.click(event.target.closest("button")));
    return grid;
  }

  ordered() {
    const lines = this.table.lines.filter((line) => !this.isFolded(line));
    return this.sort ? lines.sort(this.sorts[this.sort]) : lines;
  }

  // An image-text model has scores of findings that no film of the cohort is labeled for.
  isFolded({ word, pooled: { positives, negatives } }) {
    const { lines } = this.table;
    const some = lines.some(({ pooled }) => pooled.positives || pooled.negatives);
    return some && !positives && !negatives && word !== this.explore.state.finding;
  }

  unlabelled() {
    const lines = this.table.lines.filter((line) => this.isFolded(line));
    if (!lines.length) return [];
    const fold = make("details", "cells-unlabelled");
    fold.append(make("summary", "", plural(lines.length, "finding") + " without a label here: no rates"));
    for (const { finding, word } of lines) {
      const button = make("button", "panel-link", finding);
      button.type = "button";
      button.addEventListener("click", () => this.toggle({ finding: word }));
      fold.append(button);
    }
    return [fold];
  }

  // The columns of rates: what each shows and whose it is.
  columns() {
    const { centers } = this.table;
    if (!this.several) return MEASURES.map(([measure, title]) => ({ measure, title, at: 0, sort: measure }));
    const all = { measure: this.measure, title: "All labeled", at: null, sort: this.measure };
    const sort = (center) => (!this.gaps && center.labelled ? this.measure : undefined); // it is all that is labeled
    const each = centers.map((center, at) => ({ measure: this.measure, title: center.name, at, center, sort: sort(center) }));
    return this.gaps ? [all, ...each] : each;
  }

  header() {
    const head = make("thead", "");
    const row = make("tr", "");
    if (!this.several) head.append(this.owner(this.table.centers[0]));
    const [finding, positives] = [this.sorting("Finding", "finding", "cells-finding"), this.sorting("n+", "positives", "cells-count")];
    if (this.gaps) row.append(this.together(finding, positives), this.sorting(gapTitle(this.table), "gap", "cells-gap"));
    else row.append(finding, positives, column("n\u2212", "cells-count"));
    for (const { title, sort, center } of this.columns()) {
      const cell = sort ? this.sorting(title, sort, "cells-rate") : column(title, "cells-rate");
      if (center) cell.append(...this.about(center));
      else if (this.several && originsOf(this.table.centers)) cell.append(make("span", "cells-tag", originsOf(this.table.centers)));
      row.append(cell);
    }
    head.append(row);
    return head;
  }

  // Beside gaps there is no room for a column of counts: they stand below the names.
  together(cell, other) {
    if (cell.getAttribute("aria-sort") === "none") cell.setAttribute("aria-sort", other.getAttribute("aria-sort"));
    cell.append(" ", ...other.childNodes);
    return cell;
  }

  // The one center of the table, over its measures.
  owner(center) {
    const row = make("tr", "cells-owner");
    const cell = column("", "cells-rate");
    cell.colSpan = MEASURES.length;
    if (center) cell.append(make("span", "cells-center", center.name), ...this.about(center));
    const empty = make("td", "cells-finding");
    empty.colSpan = 3;
    row.append(empty, cell);
    return row;
  }

  about({ films, labelled, origin, meaning }) {
    const words = [make("span", "cells-films", plural(films, "film"))];
    if (origin) words.push(Object.assign(make("span", "cells-tag", origin), { title: meaning }));
    if (!labelled) words.push(make("span", "cells-tag", "no labels: " + this.table.unit + " shift only"));
    return words;
  }

  sorting(title, sort, className) {
    const cell = column("", className);
    const button = make("button", "cells-sort", title);
    button.type = "button";
    button.dataset.sort = button.dataset.key = sort;
    const on = this.sort === sort;
    cell.setAttribute("aria-sort", !on ? "none" : ["positives", "gap"].includes(sort) ? "descending" : "ascending");
    button.classList.toggle("on", on);
    button.title = on ? "Back to head to tail" : { gap: "Largest difference first", positives: "Most positives first", finding: "A to Z" }[sort] ?? "Worst first";
    cell.append(term(button, title));
    return cell;
  }

  heading(group) {
    const row = make("tr", "cells-group");
    const cell = column(groupTitle(group), "");
    cell.scope = "rowgroup";
    cell.append(make("span", "cells-source", " by " + this.table.source));
    cell.colSpan = (this.gaps ? 2 : 3) + this.columns().length; // finding and gap, or finding, n+ and n-
    row.append(cell);
    return row;
  }

  row(line) {
    const row = make("tr", "cells-line");
    row.dataset.finding = line.word;
    if (this.explore.state.finding === line.word) row.classList.add("chosen");
    const name = make("th", "cells-finding");
    name.scope = "row";
    const button = this.button(line, null, line.finding + " at all centers");
    button.append(make("span", "cells-name", line.finding));
    if (this.sort) button.append(make("span", "cells-tail", groupTitle(line.group)));
    name.append(button);
    const { positives, negatives } = line.pooled;
    if (this.gaps) name.append(make("span", "cells-count", whole(positives)));
    row.append(name, ...(this.gaps ? [this.gap(line)] : [make("td", "cells-count", whole(positives)), make("td", "cells-count cells-negatives", whole(negatives))]));
    for (const each of this.columns()) row.append(this.cell(line, each));
    return row;
  }

  gap(line) {
    const cell = gapCell(line.gaps, this.measure);
    cell.dataset.gap = line.word;
    return cell;
  }

  button(line, center, label) {
    const button = make("button", "cell");
    const { finding, center: at } = this.explore.state;
    const on = finding === line.word && (at ?? null) === center;
    button.type = "button";
    Object.assign(button.dataset, { finding: line.word, center: center ?? "" });
    button.setAttribute("aria-pressed", String(on));
    button.dataset.key = "cell " + line.word + " " + (center ?? "");
    button.setAttribute("aria-label", label);
    button.tabIndex = -1;
    return button;
  }

  cell(line, { measure, at }) {
    const cell = at === null ? line.pooled : line.cells[at];
    const place = at === null ? "all labeled centers" : this.table.centers[at].name;
    const button = this.button(line, cell.center, "");
    button.dataset.measure = measure;
    button.dataset.key += " " + measure;
    const shown = { cell, button, measure, name: line.finding + ", " + place + ": " };
    const key = line.word + " " + (cell.center ?? "");
    this.places.set(key, [...(this.places.get(key) ?? []), shown]);
    this.fill(shown);
    const box = make("td", "cells-rate");
    box.append(button);
    return box;
  }

  fill({ cell, button, measure, name }) {
    const { parts, spoken, few } = words(cell, measure, this.table);
    button.replaceChildren(...parts);
    if (!this.several) button.querySelector(".cell-under .cell-n")?.remove(); // n+ and n- have columns of their own
    button.title = spoken;
    button.classList.toggle("few", Boolean(few));
    button.setAttribute("aria-label", name + spoken);
  }

  click(button) {
    if (!button) return;
    if (button.dataset.sort) return this.set({ sort: this.sort === button.dataset.sort ? null : button.dataset.sort });
    this.toggle({ finding: button.dataset.finding, center: button.dataset.center || null });
  }

  // Arrows move among the buttons of the table; only one of them is in the order of Tab.
  move(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = event.target.closest(".cell");
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!at || !step) return;
    event.preventDefault();
    const rows = [...this.box.querySelectorAll(".cells-line")].map((row) => [...row.querySelectorAll(".cell")]);
    const row = rows.findIndex((cells) => cells.includes(at));
    const next = rows[row + step[0]]?.[rows[row].indexOf(at) + step[1]];
    if (next) this.rove(next, true);
  }

  rove(cell, focus = false) {
    for (const each of this.box.querySelectorAll(".cell[tabindex='0']")) each.tabIndex = -1;
    cell.tabIndex = 0;
    if (focus) cell.focus();
  }

  // Intervals that have come: they take the place of "computing" where they belong.
  learn({ done, gaps, complete }) {
    this.learnGaps(gaps);
    for (const { finding, center, value, low, high, natural, auroc } of done) {
      for (const place of this.places.get(finding + " " + (center ?? "")) ?? []) {
        const { cell } = place;
        if (!cell.positives && !cell.negatives) cell.shift = { ...cell.shift, difference: value, low, high, known: true };
        else {
          Object.assign(cell.precision, { value, low, high, natural: natural && { ...natural, known: true }, known: true });
          Object.assign(cell.auroc, auroc ?? { value: null, low: null, high: null }, { known: true });
        }
        this.fill(place);
      }
    }
    this.box.querySelector(".panel-details").replaceWith(this.legend()); // of many films natural figures come with these
    if (!complete) this.later(() => this.more());
  }

  learnGaps(gaps) {
    const lines = new Map(this.table.lines.map((line) => [line.word, line]));
    for (const { finding, gaps: known } of gaps) {
      const line = lines.get(finding);
      if (!line?.gaps) continue;
      for (const [measure, gap] of Object.entries(known)) line.gaps[measure] = { ...gap, known: true };
      const place = [...this.box.querySelectorAll("td[data-gap]")].find((each) => each.dataset.gap === finding);
      place?.replaceWith(this.gap(line));
    }
  }

  async more() {
    const isLatest = latest(() => this.turn);
    const answer = await this.explore.ask("cell_intervals");
    if (!isLatest() || !answer) return;
    if (answer.stage === "refused") return this.box.append(notice(answer.title, answer.detail));
    this.table.done = answer.done;
    this.table.gaps = answer.gaps;
    this.table.complete = answer.complete;
    this.learn(answer);
  }

  legend() {
    const { thresholds, few, centers } = this.table;
    const lines = [
      "Thresholds: " + thresholds + ".",
      "95 % intervals: of rates by Wilson, films taken as independent; of AP and AUROC by resampling whole patients. Blue: chance, which is the prevalence for AP and 0.50 for AUROC.",
      "Gray: fewer than " + few + " films to count.",
    ];
    if (this.table.lines.some(({ pooled }) => pooled.precision.natural !== null)) lines.push("Natural: " + NATURAL + " Its interval is of the same resamples.");
    if (this.gaps) lines.push(aboutGaps(this.table, this.measure));
    for (const [origin, meaning] of new Map(centers.map((center) => [center.origin, center.meaning]))) if (origin) lines.push(upperFirst(origin) + ": " + meaning + ".");
    return details(lines);
  }
}
