// Every model's scores against its thresholds: the slice's finding first, then by outcome, as in the list of Read.

import { make } from "../shared/elements.js";
import { NO_FIGURE, countText } from "../shared/figures.js";
import { STATE_WORDS, shortListText } from "../shared/finding_words.js";
import { markTerm } from "../shared/glossary.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { makeScoreBar } from "../shared/score_bar.js";
import { modelValueText, rowForBar, thresholdDistanceText, unitTitle } from "./margins.js";

const OUTCOME_GROUPS = [
  { title: "Missed", outcome: "miss", open: true },
  { title: "False alarm", outcome: "false alarm", open: true },
  { title: "Hit", outcome: "hit", open: true },
  { title: "No outcome", outcome: null, open: true },
  { title: "Correct rejection", outcome: "correct rejection", open: false },
];

export class CaseRows {
  constructor(section, { choose, askOthers }) {
    this.section = section;
    this.choose = choose;
    this.askOthers = askOthers;
    this.folds = {}; // by title: folds that the visitor opened or closed
    this.clear();
  }

  clear() {
    this.section.replaceChildren();
    this.otherModels = null;
    this.buttons = new Map(); // by finding, in list order
    this.rowsArrived = () => {}; // called when rows have arrived
  }

  /** @param {ui.explore.case_payload.FactsPayload} facts */
  show({ title: model, thresholds, split, groups, rows, other_models: otherModels, finding, in_slice: inSlice }) {
    this.clear();
    const first = rows.filter((row) => row.finding === finding);
    this.section.append(make("h3", "", unitTitle(rows[0]?.unit) + model));
    const [head] = first.length ? [inSlice ? "In this slice" : "Not in this slice"] : [];
    if (head) this.section.append(this.makeList(head, "", first, true));
    for (const { title, outcome, open } of OUTCOME_GROUPS) {
      const members = rows.filter((row) => row.outcome === outcome && row.finding !== finding);
      if (members.length) this.section.append(this.makeList(title, " (" + members.length + ")", members, open));
    }
    if (otherModels) this.section.append(this.makeOtherModels(otherModels));
    this.section.append(makeFactList([["Scores", split], ["Thresholds", thresholds], ["Groups", groups]]));
  }

  // Their scores are requested when the fold is opened.
  makeOtherModels(n) {
    const title = countText(n, "other model");
    const fold = (this.otherModels = this.makeFold(title, false));
    const head = make("summary", "case-fold-head");
    head.append(make("span", "case-fold-title", title));
    fold.append(head, make("div", "case-other-models"));
    fold.addEventListener("toggle", () => fold.open && this.askOthers());
    return fold;
  }

  /** @param {ui.explore.case_payload.OtherModelsPayload | ui.shared.refusals.RefusedPayload} answer */
  showOthers(answer) {
    const place = this.otherModels?.querySelector(".case-other-models");
    if (!place || place.childElementCount) return;
    if (answer.stage !== "others") return place.replaceChildren(make("p", "muted", answer.title));
    const lists = answer.models.map(({ title, rows }) => this.makeList(unitTitle(rows[0].unit) + title, "", rows, false, true));
    place.replaceChildren(...lists, ...answer.notes.map((note) => make("p", "muted small", note)));
    this.rowsArrived();
  }

  makeFold(title, open) {
    const fold = make("details", "case-fold");
    fold.open = this.folds[title] ?? open;
    fold.addEventListener("toggle", () => (this.folds[title] = fold.open));
    return fold;
  }

  makeList(title, count, rows, open, still = false) {
    const fold = this.makeFold(title, open);
    fold.dataset.unit = rows[0].unit;
    const head = make("summary", "case-fold-head");
    head.append(make("span", "case-fold-title", title + count));
    if (!this.section.querySelector("details")) head.append(make("span", "", rows[0].unit), make("span", "", rows[0].unit === "margin" ? "distance" : "margin"));
    fold.append(head);
    if (still && !fold.open) this.makeRowsWhenOpened(fold, rows);
    else fold.append(...rows.map((row) => (still ? this.makeRowLine(row) : this.makeRowButton(row))));
    return fold;
  }

  // Rows of other models, which can be dozens, are made when first opened: ten elements each.
  makeRowsWhenOpened(fold, rows) {
    const come = () => {
      fold.append(...rows.map((row) => this.makeRowLine(row)));
      this.rowsArrived();
    };
    fold.addEventListener("toggle", come, { once: true });
  }

  /** @param {ui.explore.case_payload.ScoreRowPayload} row */
  makeRowButton(row) {
    const button = make("button", "case-row");
    button.type = "button";
    button.addEventListener("click", () => this.choose(row.finding));
    this.buttons.set(row.finding, button);
    return this.fillRow(button, row);
  }

  // A model without maps here: its rows can be read, not chosen.
  makeRowLine(row) {
    return this.fillRow(make("p", "case-row"), row);
  }

  fillRow(part, row) {
    Object.assign(part.dataset, { finding: row.finding, outcome: row.outcome ?? "none" });
    part.append(makeOutcomeBadge(row.outcome), makeNameCell(row), makeScoreBar(rowForBar(row)));
    part.append(make("span", "case-row-score", modelValueText(row.score, row)), make("span", "case-row-margin muted", row.margin === null ? NO_FIGURE : thresholdDistanceText(row.margin, row)));
    return part;
  }

  mark(finding) {
    const follow = this.section.contains(document.activeElement);
    this.chosen = finding;
    for (const [name, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(name === finding));
      button.tabIndex = name === finding ? 0 : -1;
    }
    const button = this.buttons.get(finding);
    if (!button) return;
    button.closest("details").open = true;
    if (follow) button.focus({ preventScroll: true });
  }

  neighbor(delta) {
    const names = [...this.buttons.keys()];
    return names[Math.min(names.length - 1, Math.max(0, names.indexOf(this.chosen) + delta))];
  }
}

// A frequency beside a finding's name would read as its severity: it is in the title. The note below the name is
// about the outcome: the model cannot judge the finding, a related finding makes it half right, or why there is no
// outcome.
/** @param {ui.explore.case_payload.ScoreRowPayload} row */
function makeNameCell(row) {
  const name = make("span", "case-row-name", row.finding);
  if (row.group) name.title = "frequency: " + row.group + (row.group_source ? " by " + row.group_source : "");
  if (row.cannot_judge) name.append(markTerm(make("span", "case-row-note muted small", STATE_WORDS["cannot judge"]), STATE_WORDS["cannot judge"], true));
  const note = row.explained.length ? (row.outcome === "miss" ? "called " : "labeled ") + shortListText(row.explained, 2) : row.outcome ? "" : noOutcomeWords(row);
  if (note) name.append(make("span", "case-row-note muted small", note));
  return name;
}

function noOutcomeWords({ label, threshold }) {
  return label === "unknown" ? "no label" : label === "uncertain" ? "label uncertain" : threshold === null ? label + ", no threshold" : label;
}

/** @param {[string, string][]} pairs */
export function makeFactList(pairs) {
  const list = make("dl", "case-list");
  for (const [name, words] of pairs) if (words) list.append(make("dt", "", name), make("dd", "", words));
  return list;
}
