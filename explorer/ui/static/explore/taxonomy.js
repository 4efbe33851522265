// The table of findings under another list of labels: its names and order, findings related to a label, and the
// crosswalk.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { NO_FIGURE, countText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { bindFold } from "./cell_columns.js";
import { makeColumnHeading, makeNotice } from "./panel_base.js";

const SAME = "same", RELATED = "related", OTHER = "other";
// By the visitor, kept from one drawing of the table to the next.
let crosswalkOpen = false; // the crosswalk
let choiceOpen = false; // the choice of a taxonomy

export class Taxonomy {
  // `panel`: the table of findings.
  constructor(panel) {
    this.panel = panel;
    this.answer = null; // the server's answer for `key`
    this.key = "";
  }

  get taxonomyWord() {
    return this.panel.explore.state.taxonomy ?? null;
  }

  // The chosen taxonomy, if known; requests it if not.
  lookUp() {
    const { cohort, model } = this.panel.explore.state;
    const key = [cohort, model, this.taxonomyWord].join(" ");
    if (key === this.key) return;
    this.key = key;
    this.answer = null;
    if (this.taxonomyWord) this.ask();
  }

  async ask() {
    const isLatest = watchLatest(() => this.key);
    const answer = await this.panel.explore.ask("crosswalk");
    if (!isLatest()) return;
    if (!answer) return void (this.key = ""); // other films are shown: requested again with them
    this.answer = answer;
    if (this.panel.answer) this.panel.redraw(this.panel.answer);
  }

  // null while findings are in the cohort's own order
  get knownFindings() {
    return this.answer?.stage === "crosswalk" ? new Map(this.answer.findings.map((each) => [each.word, each])) : null;
  }

  // Most visitors use the cohort's findings: the choice is folded, and its summary names it.
  makeChoice(taxonomies) {
    const box = make("details", "cells-columns");
    const chosen = taxonomies.find(({ word }) => word === this.taxonomyWord);
    const summary = make("summary", "", "Taxonomy" + (chosen ? ": " + chosen.name : ""));
    summary.dataset.key = "taxonomy fold";
    box.open = choiceOpen;
    bindFold(box, (isOpen) => (choiceOpen = isOpen));
    const list = make("div", "cells-columns-list");
    list.append(this.makeSelect(taxonomies));
    box.append(summary, list);
    return box;
  }

  makeSelect(taxonomies) {
    const label = make("label", "cells-taxonomy muted small");
    const select = make("select", "");
    for (const { word, name } of [{ word: "", name: "as in the cohort" }, ...taxonomies]) select.append(new Option(name, word, false, word === (this.taxonomyWord ?? "")));
    select.dataset.key = "taxonomy";
    select.addEventListener("change", () => this.panel.setAndRedraw({ taxonomy: select.value || null }));
    label.append(make("span", "", "Names and order of"), " ", select);
    return label;
  }

  orderedLines(lines) {
    const places = new Map([...this.knownFindings.keys()].map((word, place) => [word, place]));
    return lines.sort((one, other) => places.get(one.word) - places.get(other.word));
  }

  bandOf({ word }) {
    const { label, related } = this.knownFindings.get(word) ?? { related: [] };
    return label ? SAME : related.length ? RELATED : OTHER;
  }

  bandTitle(band) {
    const { taxonomy } = this.answer;
    return { [SAME]: taxonomy, [RELATED]: "Related to a label of " + taxonomy, [OTHER]: "Not in " + taxonomy }[band];
  }

  // A finding's name in the taxonomy's spelling, and below it the cohort's name or its relations.
  makeName(line) {
    const known = this.knownFindings?.get(line.word);
    const name = make("span", "cells-name", known?.label ?? line.finding);
    if (known?.facts) Object.assign(name, { title: known.facts, className: "cells-name term" });
    if (!known) return [name];
    const under = known.label ? (known.label === line.finding ? [] : [line.finding]) : known.related;
    return [name, ...under.map((words) => make("span", "cells-tail muted small", words))];
  }

  // All labels and findings with their relations, folded; or a refusal.
  makeCrosswalk() {
    if (!this.taxonomyWord || !this.answer) return [];
    if (this.answer.stage !== "crosswalk") return [makeNotice(this.answer.title, this.answer.detail)];
    const { taxonomy, lines } = this.answer;
    const box = make("details", "crosswalk");
    box.open = crosswalkOpen;
    box.addEventListener("toggle", () => (crosswalkOpen = box.open));
    const none = new Set(lines.filter(({ label, finding }) => label && !finding).map(({ label }) => label)).size;
    const summary = make("summary", "", "Crosswalk of " + taxonomy + " and these findings");
    summary.dataset.key = "crosswalk";
    if (none) summary.append(make("span", "panel-count muted small", ": " + countText(none, "label") + " without any"));
    const scroll = make("div", "crosswalk-scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", summary.textContent);
    scroll.append(this.makeGrid(lines));
    const read = "A line reads from left to right: the label is broader or narrower than the finding, or the same. Only identical findings share groups and comparisons.";
    box.append(summary, make("p", "panel-plain", read), scroll, this.panel.makeButton("CSV", "crosswalk csv", () => this.save()));
    return [box];
  }

  makeGrid(lines) {
    const grid = make("table", "crosswalk-lines small");
    const head = make("tr", "");
    for (const title of ["Label of " + this.answer.taxonomy, "is", "Finding here", "Stated by"]) head.append(makeColumnHeading(title, ""));
    const body = make("tbody", "");
    for (const [at, line] of lines.entries()) body.append(makeCrosswalkRow(line, lines[at - 1]?.label === line.label));
    grid.append(make("thead", ""), body);
    grid.firstElementChild.append(head);
    return grid;
  }

  async save() {
    const answer = await this.panel.explore.ask("crosswalk_file");
    if (answer?.stage !== "export") return;
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
  }
}

// `again`: the last line is of the same label, and has its facts.
function makeCrosswalkRow({ label, task, facts, relation, finding, stated_by, source }, again) {
  const line = make("tr", relation ? "" : "crosswalk-none");
  const name = make("th", "", label ?? NO_FIGURE);
  name.scope = "row";
  if (facts && !again) name.append(make("span", "cells-tail muted small", facts));
  if (task === "unseen" && !again) name.append(make("span", "cells-tail muted small", "unseen in training"));
  const cells = [relation ?? (label ? "related to none here" : "in no label"), finding ?? NO_FIGURE, stated_by];
  line.append(name, ...cells.map((text) => make("td", "", text)));
  if (source) line.lastElementChild.append(make("span", "cells-tail muted small", source));
  return line;
}
