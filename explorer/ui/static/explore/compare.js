// Slices side by side: the slice on show against each pinned one.

import { make } from "../shared/elements.js";
import { besideMarked, earnedDigits, plural, reachText, whole } from "../shared/figures.js";
import { listed } from "../shared/finding_words.js";
import { MOST_PINNED, pinnedIn, pinning, sliceWords } from "./address.js";
import { watchWidth } from "./cell_columns.js";
import { FEW, alsoFigure } from "./cell_words.js";
import { ExplorePanel, OTHER_PREVALENCE, chanceWords, choice, column, details, differenceParts, figure, interval, notice, plain, said, track, upperFirst } from "./panel_base.js";

// By the address word: the name of the choice, and the measure as the server names it.
const MEASURES = {
  sensitivity: ["Sensitivity", "sensitivity"],
  specificity: ["Specificity", "specificity"],
  f1: ["F1", "F1"],
  precision: ["AP", "average precision"],
  auroc: ["AUROC", "AUROC"],
  ece: ["ECE", "ECE"],
};
const OF_PREVALENCE = ["f1", "precision", "ece"]; // they follow it while the model stays the same
const SORTS = [null, "descending", "ascending"]; // the next one with each press

export class Compare extends ExplorePanel {
  /** @override */
  question = "two_slices";
  /** @override */
  partial = true; // findings are drawn as they come

  /**
   * @override
   * @param {ui.explore.panel_calls.ComparePanelPayload | ui.explore.panel_calls.NothingPinnedPayload} answer
   */
  draw(answer) {
    if (answer.stage === "nothing pinned") return this.invite(answer);
    const measure = MEASURES[this.explore.state.measure] ? this.explore.state.measure : "sensitivity";
    const head = make("header", "panel-head-line");
    const measures = Object.entries(MEASURES).map(([word, [name]]) => [word, name]);
    head.append(choice("Measure", measures, measure, (each) => this.explore.change({ measure: each }, { keep: true })));
    const against = answer.against.map((each) => ({ ...each, pairs: each.pairs.filter((pair) => pair.measure === MEASURES[measure][1]), aurocs: measure === "precision" ? each.pairs.filter((pair) => pair.measure === "AUROC") : [] }));
    const counted = against.map((each, at) => plain(pinnedName(against, at, "Against ", ": ") + this.counted(each)));
    const table = this.table(against, measure);
    const left = this.box.querySelector(".cells-scroll")?.scrollLeft ?? 0;
    this.box.replaceChildren(this.sides(answer), head, ...counted, watchWidth(table, "scroll the table."), table, this.foot(against, measure));
    table.scrollLeft = left;
  }

  invite(answer) {
    const pin = this.way("Pin this slice", "pin", () => this.pin([this.now()]));
    const words = "Pin it, then change a filter: sex, view, center, model. Both stand side by side, with their differences. Up to " + MOST_PINNED + " can be pinned.";
    this.box.replaceChildren(said(answer), notice("No slice is pinned", words, pin));
  }

  // The slice on show in the words of an address.
  now() {
    return new URLSearchParams(sliceWords(this.explore.state)).toString();
  }

  pin(slices) {
    this.explore.change(pinning(slices), { keep: true });
  }

  sides({ sentences, over, against }) {
    const pinned = pinnedIn(this.explore.state);
    const sides = make("div", "sides");
    const ways = [this.way("Pin this one instead", "pin", () => this.pin([this.now()]))];
    if (pinned.length < MOST_PINNED) ways.unshift(this.way("Pin this one too", "pin too", () => this.pin([...pinned, this.now()])));
    sides.append(this.side("Now", [sentences[0], over[0]], against[0].counts[0], against[0].films[0], ways));
    against.forEach(({ counts, films, shared }, at) => {
      const own = [
        this.way("Swap", "swap " + at, () => this.swap(at)),
        this.way("Unpin", "unpin " + at, () => this.pin(pinned.filter((_, other) => other !== at))),
      ];
      const side = this.side(pinnedName(against, at), [sentences[at + 1], over[at + 1]], counts[1], films[1], own);
      side.insertBefore(make("p", "side-shared", sharedWords(shared)), side.lastChild);
      sides.append(side);
    });
    return sides;
  }

