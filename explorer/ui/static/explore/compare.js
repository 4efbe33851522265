// Slices side by side: the displayed slice against each pinned one.

import { make } from "../shared/elements.js";
import { countText, earnedDigits, intervalOrReason, markIntervalBeside, wholeText } from "../shared/figures.js";
import { shortListText } from "../shared/finding_words.js";
import { MOST_PINNED, pinChanges, pinnedSlices, sliceWords } from "./address.js";
import { makeScrollNote } from "./cell_columns.js";
import { FEW_FILMS, makeSecondFigure } from "./cell_words.js";
import { ExplorePanel, PREVALENCE_DIFFERS, chanceText, estimateFigureText, estimateIntervalText, makeColumnHeading, makeCountedSentence, makeDetails, makeDifferenceParts, makeNotice, makePanelChoice, makePlainWords, makeTrack, upperFirst } from "./panel_base.js";

// By the address word: the name of the choice, and the measure as the server names it.
const COMPARED_MEASURES = {
  sensitivity: ["Sensitivity", "sensitivity"],
  specificity: ["Specificity", "specificity"],
  f1: ["F1", "F1"],
  precision: ["AP", "average precision"],
  auroc: ["AUROC", "AUROC"],
  ece: ["ECE", "ECE"],
};
const DEPENDING_ON_PREVALENCE = ["f1", "precision", "ece"]; // they change with it even if the model does not
const RATES = ["sensitivity", "specificity"]; // their intervals come at once
const SORT_CYCLE = [null, "descending", "ascending"]; // the next one with each press

export class Compare extends ExplorePanel {
  /** @override */
  question = "two_slices";
  /**
   * @override
   * @param {ui.explore.panel_calls.ComparePanelPayload | ui.explore.panel_calls.NothingPinnedPayload} answer
   */
  draw(answer) {
    if (answer.stage === "nothing pinned") return this.showInvitation(answer);
    const { measure } = this;
    const head = make("header", "panel-head-line flex-row flex-wraps");
    const measures = Object.entries(COMPARED_MEASURES).map(([word, [name]]) => [word, name]);
    head.append(makePanelChoice("Measure", measures, measure, (each) => this.explore.change({ measure: each }, { keep: true })));
    const against = answer.against.map((each) => ({ ...each, pairs: each.pairs.filter((pair) => pair.measure === COMPARED_MEASURES[measure][1]), aurocs: measure === "precision" ? each.pairs.filter((pair) => pair.measure === "AUROC") : [] }));
    const notes = against.map((each, at) => makePlainWords(pinnedName(against, at, "Against ", ": ") + this.differingWords(each)));
    const table = this.makeTable(against, measure);
    const left = this.box.querySelector(".cells-scroll")?.scrollLeft ?? 0;
    this.box.replaceChildren(this.makeSides(answer), head, ...notes, makeScrollNote(table, "scroll the table."), table, this.makeNotes(against, measure));
    table.scrollLeft = left;
  }

  // The word of the measure that is shown.
  get measure() {
    const { measure } = this.explore.state;
    return COMPARED_MEASURES[measure] ? measure : "sensitivity";
  }

  // Of few films, the rates are known at once.
  /** @override */
  get isComputing() {
    const [, measure] = COMPARED_MEASURES[this.measure];
    return this.eachPair.some((pair) => pair.measure === measure && !pair.known);
  }

  get eachPair() {
    return (this.answer.against ?? []).flatMap(({ pairs }) => pairs);
  }

  /** @override */
  async poll() {
    const missing = new Set(this.eachPair.filter((pair) => !pair.known).map(({ word }) => word));
    const known = [...new Set(this.eachPair.map(({ word }) => word))].filter((word) => !missing.has(word));
    const answer = await this.askForMore("compared_intervals", { known });
    if (!answer) return;
    const isNew = answer.against.some((pairs) => pairs.length);
    answer.against.forEach((pairs, at) => updatePairs(this.answer.against[at].pairs, pairs));
    if (isNew) this.redraw(this.answer);
  }

