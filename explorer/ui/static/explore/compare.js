// Two slices side by side: the one that was pinned, and what the filters say now.

import { make } from "../shared/elements.js";
import { plural, score, signed, whole } from "../shared/figures.js";
import { listed } from "../shared/finding_words.js";
import { FEW } from "./cell_words.js";
import { ExplorePanel, MEASURES, MEASURE_WORDS, choice, column, interval, notice, said, track, upperFirst } from "./panel_base.js";

const PINNED_NOT = ["page", "panel", "case", "beside", "hide", "shuffle", "sort", "measure"];

export class Compare extends ExplorePanel {
  question = "two_slices";

  draw(answer) {
    if (answer.stage === "nothing pinned") return this.invite(answer);
    const measure = MEASURE_WORDS[this.explore.state.measure] ? this.explore.state.measure : "sensitivity";
    const head = make("header", "panel-head-line");
    head.append(choice("Measure", MEASURES, measure, (each) => this.explore.change({ measure: each }, { keep: true })));
    const pairs = answer.pairs.filter((pair) => pair.measure === MEASURE_WORDS[measure]);
    this.box.replaceChildren(this.sides(answer), head, this.table(pairs, measure), this.foot(answer, pairs));
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
    for (const pair of pairs) body.append(this.row(pair));
    table.append(top, body);
    const scroll = make("div", "cells-scroll");
    scroll.append(table);
    return scroll;
  }

  row({ finding, word, one, other, difference }) {
    const row = make("tr", "");
    row.dataset.finding = word;
    const name = make("th", "");
    name.scope = "row";
    const button = this.way(finding, "compared " + word, () => this.toggle({ finding: word }));
    button.className = "panel-link";
    name.append(button);
    row.append(name, this.figure(one), this.figure(other), this.difference(difference));
    if (difference.differs) row.classList.add("differs");
    return row;
  }

  figure({ value, n, low, high }) {
    const cell = make("td", "compared-figure");
    if (value === null) cell.append(make("span", "cell-none", n ? "not defined" : "nothing to count"));
    else {
      const reach = low !== null ? interval({ low, high }) : this.answer.computing ? "computing" : "no interval";
      cell.append(make("span", "cell-value", score(value)), make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach));
      if (n < FEW) cell.classList.add("few");
    }
    cell.append(make("span", "cell-n", "n " + whole(n)));
    return cell;
  }

  difference({ value, low, high, differs }) {
    const cell = make("td", "compared-difference");
    if (value === null) return cell;
    const reach = low !== null ? "[" + signed(low) + ", " + signed(high) + "]" : this.answer.computing ? "computing" : "no interval";
    const figures = make("span", "cell-figures");
    figures.append(make("span", "cell-value", signed(value)), make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach));
    if (differs) {
      const mark = make("span", "differs-mark", "\u25c6");
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", "interval excludes 0");
      figures.append(mark);
    }
    cell.append(figures, differenceTrack({ value, low, high }));
    return cell;
  }

  foot({ left_out: leftOut, computing }, pairs) {
    const known = pairs.filter(({ difference }) => difference.low !== null);
    const differing = known.filter(({ difference }) => difference.differs).length;
    const lines = [];
    if (known.length) lines.push("\u25c6 the interval excludes 0: " + differing + " of " + known.length + "; of " + known.length + " that do not differ, about " + (known.length / 20).toFixed(1) + " would be by chance.");
    if (computing) lines.push("Intervals of differences: computing.");
    if (leftOut.length) lines.push("Only one side has " + listed(leftOut, 6) + ".");
    lines.push("Intervals of rates are by Wilson and take films as independent; those of AP and of differences resample whole patients, and are wider where a patient has many films.");
    lines.push("Gray: fewer than " + FEW + " films to count.");
    return make("p", "cells-legend", lines.join(" "));
  }
}

const lowerFirst = (text) => text.charAt(0).toLowerCase() + text.slice(1);

// A difference with its interval on a line from -1 to 1, and where 0 is.
function differenceTrack({ value, low, high }) {
  const half = (each) => (each + 1) / 2;
  const line = track({ value: half(value), low: low === null ? null : half(low), high: high === null ? null : half(high) }, 0.5);
  line.classList.add("track-difference");
  return line;
}
