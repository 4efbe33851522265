// The findings x centers table: rates at the threshold, average precision and AUROC against chance, score shift without labels.

import { make } from "../shared/elements.js";
import { countText, wholeText } from "../shared/figures.js";
import { hiddenColumns, makeColumnChooser, makeScrollNote, shownRateColumns, showsDifference } from "./cell_columns.js";
import { makeCellHeader } from "./cell_header.js";
import { makeTabStop, moveByKey } from "./cell_keys.js";
import { legendLines, tableWords } from "./cell_notes.js";
import { comparatorsFor } from "./cell_order.js";
import { makeCellParts, makeGapCell } from "./cell_words.js";
import { Taxonomy } from "./taxonomy.js";
import { ExplorePanel, MEASURES, MEASURE_WORDS, groupTitle, makeColumnHeading, makeCountedSentence, makeDetails, makeNotice, makePanelChoice, makePlainWords } from "./panel_base.js";

const UNSEEN = "unseen";
const frequencyBand = ({ group, unseen }) => (unseen ? UNSEEN : group);

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
    this.taxonomy.lookUp();
    this.places = new Map(); // by finding and center: where its figures go
    const { sort, measure } = this.explore.state;
    this.measure = MEASURE_WORDS[measure] ? measure : "sensitivity";
    this.sorts = comparatorsFor(this.measure);
    this.sort = this.sorts[sort] ? sort : null;
    this.several = table.centers.length > 1;
    this.gaps = table.between.length > 0; // else there are no rates to compare
    this.without = hiddenColumns(this.explore.state); // columns
    const scroll = make("div", "cells-scroll");
    scroll.append(this.makeGrid());
    const left = this.box.querySelector(".cells-scroll")?.scrollLeft ?? 0;
    this.box.replaceChildren(this.makeHead(), makePlainWords(tableWords(this.wordsContext)), makeScrollNote(scroll), scroll, ...this.makeUnlabeledFold(), ...this.taxonomy.makeCrosswalk(), this.makeLegend());
    scroll.scrollLeft = left;
    const start = this.box.querySelector(".cell[aria-pressed=true]") ?? this.box.querySelector(".cell");
    if (start) makeTabStop(this.box, start);
    this.fillIntervals(table);
  }

  // The state of the table that its other modules need.
  get display() {
    const { table, measure, several, gaps, sort, without } = this;
    return { table, measure, several, gaps, sort, without };
  }

  // The note is about the shown columns.
  get wordsContext() {
    return { ...this.display, gaps: showsDifference(this.display) };
  }

  makeHead() {
    const head = make("header", "panel-head-line flex-row flex-wraps");
    const tools = make("div", "cells-tools");
    const columns = makeColumnChooser(this.display, (without) => this.setAndRedraw({ without }));
    if (this.several) tools.append(makePanelChoice("Measure", MEASURES, this.measure, (measure) => this.setAndRedraw({ measure })));
    tools.append(this.taxonomy.makeChoice(this.table.taxonomies));
    if (columns) tools.append(columns);
    head.append(makeCountedSentence(this.table), tools);
    return head;
  }

  setAndRedraw(changes) {
    this.explore.change(changes, { keep: true });
  }

  makeGrid() {
    const grid = make("table", "cells" + (this.several ? " several" : ""));
    grid.setAttribute("role", "grid");
    grid.setAttribute("aria-label", "Findings and centers: " + this.table.sentence);
    const body = make("tbody", "");
    let band;
    for (const line of this.orderedLines()) {
      if (!this.sort && this.bandOf(line) !== band) body.append(this.makeBandHeading((band = this.bandOf(line))));
      body.append(this.makeRow(line));
    }
    grid.append(makeCellHeader(this.display), body);
    grid.addEventListener("keydown", (event) => moveByKey(this.box, event));
    grid.addEventListener("click", (event) => this.click(event.target.closest("button")));
    return grid;
  }

  orderedLines() {
    const lines = this.table.lines.filter((line) => !this.isFolded(line));
    if (this.sort) return lines.sort(this.sorts[this.sort]);
    return this.taxonomy.knownFindings ? this.taxonomy.orderedLines(lines) : lines;
  }

  // Under a taxonomy findings are grouped by its labels, else by frequency.
  bandOf(line) {
    return this.taxonomy.knownFindings ? this.taxonomy.bandOf(line) : frequencyBand(line);
  }

  // An image-text model also scores findings that no film of the cohort is labeled for.
  isFolded({ word, pooled: { positives, negatives } }) {
    const { lines } = this.table;
    const hasLabels = lines.some(({ pooled }) => pooled.positives || pooled.negatives);
    return hasLabels && !positives && !negatives && word !== this.explore.state.finding;
  }

  makeUnlabeledFold() {
    const lines = this.table.lines.filter((line) => this.isFolded(line));
    if (!lines.length) return [];
    const fold = make("details", "cells-unlabelled muted");
    fold.append(make("summary", "", countText(lines.length, "finding") + " without a label here: no rates"));
    for (const { finding, word } of lines) {
      const button = make("button", "panel-link", finding);
      button.type = "button";
      button.addEventListener("click", () => this.toggle({ finding: word }));
      fold.append(button);
    }
    return [fold];
  }

  makeBandHeading(band) {
    const row = make("tr", "cells-group");
    const cell = makeColumnHeading("", "");
    const under = this.taxonomy.knownFindings !== null;
    const title = under ? this.taxonomy.bandTitle(band) : groupTitle(band);
    const name = make("span", "cells-band", title); // stays in place while the table scrolls
    cell.scope = "rowgroup";
    if (band !== UNSEEN && !under) name.append(make("span", "cells-source muted", " by " + this.table.source));
    cell.append(name);
    cell.colSpan = (!this.gaps ? 3 : 1 + Number(showsDifference(this.display))) + shownRateColumns(this.display).length; // finding, n+ and n-, or finding and difference
    row.append(cell);
    return row;
  }

  makeRow(line) {
    const row = make("tr", "cells-line");
    row.dataset.finding = line.word;
    if (this.explore.state.finding === line.word) row.classList.add("chosen");
    const name = make("th", "cells-finding");
    name.scope = "row";
    const button = this.makeCellButton(line, null, line.finding + " at all centers");
    button.append(...this.taxonomy.makeName(line));
    if (this.sort) button.append(make("span", "cells-tail muted small", groupTitle(frequencyBand(line))));
    name.append(button);
    const { positives, negatives } = line.pooled;
    if (this.gaps) name.append(make("span", "cells-count", wholeText(positives)));
    if (this.gaps) row.append(name, ...(showsDifference(this.display) ? [this.makeGap(line)] : []));
    else row.append(name, make("td", "cells-count", wholeText(positives)), make("td", "cells-count cells-negatives", wholeText(negatives)));
    for (const each of shownRateColumns(this.display)) row.append(this.makeCell(line, each));
    return row;
  }

  makeGap(line) {
    const cell = makeGapCell(line.gaps, this.measure, this.table.between.length > 2);
    cell.dataset.gap = line.word;
    return cell;
  }

  makeCellButton(line, center, label) {
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

  makeCell(line, { measure, at }) {
    const cell = at === null ? line.pooled : line.cells[at];
    const place = at === null ? "all labeled centers" : this.table.centers[at].name;
    const button = this.makeCellButton(line, cell.center, "");
    button.dataset.measure = measure;
    button.dataset.key += " " + measure;
    const cellPlace = { cell, button, measure, name: line.finding + ", " + place + ": " };
    const key = line.word + " " + (cell.center ?? "");
    this.places.set(key, [...(this.places.get(key) ?? []), cellPlace]);
    this.fillCell(cellPlace);
    const box = make("td", "cells-rate");
    box.append(button);
    return box;
  }

  fillCell({ cell, button, measure, name }) {
    const { parts, spoken, few } = makeCellParts(cell, measure, this.table);
    button.replaceChildren(...parts);
    if (!this.several) button.querySelector(".cell-under .cell-n")?.remove(); // n+ and n- have columns of their own
    button.title = spoken;
    button.classList.toggle("few", Boolean(few));
    button.setAttribute("aria-label", name + spoken);
  }

  click(button) {
    if (!button) return;
    if (button.dataset.sort) return this.setAndRedraw({ sort: this.sort === button.dataset.sort ? null : button.dataset.sort });
    this.toggle({ finding: button.dataset.finding, center: button.dataset.center || null });
  }

  // Fill in intervals that have arrived, in place of "computing".
  fillIntervals({ done, gaps }) {
    this.fillGaps(gaps);
    for (const { finding, center, value, low, high, natural, auroc } of done) {
      for (const place of this.places.get(finding + " " + (center ?? "")) ?? []) {
        const { cell } = place;
        if (!cell.positives && !cell.negatives) cell.shift = { ...cell.shift, difference: value, low, high, known: true };
        else {
          Object.assign(cell.precision, { value, low, high, natural: natural && { ...natural, known: true }, known: true });
          Object.assign(cell.auroc, auroc ?? { value: null, low: null, high: null }, { known: true });
        }
        this.fillCell(place);
      }
    }
    // with many films, natural figures arrive with these
    this.box.querySelector(".panel-details").replaceWith(this.makeLegend());
  }

  fillGaps(gaps) {
    const lines = new Map(this.table.lines.map((line) => [line.word, line]));
    for (const { finding, gaps: knownGaps } of gaps) {
      const line = lines.get(finding);
      if (!line?.gaps) continue;
      for (const [measure, gap] of Object.entries(knownGaps)) line.gaps[measure] = { ...gap, known: true };
      const place = [...this.box.querySelectorAll("td[data-gap]")].find((each) => each.dataset.gap === finding);
      place?.replaceWith(this.makeGap(line));
    }
  }

  // Rates are complete from the start.
  /** @override */
  get isComputing() {
    const showsPrecision = !this.several || this.measure === "precision";
    return !this.table.complete && (showsPrecision || Boolean(this.box.querySelector(".computing")));
  }

  /** @override */
  async poll() {
    const { table } = this;
    const known = [...new Set(table.done.map(({ finding }) => finding))];
    const answer = await this.askForMore("cell_intervals", { known });
    if (!answer) return;
    table.done.push(...answer.done);
    table.gaps.push(...answer.gaps);
    table.complete = answer.complete;
    this.fillIntervals(answer);
    this.pollWhileComputing();
  }

  // The rates are still right.
  /** @override */
  showFailure({ title, detail }) {
    this.again.stop();
    this.box.append(makeNotice(title, detail));
  }

  makeLegend() {
    return makeDetails(legendLines(this.wordsContext));
  }
}
