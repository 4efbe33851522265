// The findings x centers table: rates at the threshold, average precision and AUROC against chance, score shift without labels.

import { make } from "../shared/elements.js";
import { plural, whole } from "../shared/figures.js";
import { latest } from "../shared/latest.js";
import { columnChooser, hasGap, rateColumns, watchWidth, withoutOf } from "./cell_columns.js";
import { cellHeader } from "./cell_header.js";
import { moveByKey, takeTab } from "./cell_keys.js";
import { legendLines, plainWords } from "./cell_notes.js";
import { sortsOf } from "./cell_order.js";
import { gapCell, words } from "./cell_words.js";
import { Taxonomy } from "./taxonomy.js";
import { ExplorePanel, MEASURES, MEASURE_WORDS, choice, column, details, groupTitle, notice, plain, said } from "./panel_base.js";

const UNSEEN = "unseen";
const bandOf = ({ group, unseen }) => (unseen ? UNSEEN : group);

export class CellTable extends ExplorePanel {
  /** @override */
  question = "cell_table";
  taxonomy = new Taxonomy(this);

  /**
   * @override
   * @param {ui.explore.panel_calls.TablePanelPayload} table
   */
  draw(table) {
    this.table = table;
    this.taxonomy.look();
    this.places = new Map(); // by finding and center: where its figures stand
    const { sort, measure } = this.explore.state;
    this.measure = MEASURE_WORDS[measure] ? measure : "sensitivity";
    this.sorts = sortsOf(this.measure);
    this.sort = this.sorts[sort] ? sort : null;
    this.several = table.centers.length > 1;
    this.gaps = table.between.length > 0; // else there are no rates to compare
    this.without = withoutOf(this.explore.state); // columns
    const scroll = make("div", "cells-scroll");
    scroll.append(this.grid());
    const left = this.box.querySelector(".cells-scroll")?.scrollLeft ?? 0;
    this.box.replaceChildren(this.head(), plain(plainWords(this.words)), watchWidth(scroll), scroll, ...this.unlabelled(), ...this.taxonomy.crosswalk(), this.legend());
    scroll.scrollLeft = left;
    const start = this.box.querySelector(".cell[aria-pressed=true]") ?? this.box.querySelector(".cell");
    if (start) takeTab(this.box, start);
    this.learn(table);
  }

  // The state of the table that its other modules need.
  get shown() {
    const { table, measure, several, gaps, sort, without } = this;
    return { table, measure, several, gaps, sort, without };
  }

  // The note is about the shown columns.
  get words() {
    return { ...this.shown, gaps: hasGap(this.shown) };
  }

  head() {
    const head = make("header", "panel-head-line");
    const tools = make("div", "cells-tools");
    const columns = columnChooser(this.shown, (without) => this.set({ without }));
    if (this.several) tools.append(choice("Measure", MEASURES, this.measure, (measure) => this.set({ measure })));
    tools.append(this.taxonomy.choice(this.table.taxonomies));
    if (columns) tools.append(columns);
    head.append(said(this.table), tools);
    return head;
  }

  set(changes) {
    this.explore.change(changes, { keep: true });
  }

  grid() {
    const grid = make("table", "cells" + (this.several ? " several" : ""));
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", "Findings and centers: " + this.table.sentence);
    const body = make("tbody", "");
    let band;
    for (const line of this.ordered()) {
      if (!this.sort && this.bandOf(line) !== band) body.append(this.heading((band = this.bandOf(line))));
      body.append(this.row(line));
    }
    grid.append(cellHeader(this.shown), body);
    grid.addEventListener("keydown", (event) => moveByKey(this.box, event));
    grid.addEventListener("click", (event) => this.click(event.target.closest("button")));
    return grid;
  }

  ordered() {
    const lines = this.table.lines.filter((line) => !this.isFolded(line));
    if (this.sort) return lines.sort(this.sorts[this.sort]);
    return this.taxonomy.findings ? this.taxonomy.ordered(lines) : lines;
  }

  // Under a taxonomy findings are grouped by its labels, else by frequency.
  bandOf(line) {
    return this.taxonomy.findings ? this.taxonomy.bandOf(line) : bandOf(line);
  }

  // An image-text model also scores findings that no film of the cohort is labeled for.
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

  heading(band) {
    const row = make("tr", "cells-group");
    const cell = column("", "");
    const under = this.taxonomy.findings !== null;
    const title = under ? this.taxonomy.bandTitle(band) : groupTitle(band);
    const name = make("span", "cells-band", title); // stays in place while the table scrolls
    cell.scope = "rowgroup";
    if (band !== UNSEEN && !under) name.append(make("span", "cells-source", " by " + this.table.source));
    cell.append(name);
    cell.colSpan = (!this.gaps ? 3 : 1 + Number(hasGap(this.shown))) + rateColumns(this.shown).length; // finding, n+ and n-, or finding and difference
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
    button.append(...this.taxonomy.name(line));
    if (this.sort) button.append(make("span", "cells-tail", groupTitle(bandOf(line))));
    name.append(button);
    const { positives, negatives } = line.pooled;
    if (this.gaps) name.append(make("span", "cells-count", whole(positives)));
    if (this.gaps) row.append(name, ...(hasGap(this.shown) ? [this.gap(line)] : []));
    else row.append(name, make("td", "cells-count", whole(positives)), make("td", "cells-count cells-negatives", whole(negatives)));
    for (const each of rateColumns(this.shown)) row.append(this.cell(line, each));
    return row;
  }

  gap(line) {
    const cell = gapCell(line.gaps, this.measure, this.table.between.length > 2);
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

  // Fill in intervals that have come, in place of "computing".
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
    this.box.querySelector(".panel-details").replaceWith(this.legend()); // with many films, natural figures come with these
    if (!complete) this.later();
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

  /** @override */
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
    return details(legendLines(this.words));
  }
}