  showInvitation(answer) {
    const pin = this.makeButton("Pin this slice", "pin", () => this.pin([this.currentSlice()]));
    const words = "Pin it, then change a filter: sex, view, center, model. Both stand side by side, with their differences. Up to " + MOST_PINNED + " can be pinned.";
    this.box.replaceChildren(makeCountedSentence(answer), makeNotice("No slice is pinned", words, pin));
  }

  // The displayed slice in the words of an address.
  currentSlice() {
    return new URLSearchParams(sliceWords(this.explore.state)).toString();
  }

  pin(slices) {
    this.explore.change(pinChanges(slices), { keep: true });
  }

  makeSides({ sentences, over: countSentences, against }) {
    const pinned = pinnedSlices(this.explore.state);
    const sides = make("div", "sides");
    const buttons = [this.makeButton("Pin this one instead", "pin", () => this.pin([this.currentSlice()]))];
    if (pinned.length < MOST_PINNED) buttons.unshift(this.makeButton("Pin this one too", "pin too", () => this.pin([...pinned, this.currentSlice()])));
    sides.append(this.makeSide("Now", [sentences[0], countSentences[0]], against[0].counts[0], against[0].films[0], buttons));
    against.forEach(({ counts, films, shared }, at) => {
      const ownButtons = [
        this.makeButton("Swap", "swap " + at, () => this.swap(at)),
        this.makeButton("Unpin", "unpin " + at, () => this.pin(pinned.filter((_, other) => other !== at))),
      ];
      const side = this.makeSide(pinnedName(against, at), [sentences[at + 1], countSentences[at + 1]], counts[1], films[1], ownButtons);
      side.insertBefore(make("p", "side-shared muted small", sharedFilmsWords(shared)), side.lastChild);
      sides.append(side);
    });
    return sides;
  }

  makeSide(title, [sentence, countWords], count, films, buttons) {
    const side = make("section", "side");
    side.append(make("h2", "side-title", title), make("p", "side-sentence", sentence));
    side.append(make("p", "panel-count muted small", countText(count.pairs, "pair") + ", " + countText(count.films, "film")));
    if (countWords !== sentence) side.append(make("p", "side-over muted small", "Rates are counted over " + lowerFirst(countWords) + ": " + countText(films, "film") + "."));
    const row = make("p", "side-ways");
    row.append(...buttons);
    side.append(row);
    return side;
  }

  swap(at) {
    const pinned = pinnedSlices(this.explore.state);
    const pinnedWords = Object.fromEntries(new URLSearchParams(pinned[at]));
    const wordsToRemove = Object.fromEntries(sliceWords(this.explore.state).map(([name]) => [name, null]));
    this.explore.change({ ...wordsToRemove, ...pinnedWords, ...pinChanges(pinned.with(at, this.currentSlice())) });
  }

  makeTable(against, measure) {
    const table = make("table", "numbers-table compared");
    table.append(make("caption", "", upperFirst(COMPARED_MEASURES[measure][1]) + "; the difference is now minus pinned"));
    const head = make("tr", "");
    head.append(makeColumnHeading("Finding", ""), makeColumnHeading("Now", ""));
    against.forEach((_, at) => head.append(makeColumnHeading(pinnedName(against, at), ""), this.makeSortHeading("Difference" + numberedTitle(against, at) + " [95 %]", at)));
    const top = make("thead", "");
    top.append(head);
    const body = make("tbody", "");
    for (const { finding, word } of this.orderedFindings(against)) body.append(this.makeRow(finding, word, against));
    table.append(top, body);
    const scroll = make("div", "cells-scroll");
    scroll.append(table);
    return scroll;
  }

  // The findings head to tail, or sorted by one difference; findings without one come last.
  orderedFindings(against) {
    const every = new Map(against.flatMap(({ pairs }) => pairs.map((pair) => [pair.word, pair])));
    const [at, order] = this.currentSort();
    if (!order || !against[at]) return [...every.values()];
    const differences = new Map(against[at].pairs.map(({ word, difference }) => [word, difference.value]));
    const rank = ({ word }) => (differences.get(word) ?? null) === null ? Infinity : differences.get(word) * (order === "ascending" ? 1 : -1);
    return [...every.values()].sort((one, other) => rank(one) - rank(other) || one.finding.localeCompare(other.finding));
  }

