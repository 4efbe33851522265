// Two slices side by side: the one that was pinned, and what the filters say now.

import { make } from "../shared/elements.js";
import { plural, whole } from "../shared/figures.js";
import { listed } from "../shared/finding_words.js";
import { FEW, alsoFigure } from "./cell_words.js";
import { ExplorePanel, MEASURES, MEASURE_WORDS, OTHER_PREVALENCE, chanceWords, choice, column, details, differenceParts, figure, interval, notice, plain, said, track, upperFirst } from "./panel_base.js";

const PINNED_NOT = ["page", "panel", "case", "beside", "hide", "shuffle", "sort", "measure", "within", "fails", "failure"];

export class Compare extends ExplorePanel {
  question = "two_slices";

  draw(answer) {
    if (answer.stage === "nothing pinned") return this.invite(answer);
    const measure = MEASURE_WORDS[this.explore.state.measure] ? this.explore.state.measure : "sensitivity";
    const head = make("header", "panel-head-line");
    head.append(choice("Measure", MEASURES, measure, (each) => this.explore.change({ measure: each }, { keep: true })));
    const pairs = answer.pairs.filter((pair) => pair.measure === MEASURE_WORDS[measure]);
    this.box.replaceChildren(this.sides(answer), head, plain(this.counted(answer, pairs)), this.table(pairs, measure), this.foot(answer, pairs));
  }

  invite(answer) {
    const pin = this.way("Pin this slice", "pin", () => this.explore.change({ beside: this.pinned() }, { keep: true }));
    const words = "Pin it, then change a filter: sex, view, center, model. Both stand side by side, with their differences.";
    this.box.replaceChildren(said(answer), notice("No slice is pinned", words, pin));
  }

  // The slice of now in the words of an address.
  pinned() {
    const words = Object.entries(this.explore.state).filter(([name]) => !PINNED_NOT.includes(name));
    return new URLSearchParams(words).toString();
  }

  way(text, key, act) {
    const button = make("button", "panel-way", text);
    button.type = "button";
    button.dataset.key = key;
    button.addEventListener("click", act);
    return button;
  }

  sides({ sentences, over, counts, films, shared }) {
    const sides = make("div", "sides");
    const ways = [
      [this.way("Swap", "swap", () => this.swap()), this.way("Pin this one instead", "pin", () => this.explore.change({ beside: this.pinned() }, { keep: true }))],
      [this.way("Unpin", "unpin", () => this.explore.change({ beside: null }, { keep: true }))],
    ];
    ["Now", "Pinned"].forEach((title, at) => {
      const side = make("section", "side");
      const row = make("p", "side-ways");
      row.append(...ways[at]);
      side.append(make("h2", "side-title", title), make("p", "side-sentence", sentences[at]));
      side.append(make("p", "panel-count", plural(counts[at].pairs, "pair") + ", " + plural(counts[at].films, "film")));
      if (over[at] !== sentences[at]) side.append(make("p", "side-over", "Rates are counted over " + lowerFirst(over[at]) + ": " + plural(films[at], "film") + "."));
      side.append(row);
      sides.append(side);
    });
    const both = shared ? plural(shared, "film") + (shared === 1 ? " is" : " are") + " in both: the differences resample the same patients for both sides." : "No film is in both.";
    sides.append(make("p", "side-shared", both));
    return sides;
  }

  swap() {
    const pinned = Object.fromEntries(new URLSearchParams(this.explore.state.beside));
    const away = Object.fromEntries(Object.keys(this.explore.state).filter((name) => !PINNED_NOT.includes(name)).map((name) => [name, null]));
    this.explore.change({ ...away, ...pinned, beside: this.pinned() });
  }

  table(pairs, measure) {
    const table = make("table", "numbers-table compared");
    table.append(make("caption", "", upperFirst(MEASURE_WORDS[measure]) + "; the difference is now minus pinned"));
    const head = make("tr", "");
    for (const title of ["Finding", "Now", "Pinned", "Difference [95 %]"]) head.append(column(title, ""));
    const top = make("thead", "");
    top.append(head);
    const body = make("tbody", "");
    const aurocs = measure === "precision" ? this.answer.pairs.filter((pair) => pair.measure === "AUROC") : [];
    const beside = new Map(aurocs.map((pair) => [pair.word, pair]));
    for (const pair of pairs) body.append(this.row(pair, beside.get(pair.word)));
    table.append(top, body);
    const scroll = make("div", "cells-scroll");
    scroll.append(table);
    return scroll;
  }

