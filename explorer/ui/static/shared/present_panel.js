// The panel beside a presented film: question, verdict, models, tally, and buttons, in type that the back row can read.

import { make } from "./elements.js";
import { comparedText, scoreText } from "./figures.js";
import { makeOutcomeBadge } from "./outcome.js";

export const REVEAL = "Reveal"; // the label while something can be revealed
const BUTTONS = [
  { name: "back", className: "present-back", usual: "Back", words: (way) => "\u2190 " + way },
  { name: "reveal", className: "present-reveal", usual: REVEAL, words: (way) => way + " (R)" },
  { name: "next", className: "present-next", usual: "Next", words: (way) => way + " \u2192" },
];
const SMALL_BUTTONS = [
  { name: "help", className: "present-help", words: () => "? Keys" },
  { name: "leave", className: "present-leave", words: () => "Esc" },
];
const TITLES = { help: "Keys", leave: "Leave" };
const NOT_MEDICAL = "Not for medical use";

export class PresentPanel {
  // `run(name)`: called for a button, by the names of present_keys.js.
  constructor(run) {
    this.element = make("aside", "present-panel");
    this.element.setAttribute("aria-label", "Presented");
    this.content = make("div", "present-said");
    this.content.setAttribute("role", "status");
    this.buttons = {};
    this.element.append(this.content, this.makeButtonRow("present-ways", "Ways on", BUTTONS, run), this.makeFoot(run));
    this.contentKey = "";
    this.buttonTexts = {};
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  makeButtonRow(className, label, buttons, run) {
    const row = make("div", className);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", label);
    for (const { name, className: ownClass, words } of buttons) {
      const button = make("button", "present-button " + ownClass, words(""));
      button.type = "button";
      if (TITLES[name]) button.setAttribute("aria-label", words("") + ": " + TITLES[name]);
      button.addEventListener("click", () => run(name));
      row.append(button);
      this.buttons[name] = button;
    }
    return row;
  }

  // The join code for latecomers, in the corner, where there is one.
  makeFoot(run) {
    const foot = make("div", "present-foot muted");
    this.corner = make("p", "present-corner");
    foot.append(this.corner, make("p", "", NOT_MEDICAL), this.makeButtonRow("present-small", "Keys", SMALL_BUTTONS, run));
    return foot;
  }

  // `said`: {place, mark, question, verdict: {words, outcome}, lines: texts, models: [{name, rows: [{finding, score,
  // threshold, outcome, words}], more}], tally: {n, of, rows: [{words, n, right}], more, right}, lesson, corner:
  // words}: each optional. `more`: the number of further rows, which no screen has room for.
  // `ways`: {back, reveal, next}: labels of buttons, "" for no button, null for a disabled one.
  show(content, buttonTexts) {
    const contentKey = JSON.stringify([content, buttonTexts]);
    if (contentKey === this.contentKey) return; // the class is polled every second: unchanged words are not announced again
    this.contentKey = contentKey;
    this.content.replaceChildren(...makeParts(content));
    this.corner.replaceChildren(...(content.corner ?? []).map((words) => make("span", "", words)));
    for (const { name, usual, words } of BUTTONS) {
      const button = this.buttons[name];
      button.hidden = buttonTexts[name] === "";
      button.disabled = buttonTexts[name] === null;
      button.textContent = words(buttonTexts[name] || usual);
    }
    const turned = buttonTexts.reveal !== this.buttonTexts.reveal;
    this.buttonTexts = buttonTexts;
    if (turned && this.element.contains(document.activeElement)) this.focus();
    this.fit();
  }

  // Nobody scrolls in front of a class: smaller type first, then fewer rows, the least informative removed first.
  fit() {
    const { content: contentBox } = this;
    const overflows = () => contentBox.scrollHeight > contentBox.clientHeight + 1;
    const rows = (those) => [...contentBox.querySelectorAll(those)].reverse();
    for (const part of contentBox.querySelectorAll("[hidden]")) part.hidden = false;
    contentBox.classList.remove("tight");
    countLeftOut(contentBox);
    if (!contentBox.clientHeight || !overflows()) return;
    contentBox.classList.add("tight");
    for (const row of [...rows(".present-model:not(.present-kept) tr + tr"), ...rows(".present-tally li + li + li"), ...rows(".present-model tr"), ...rows(".present-tally li")]) {
      if (!overflows()) return;
      row.hidden = true;
      const table = row.closest("table");
      if (table && !table.querySelector("tr:not([hidden])")) table.hidden = true;
      countLeftOut(contentBox);
    }
  }

  // Focus the next button: Enter presses it.
  focus() {
    const { reveal, next, leave } = this.buttons;
    const first = [...(this.buttonTexts.reveal === REVEAL ? [reveal] : []), next, reveal].find((button) => !button.hidden && !button.disabled);
    (first ?? leave).focus({ preventScroll: true });
  }
}

// Rows that do not fit are counted beside the others.
function countLeftOut(contentBox) {
  for (const place of contentBox.querySelectorAll(".present-more")) {
    const left = Number(place.dataset.more) + place.closest("table, .present-tally").querySelectorAll("tr[hidden], li[hidden]").length;
    place.textContent = left ? "+" + left + " more" : "";
  }
}

function makeMoreNote(more = 0) {
  const place = make("span", "present-more muted");
  place.dataset.more = String(more);
  return place;
}

function* makeParts({ place, mark, question, verdict, lines = [], models = [], tally, lesson }) {
  const head = [place, mark].filter(Boolean);
  if (head.length) {
    const line = make("p", "present-place muted", place);
    if (mark) line.append(make("span", "present-mark", mark));
    yield line;
  }
  if (lesson) yield make("p", "present-lesson", lesson);
  if (question) yield make("p", "present-question", question);
  if (verdict) yield makeVerdict(verdict);
  for (const words of lines) yield make("p", "present-line", words);
  for (const model of models) yield makeModelTable(model);
  if (tally) yield makeTallyBars(tally);
}

function makeVerdict({ words, outcome }) {
  const line = make("h2", "present-verdict");
  if (outcome) line.append(makeOutcomeBadge(outcome), " ");
  line.append(words);
  return line;
}

// A model's scores: the outcome as color, shape and word; without one, other words.
function makeModelTable({ name, rows, more, kept = false }) {
  const table = make("table", "present-model");
  table.classList.toggle("present-kept", kept);
  const caption = make("caption", "", name);
  caption.append(" ", makeMoreNote(more));
  table.append(caption);
  const body = make("tbody", "");
  for (const { finding, score: value, threshold, outcome, words, compared } of rows) {
    const row = make("tr", "");
    const head = make("th", "", finding);
    head.scope = "row";
    const outcomeCell = make("td", "present-outcome");
    if (outcome) outcomeCell.append(makeOutcomeBadge(outcome));
    else outcomeCell.textContent = words;
    row.append(head, make("td", "present-score", typeof value !== "number" ? value : compared ? comparedText(value, threshold) : scoreText(value)), outcomeCell);
    if (threshold !== undefined) row.title = threshold === null ? "no threshold" : "threshold " + scoreText(threshold);
    body.append(row);
  }
  table.append(body);
  return table;
}

// How many chose each answer, as bars. `right`, once known: a sentence with n and interval.
function makeTallyBars({ n, of, rows, more, right }) {
  const box = make("div", "present-tally");
  const answeredLine = make("p", "present-answered", n + " of " + of + " answered ");
  answeredLine.append(makeMoreNote(more));
  box.append(answeredLine);
  const list = make("ul", "");
  for (const { words, n: count, right: isRight } of rows) {
    const row = make("li", "");
    if (isRight) row.dataset.right = "true";
    const bar = make("span", "present-bar");
    bar.style.setProperty("--share", String(n ? count / n : 0));
    row.append(make("span", "present-choice", (isRight ? "\u25cf " : "") + words), bar, make("span", "present-count", String(count)));
    list.append(row);
  }
  box.append(list);
  if (right) box.append(make("p", "present-right", right));
  return box;
}