  side(title, [sentence, over], count, films, ways) {
    const side = make("section", "side");
    side.append(make("h2", "side-title", title), make("p", "side-sentence", sentence));
    side.append(make("p", "panel-count", plural(count.pairs, "pair") + ", " + plural(count.films, "film")));
    if (over !== sentence) side.append(make("p", "side-over", "Rates are counted over " + lowerFirst(over) + ": " + plural(films, "film") + "."));
    const row = make("p", "side-ways");
    row.append(...ways);
    side.append(row);
    return side;
  }

  swap(at) {
    const pinned = pinnedIn(this.explore.state);
    const there = Object.fromEntries(new URLSearchParams(pinned[at]));
    const away = Object.fromEntries(sliceWords(this.explore.state).map(([name]) => [name, null]));
    this.explore.change({ ...away, ...there, ...pinning(pinned.with(at, this.now())) });
  }

  table(against, measure) {
    const table = make("table", "numbers-table compared");
    table.append(make("caption", "", upperFirst(MEASURES[measure][1]) + "; the difference is now minus pinned"));
    const head = make("tr", "");
    head.append(column("Finding", ""), column("Now", ""));
    against.forEach((_, at) => head.append(column(pinnedName(against, at), ""), this.sorting("Difference" + numbered(against, at) + " [95 %]", at)));
    const top = make("thead", "");
    top.append(head);
    const body = make("tbody", "");
    for (const { finding, word } of this.ordered(against)) body.append(this.row(finding, word, against));
    table.append(top, body);
    const scroll = make("div", "cells-scroll");
    scroll.append(table);
    return scroll;
  }

  // The findings head to tail, or sorted by one difference; findings without one come last.
  ordered(against) {
    const every = new Map(against.flatMap(({ pairs }) => pairs.map((pair) => [pair.word, pair])));
    const [at, order] = this.sorted();
    if (!order || !against[at]) return [...every.values()];
    const differences = new Map(against[at].pairs.map(({ word, difference }) => [word, difference.value]));
    const rank = ({ word }) => (differences.get(word) ?? null) === null ? Infinity : differences.get(word) * (order === "ascending" ? 1 : -1);
    return [...every.values()].sort((one, other) => rank(one) - rank(other) || one.finding.localeCompare(other.finding));
  }

  // Which difference sorts the findings, and how: as in `sort=difference2-ascending`.
  /** @returns {[number, string | null]} */
  sorted() {
    const [, at, order] = /^difference(\d)-(descending|ascending)$/.exec(this.explore.state.sort ?? "") ?? [];
    return [Number(at) - 1, order ?? null];
  }

  sorting(title, at) {
    const [sortedAt, sortedHow] = this.sorted();
    const order = sortedAt === at ? sortedHow : null;
    const next = SORTS[(SORTS.indexOf(order) + 1) % SORTS.length];
    const cell = column("", "");
    const button = make("button", "cells-sort", title);
    button.type = "button";
    button.dataset.key = "sort difference " + at;
    button.title = { descending: "Largest first", ascending: "Smallest first" }[next] ?? "Back to head to tail";
    button.addEventListener("click", () => this.explore.change({ sort: next && "difference" + (at + 1) + "-" + next }, { keep: true }));
    cell.setAttribute("aria-sort", order ?? "none");
    cell.append(button);
    return cell;
  }

  row(finding, word, against) {
    const row = make("tr", "");
    row.dataset.finding = word;
    const name = make("th", "");
    name.scope = "row";
    const button = this.way(finding, "compared " + word, () => this.toggle({ finding: word }));
    button.className = "panel-link";
    name.append(button);
    const of = (pairs) => pairs.find((pair) => pair.word === word);
    const known = against.find(({ pairs }) => of(pairs));
    row.append(name, this.figure(of(known.pairs).one, of(known.aurocs)?.one, !of(known.pairs).known));
    for (const { pairs, aurocs } of against) {
      const [pair, auroc] = [of(pairs), of(aurocs)];
      if (!pair) row.append(make("td", "compared-figure", "not scored there"), make("td", "compared-difference"));
      else row.append(this.figure(pair.other, auroc?.other, !pair.known), this.difference(pair.difference, auroc?.difference, !pair.known, columnDigits(pairs, aurocs)));
      if (pair?.difference.marked || auroc?.difference.marked) row.classList.add("differs");
    }
    return row;
  }