  // Beside AP stands the AUROC of the same films.
  row({ finding, word, one, other, difference }, auroc) {
    const row = make("tr", "");
    row.dataset.finding = word;
    const name = make("th", "");
    name.scope = "row";
    const button = this.way(finding, "compared " + word, () => this.toggle({ finding: word }));
    button.className = "panel-link";
    name.append(button);
    row.append(name, this.figure(one, auroc?.one), this.figure(other, auroc?.other), this.difference(difference, auroc?.difference));
    if (difference.marked || auroc?.difference.marked) row.classList.add("differs");
    return row;
  }

  figure(estimate, auroc) {
    const { value, n, low, chance } = estimate;
    const cell = make("td", "compared-figure");
    if (value === null) cell.append(make("span", "cell-none", n ? "not defined" : "nothing to count"));
    else {
      const reach = low !== null ? interval(estimate) : this.answer.computing ? "computing" : "no interval";
      cell.append(make("span", "cell-value", figure(estimate)), make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach));
      if (n < FEW) cell.classList.add("few");
    }
    const count = make("span", "cell-n", "n " + whole(n));
    if (chance !== null && value !== null) count.append(make("span", "cell-chance", " chance " + chanceWords(chance)));
    cell.append(count);
    if (auroc && auroc.value !== null) cell.append(alsoFigure("AUROC", { ...auroc, known: !this.answer.computing }));
    return cell;
  }

  difference(difference, auroc) {
    const cell = make("td", "compared-difference");
    if (difference.value === null) return cell;
    cell.append(this.apart(difference), differenceTrack(difference));
    if (!auroc || auroc.value === null) return cell;
    if (difference.other_prevalence) cell.append(make("span", "cell-n", OTHER_PREVALENCE));
    cell.append(this.apart(auroc, make("span", "cell-n", "AUROC")), differenceTrack(auroc));
    return cell;
  }

  apart(difference, ...name) {
    const figures = make("span", difference.marked ? "cell-figures differs" : "cell-figures");
    figures.append(...name);
    figures.append(...differenceParts(difference, !this.answer.computing));
    return figures;
  }

  // How many findings differ, and how many would by chance.
  counted({ computing }, pairs) {
    const known = pairs.filter(({ difference }) => difference.low !== null && !difference.other_prevalence);
    if (!known.length) return computing ? "Intervals of differences: computing." : "No difference can be told from chance here: none has an interval.";
    const differing = known.filter(({ difference }) => difference.marked).length;
    return "\u25c6 " + differing + " of " + plural(known.length, "finding") + " differ by more than chance explains; of " + known.length + " that do not, about " + (known.length / 20).toFixed(1) + " would have the mark.";
  }

  foot({ left_out: leftOut }, pairs) {
    const others = pairs.filter(({ difference }) => difference.other_prevalence).length;
    const lines = [];
    lines.push("\u25c6 the 95 % interval of the difference excludes 0.");
    if (others) lines.push("AP of " + plural(others, "finding") + " is not compared and has no mark: the films differ in prevalence (the 95 % interval of the difference excludes 0), and AP with them. AUROC does not depend on prevalence.");
    if (leftOut.length) lines.push("Only one side has " + listed(leftOut, 6) + ".");
    lines.push("Intervals of rates are by Wilson and take films as independent; those of AP, AUROC and of differences resample whole patients, and are wider where a patient has many films.");
    lines.push("Gray: fewer than " + FEW + " films to count.");
    return details(lines);
  }
}

const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);

// A difference with its interval on a line from -1 to 1, and where 0 is.
function differenceTrack({ value, low, high, marked }) {
  const half = (each) => (each + 1) / 2;
  const line = track({ value: half(value), low: low === null ? null : half(low), high: high === null ? null : half(high) }, 0.5);
  line.classList.add("track-difference", ...(marked ? ["differs"] : []));
  return line;
}
