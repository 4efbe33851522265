// What the model flagged where it missed the chosen finding, against how often it flags that on the other films.

import { make } from "../shared/elements.js";
import { countText, fixedText, intervalText, rateText, wholeText } from "../shared/figures.js";
import { ExplorePanel, cssPercent, makeCountedSentence, makeNotice } from "./panel_base.js";

const FIRST_CONFUSED = 12;

export class Confusions extends ExplorePanel {
  /** @override */
  question = "confused_with";

  /**
   * @override
   * @param {ui.explore.panel_calls.NoFindingPayload | ui.explore.panel_calls.ConfusionsPanelPayload} answer
   */
  draw(answer) {
    if (answer.stage === "no finding") return this.makeInvitation(answer);
    const { finding, misses, confused } = answer;
    const head = make("header", "panel-head-line flex-row flex-wraps");
    head.append(makeCountedSentence(answer));
    const title = make("p", "confusion-title", "Missed " + finding + ": ");
    title.append(make("strong", "", wholeText(misses.hits) + " of " + wholeText(misses.n)), " ", make("span", "cell-interval muted small", rateText(misses)));
    const parts = [head, title];
    if (!misses.n) parts.push(makeNotice("No positives", "No film of this slice is labeled " + finding + " with a threshold, so none can be missed. Remove a filter."));
    else if (!misses.hits) parts.push(makeNotice("Nothing was missed", "The model called " + finding + " in every film that is labeled so."));
    else parts.push(this.makeKey(misses.hits, confused[0]?.rest.n ?? 0), this.makeList(confused), this.makeFoot(finding));
    this.box.replaceChildren(...parts);
  }

  makeInvitation({ candidates, positives, ...answer }) {
    const head = make("header", "panel-head-line flex-row flex-wraps");
    head.append(makeCountedSentence(answer));
    if (!positives) return this.box.replaceChildren(head, makeNotice("No positives", "No film of this slice is labeled with a finding that has a threshold, so none can be missed."));
    if (!candidates.length) return this.box.replaceChildren(head, makeNotice("Nothing was missed", "The model called every finding that is labeled in this slice."));
    const list = make("ul", "confusion-candidates");
    for (const { finding, word, misses } of candidates) {
      const button = make("button", "panel-way control", finding);
      button.type = "button";
      button.dataset.key = "candidate " + word;
      button.append(make("span", "panel-count muted small", "missed " + wholeText(misses.hits) + " of " + wholeText(misses.n)));
      button.addEventListener("click", () => this.explore.change({ finding: word, called: null }));
      const place = make("li", "");
      place.append(button);
      list.append(place);
    }
    this.box.replaceChildren(head, makeNotice("Which finding?", "Choose a finding to see what was called on the films where it was missed. Those with the most misses:"), list);
  }

  makeKey(misses, others) {
    const key = make("p", "confusion-key");
    for (const [mark, words] of [
      ["among", misses === 1 ? "in the one miss" : "among the " + wholeText(misses) + " misses"],
      ["rest", "in the other " + countText(others, "film") + ", the base rate"],
    ]) {
      const entry = make("span", "confusion-entry");
      entry.append(make("span", "confusion-mark " + mark), words);
      key.append(entry);
    }
    return key;
  }

  makeList(confused) {
    const called = confused.filter(({ among }) => among.hits);
    if (!called.length) return makeNotice("Nothing was called", "In the films in which it was missed no other finding is above its threshold.");
    const list = make("ol", "confused");
    for (const other of called) list.append(this.makeRow(other));
    for (const place of [...list.querySelectorAll(":scope > li")].slice(FIRST_CONFUSED)) place.hidden = !place.querySelector("[aria-pressed=true]");
    if (called.length <= FIRST_CONFUSED) return list;
    const more = make("button", "panel-link", called.length - FIRST_CONFUSED + " more");
    more.type = "button";
    more.addEventListener("click", () => {
      for (const place of list.querySelectorAll(":scope > li")) place.hidden = false;
      more.remove();
    });
    const box = make("div", "");
    box.append(list, more);
    return box;
  }

  makeRow({ finding, word, among, rest, ratio }) {
    const button = make("button", "confused-row");
    button.type = "button";
    button.dataset.key = "confused-row " + word;
    button.dataset.finding = word;
    button.setAttribute("aria-label", finding + ": called in " + countsText(among) + " misses, " + rateText(among) + ", and in " + countsText(rest) + " other films, " + rateText(rest) + ". " + timesWords(ratio));
    button.append(make("span", "confused-name", finding), makeDumbbell(among, rest), makeRateFigures(among, "among"), makeRateFigures(rest, "rest"), makeTimes(ratio));
    button.setAttribute("aria-pressed", String(this.explore.state.called === word));
    button.addEventListener("click", () => this.narrowToMisses(word));
    const place = make("li", "");
    place.append(button);
    return place;
  }

  // Narrow the gallery to the misses on which this was flagged.
  narrowToMisses(word) {
    const on = this.explore.state.called === word;
    this.explore.change(on ? { called: null } : { outcome: "miss", called: word });
  }

  makeFoot(finding) {
    return make("p", "cells-legend muted small", "Called: at or above the threshold. A film may have several. Labels do not count here: what was called may be there as well. Choosing one narrows the films to those in which " + finding + " was missed and it was called.");
  }
}

export const countsText = ({ hits, n }) => wholeText(hits) + " of " + wholeText(n);

// How many times as often, with its interval; no upper end where it may never occur on the other films.
function timesTexts({ value, low, high }) {
  const times = value === null ? "never in the others" : "\u00d7 " + fixedText(value, 1);
  return low === null ? [times] : [times, intervalText(fixedText(low, 1), high === null ? "\u221e" : fixedText(high, 1))];
}
const timesWords = (ratio) => timesTexts(ratio).join(" ");

function makeTimes(ratio) {
  const box = make("span", "confused-ratio");
  const [value, interval] = timesTexts(ratio);
  box.append(make("span", "cell-value", value));
  if (interval) box.append(make("span", "cell-interval muted small", interval));
  return box;
}

export function makeRateFigures(rate, className) {
  const box = make("span", "confused-figures " + className);
  box.append(make("span", "cell-value", countsText(rate)), make("span", "cell-interval muted small", rateText(rate)));
  return box;
}

// Two marks on one line: the rate among the misses, and on the other films.
export function makeDumbbell(among, rest) {
  const line = make("span", "dumbbell");
  const bar = make("span", "dumbbell-bar");
  const [low, high] = [among.value, rest.value ?? among.value].sort((one, other) => one - other);
  Object.assign(bar.style, { left: cssPercent(low), width: cssPercent(high - low) });
  const reach = make("span", "track-reach");
  Object.assign(reach.style, { left: cssPercent(among.low), width: cssPercent(among.high - among.low) });
  line.append(reach, bar);
  for (const [className, { value }] of [["rest", rest], ["among", among]]) {
    if (value === null) continue;
    const mark = make("span", "confusion-mark " + className);
    mark.style.left = cssPercent(value);
    line.append(mark);
  }
  return line;
}