  // AP stands beside the AUROC of the same films.
  figure(estimate, auroc, computing) {
    const { value, n, low, chance } = estimate;
    const cell = make("td", "compared-figure");
    if (value === null) cell.append(make("span", computing && n ? "cell-none computing" : "cell-none", !n ? "nothing to count" : computing ? "computing" : "not defined"));
    else {
      const reach = reachText(interval(estimate), computing);
      const ends = make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach);
      cell.append(make("span", "cell-value", figure(estimate)), low === null ? ends : besideMarked(ends, estimate));
      if (n < FEW) cell.classList.add("few");
    }
    const count = make("span", "cell-n", "n " + whole(n));
    if (chance !== null && value !== null) count.append(make("span", "cell-chance", " chance " + chanceWords(chance)));
    cell.append(count);
    if (auroc && auroc.value !== null) cell.append(alsoFigure("AUROC", { ...auroc, known: !computing }));
    return cell;
  }

  difference(difference, auroc, computing, digits) {
    const cell = make("td", "compared-difference");
    if (difference.value === null) return cell;
    cell.append(apart(difference, computing, digits), differenceTrack(difference));
    if (difference.other_prevalence) cell.append(make("span", "cell-n", OTHER_PREVALENCE));
    if (!auroc || auroc.value === null) return cell;
    cell.append(apart(auroc, computing, digits, make("span", "cell-n", "AUROC")), differenceTrack(auroc));
    return cell;
  }

  // How many findings differ, and how many would by chance.
  counted({ computing, pairs }) {
    if (computing) return "Intervals of differences: " + whole(pairs.filter(({ known }) => known).length) + " of " + plural(pairs.length, "finding") + " computed. Marks come with the last, because p is adjusted over all.";
    const known = pairs.filter(({ difference }) => difference.low !== null && !difference.other_prevalence);
    if (!known.length) return "No difference can be told from chance here: none has an interval.";
    const differing = known.filter(({ difference }) => difference.marked).length;
    return "\u25c6 " + differing + " of " + plural(known.length, "finding") + " differ by more than chance explains.";
  }

  foot(against, measure) {
    const others = against.flatMap(({ pairs }) => pairs).filter(({ difference }) => difference.other_prevalence).length;
    const lines = [];
    const name = MEASURES[measure][0];
    lines.push("\u25c6 p is at most 0.05, adjusted over all findings, all six measures and all that is pinned (Benjamini and Hochberg): of the marks about 1 in 20 is by chance. An interval may exclude 0 without a mark.");
    if (others) lines.push(name + " of " + plural(others, "finding") + " is not compared and has no mark: the films differ in prevalence (the 95 % interval of the difference excludes 0), and " + name + " with them. AUROC does not depend on prevalence.");
    if (OF_PREVALENCE.includes(measure) && !others) lines.push(name + " follows prevalence: it is compared only where that is the same within chance.");
    if (measure === "ece") lines.push("ECE: 15 bins of equal width; a lower one is better. Scores that are margins are turned into scores from 0 to 1 first.");
    against.forEach(({ left_out: leftOut }, at) => leftOut.length && lines.push("Only one of now and " + lowerFirst(pinnedName(against, at)) + " has " + listed(leftOut, 6) + "."));
    lines.push("Intervals of sensitivity and specificity are by Wilson and take films as independent; those of the other measures and of differences resample whole patients, and are wider where a patient has many films.");
    lines.push("Gray: fewer than " + FEW + " films to count.");
    return details(lines);
  }
}

const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);
const numbered = (against, at) => (against.length > 1 ? " " + (at + 1) : "");
const pinnedName = (against, at, before = "", after = "") => (before && against.length < 2 ? "" : before + (before ? "pinned" : "Pinned") + numbered(against, at) + after);

function sharedWords(shared) {
  return shared ? plural(shared, "film") + (shared === 1 ? " is" : " are") + " in both: the differences resample the same patients for both sides." : "No film is in both.";
}

const columnDigits = (...columns) => earnedDigits(columns.flat().map(({ difference }) => difference));

function apart(difference, computing, digits, ...name) {
  const figures = make("span", difference.marked ? "cell-figures differs" : "cell-figures");
  figures.append(...name);
  figures.append(...differenceParts(difference, !computing, digits));
  return figures;
}

// A difference with its interval on a line from -1 to 1, with a tick at 0.
function differenceTrack({ value, low, high, marked }) {
  const half = (each) => (each + 1) / 2;
  const line = track({ value: half(value), low: low === null ? null : half(low), high: high === null ? null : half(high) }, 0.5);
  line.classList.add("track-difference", ...(marked ? ["differs"] : []));
  return line;
}