  // Which difference sorts the findings, and how: as in `sort=difference2-ascending`.
  /** @returns {[number, string | null]} */
  currentSort() {
    const [, at, order] = /^difference(\d)-(descending|ascending)$/.exec(this.explore.state.sort ?? "") ?? [];
    return [Number(at) - 1, order ?? null];
  }

  makeSortHeading(title, at) {
    const [sortedAt, sortedHow] = this.currentSort();
    const order = sortedAt === at ? sortedHow : null;
    const next = SORT_CYCLE[(SORT_CYCLE.indexOf(order) + 1) % SORT_CYCLE.length];
    const cell = makeColumnHeading("", "");
    const button = make("button", "cells-sort", title);
    button.type = "button";
    button.dataset.key = "sort difference " + at;
    button.title = { descending: "Largest first", ascending: "Smallest first" }[next] ?? "Back to head to tail";
    button.addEventListener("click", () => this.explore.change({ sort: next && "difference" + (at + 1) + "-" + next }, { keep: true }));
    cell.setAttribute("aria-sort", order ?? "none");
    cell.append(button);
    return cell;
  }

  makeRow(finding, word, against) {
    const row = make("tr", "");
    row.dataset.finding = word;
    const name = make("th", "");
    name.scope = "row";
    const button = this.makeButton(finding, "compared " + word, () => this.toggle({ finding: word }));
    button.className = "panel-link";
    name.append(button);
    const pairOf = (pairs) => pairs.find((pair) => pair.word === word);
    const anyPinned = against.find(({ pairs }) => pairOf(pairs));
    row.append(name, this.makeFigureCell(pairOf(anyPinned.pairs).one, pairOf(anyPinned.aurocs)?.one, !pairOf(anyPinned.pairs).known));
    for (const { pairs, aurocs } of against) {
      const [pair, auroc] = [pairOf(pairs), pairOf(aurocs)];
      if (!pair) row.append(make("td", "compared-figure", "not scored there"), make("td", "compared-difference"));
      else row.append(this.makeFigureCell(pair.other, auroc?.other, !pair.known), this.makeDifferenceCell(pair.difference, auroc?.difference, !pair.known, columnDigits(pairs, aurocs)));
      if (pair?.difference.marked || auroc?.difference.marked) row.classList.add("differs");
    }
    return row;
  }

  // AP is shown beside the AUROC of the same films.
  makeFigureCell(estimate, auroc, computing) {
    const { value, n, low, chance } = estimate;
    const cell = make("td", "compared-figure");
    if (value === null) cell.append(make("span", computing && n ? "cell-none computing" : "cell-none", !n ? "nothing to count" : computing ? "computing" : "not defined"));
    else {
      const interval = intervalOrReason(estimateIntervalText(estimate), computing);
      const ends = make("span", "cell-interval muted small" + (interval === "computing" ? " computing" : ""), interval);
      cell.append(make("span", "cell-value", estimateFigureText(estimate)), low === null ? ends : markIntervalBeside(ends, estimate));
      if (n < FEW_FILMS) cell.classList.add("few");
    }
    const count = make("span", "cell-n muted small", "n " + wholeText(n));
    if (chance !== null && value !== null) count.append(make("span", "cell-chance", " chance " + chanceText(chance)));
    cell.append(count);
    if (auroc && auroc.value !== null) cell.append(makeSecondFigure("AUROC", { ...auroc, known: !computing }));
    return cell;
  }

  makeDifferenceCell(difference, auroc, computing, digits) {
    const cell = make("td", "compared-difference");
    if (difference.value === null) return cell;
    cell.append(makeDifference(difference, computing, digits), makeDifferenceTrack(difference));
    if (difference.other_prevalence) cell.append(make("span", "cell-n muted small", PREVALENCE_DIFFERS));
    if (!auroc || auroc.value === null) return cell;
    cell.append(makeDifference(auroc, computing, digits, make("span", "cell-n muted small", "AUROC")), makeDifferenceTrack(auroc));
    return cell;
  }

