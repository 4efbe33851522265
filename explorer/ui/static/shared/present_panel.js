// What stands beside a presented film: question, verdict, models, tally, and the ways on, in type for the last row.

import { make } from "./elements.js";
import { score } from "./figures.js";
import { outcomeBadge } from "./outcome.js";

const BUTTONS = [
  { name: "back", words: "\u2190 Back", label: "Back" },
  { name: "reveal", words: "Reveal", label: "" },
  { name: "next", words: "Next \u2192", label: "Next" },
];
const SMALL = [
  { name: "help", words: "Keys ?", label: "Keys" },
  { name: "leave", words: "Leave Esc", label: "Leave" },
];
const MEDICAL = "Not for medical use";

export class PresentPanel {
  // `run(name)`: what a button asks for, by the names of present_keys.js.
  constructor(run) {
    this.element = make("aside", "present-panel");
    this.element.setAttribute("aria-label", "Presented");
    this.said = make("div", "present-said");
    this.said.setAttribute("role", "status");
    this.buttons = {};
    this.element.append(this.said, this.row("present-ways", BUTTONS, run), this.foot(run));
    this.shown = "";
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  row(className, buttons, run) {
    const row = make("div", className);
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "Ways on");
    for (const { name, words, label } of buttons) {
      const button = make("button", "present-button present-" + name, words);
      button.type = "button";
      if (label) button.setAttribute("aria-label", label);
      button.addEventListener("click", () => run(name));
      row.append(button);
      this.buttons[name] = button;
    }
    return row;
  }

  foot(run) {
    const foot = make("div", "present-foot");
    const small = this.row("present-small", SMALL, run);
    small.setAttribute("aria-label", "Keys");
    this.corner = make("p", "present-corner", MEDICAL);
    foot.append(this.corner, small);
    return foot;
  }

  // `said`: {place, mark, question, verdict: {words, outcome}, lines: texts, models: [{name, rows: [{finding, score,
  // threshold, outcome, words}]}], tally: {n, of, rows: [{words, n, right}], right}, lesson, corner}: each may be missing.
  // `ways`: {back, reveal, next}: words for a button, "" where it is not there, null where it cannot be pressed now.
  show(said, ways) {
    const shown = JSON.stringify([said, ways]);
    if (shown === this.shown) return; // a class is asked every second: what stands is not announced again
    this.shown = shown;
    this.said.replaceChildren(...parts(said));
    this.corner.textContent = [said.corner, MEDICAL].filter(Boolean).join("  \u00b7  ");
    for (const [name, words] of Object.entries(ways)) {
      const button = this.buttons[name];
      button.hidden = words === "";
      button.disabled = words === null;
      if (words && name === "reveal") button.textContent = words + " (R)";
    }
    this.fit();
  }

  // Nobody scrolls in front of a class: type as small as may be, then fewer rows, the last ones first.
  fit() {
    const { said } = this;
    const over = () => said.scrollHeight > said.clientHeight + 1;
    const rows = [...said.querySelectorAll(".present-model tr, .present-tally li")];
    for (const part of said.querySelectorAll("[hidden]")) part.hidden = false;
    said.classList.remove("tight");
    if (over()) said.classList.add("tight");
    while (rows.length && over()) rows.pop().hidden = true;
    for (const table of said.querySelectorAll(".present-model")) table.hidden = !table.querySelector("tr:not([hidden])");
  }

  focus() {
    const first = ["reveal", "next", "leave"].map((name) => this.buttons[name]).find((button) => !button.hidden && !button.disabled);
    first.focus({ preventScroll: true });
  }
}

function* parts({ place, mark, question, verdict, lines = [], models = [], tally, lesson }) {
  const head = [place, mark].filter(Boolean);
  if (head.length) {
    const line = make("p", "present-place", place);
    if (mark) line.append(make("span", "present-mark", mark));
    yield line;
  }
  if (lesson) yield make("p", "present-lesson", lesson);
  if (question) yield make("p", "present-question", question);
  if (verdict) yield verdictLine(verdict);
  for (const words of lines) yield make("p", "present-line", words);
  for (const model of models) yield modelTable(model);
  if (tally) yield tallyBars(tally);
}

function verdictLine({ words, outcome }) {
  const line = make("h2", "present-verdict");
  if (outcome) line.append(outcomeBadge(outcome), " ");
  line.append(words);
  return line;
}

// A model's scores: outcome as color, shape and word; where there is none, what else can be said.
function modelTable({ name, rows }) {
  const table = make("table", "present-model");
  table.append(make("caption", "", name));
  const body = make("tbody", "");
  for (const { finding, score: value, threshold, outcome, words } of rows) {
    const row = make("tr", "");
    const head = make("th", "", finding);
    head.scope = "row";
    const said = make("td", "present-outcome");
    if (outcome) said.append(outcomeBadge(outcome));
    else said.textContent = words;
    row.append(head, make("td", "present-score", typeof value === "number" ? score(value) : value), said);
    if (threshold !== undefined) row.title = threshold === null ? "no threshold" : "threshold " + score(threshold);
    body.append(row);
  }
  table.append(body);
  return table;
}

// How many chose what, as bars over all who answered. `right`, once it is known: a sentence with n and interval.
function tallyBars({ n, of, rows, right }) {
  const box = make("div", "present-tally");
  box.append(make("p", "present-answered", n + " of " + of + " answered"));
  const list = make("ul", "");
  for (const { words, n: count, right: isRight } of rows) {
    const row = make("li", "");
    if (isRight) row.dataset.right = "true";
    const bar = make("span", "present-bar");
    bar.style.setProperty("--share", n ? count / n : 0);
    row.append(make("span", "present-choice", (isRight ? "\u25cf " : "") + words), bar, make("span", "present-count", String(count)));
    list.append(row);
  }
  box.append(list);
  if (right) box.append(make("p", "present-right", right));
  return box;
}