  // How many findings differ, and how many would by chance.
  differingWords({ pairs }) {
    if (pairs.some(({ known }) => !known)) return "Intervals of differences: " + wholeText(pairs.filter(({ known }) => known).length) + " of " + countText(pairs.length, "finding") + " computed. Marks come with the last, because p is adjusted over all.";
    const known = pairs.filter(({ difference }) => difference.low !== null && !difference.other_prevalence);
    if (!known.length) return "No difference has an interval, so none can be told from chance.";
    const differing = known.filter(({ difference }) => difference.marked).length;
    return "\u25c6 " + differing + " of " + countText(known.length, "finding") + " differ by more than chance explains.";
  }

  makeNotes(against, measure) {
    const others = against.flatMap(({ pairs }) => pairs).filter(({ difference }) => difference.other_prevalence).length;
    const lines = [];
    const name = COMPARED_MEASURES[measure][0];
    lines.push("\u25c6 p is at most 0.05, adjusted over all findings, " + (RATES.includes(measure) ? "sensitivity and specificity" : "F1, AP, AUROC and ECE") + ", and all that is pinned (Benjamini and Hochberg): of the marks about 1 in 20 is by chance. An interval may exclude 0 without a mark.");
    if (others) lines.push(name + " of " + countText(others, "finding") + " is not compared and has no mark: the films differ in prevalence (the 95 % interval of the difference excludes 0), and " + name + " with them. AUROC does not depend on prevalence.");
    if (DEPENDING_ON_PREVALENCE.includes(measure) && !others) lines.push(name + " depends on prevalence: it is compared only where the prevalences do not differ.");
    if (measure === "ece") lines.push("ECE: 15 bins of equal width; a lower one is better. Scores that are margins are turned into scores from 0 to 1 first.");
    against.forEach(({ left_out: leftOut }, at) => leftOut.length && lines.push("Only one of now and " + lowerFirst(pinnedName(against, at)) + " has " + shortListText(leftOut, 6) + "."));
    lines.push("Intervals of sensitivity and specificity, and of their differences, are by Wilson with as many films as would be independent; those of the other measures resample whole patients. All are wider where a patient has many films.");
    lines.push("Gray: fewer than " + FEW_FILMS + " films to count.");
    return makeDetails(lines);
  }
}

// Replace pairs by newer ones of the same finding and measure.
function updatePairs(pairs, newer) {
  const places = new Map(pairs.map(({ word, measure }, place) => [word + " " + measure, place]));
  for (const pair of newer) pairs[places.get(pair.word + " " + pair.measure)] = pair;
}

const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const numberedTitle = (against, at) => (against.length > 1 ? " " + (at + 1) : "");
const pinnedName = (against, at, before = "", after = "") => (before && against.length < 2 ? "" : before + (before ? "pinned" : "Pinned") + numberedTitle(against, at) + after);

function sharedFilmsWords(shared) {
  return shared ? countText(shared, "film") + (shared === 1 ? " is" : " are") + " in both: the intervals of differences take account of it." : "No film is in both.";
}

const columnDigits = (...columns) => earnedDigits(columns.flat().map(({ difference }) => difference));

function makeDifference(difference, computing, digits, ...name) {
  const figures = make("span", difference.marked ? "cell-figures differs" : "cell-figures");
  figures.append(...name);
  figures.append(...makeDifferenceParts(difference, !computing, digits));
  return figures;
}

// A difference with its interval on a line from -1 to 1, with a tick at 0.
function makeDifferenceTrack({ value, low, high, marked }) {
  const half = (each) => (each + 1) / 2;
  const line = makeTrack({ value: half(value), low: low === null ? null : half(low), high: high === null ? null : half(high) }, 0.5);
  line.classList.add("track-difference", ...(marked ? ["differs"] : []));
  return line;
}
