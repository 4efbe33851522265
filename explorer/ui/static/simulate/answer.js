// The models' reading of the film beside the truth, which is known here: outcomes, the twin's scores, heat in the mask.

import { make } from "../shared/elements.js";
import { percentText, rateText, scoreText, wholeText } from "../shared/figures.js";
import { STATE_WORDS, shortListText } from "../shared/finding_words.js";
import { markTerm } from "../shared/glossary.js";
import { bracketed } from "../shared/origin_words.js";
import { showOutcome } from "../shared/outcome.js";
import { makeWithCommands } from "../shared/refusal.js";

const oneDecimalPercentText = (share) => percentText(share, 1, share < 0.1 ? 1 : 0);

export class SimReadings {
  // `callbacks`: choose(finding, model), reveal().
  constructor(section, callbacks) {
    this.section = section;
    this.callbacks = callbacks;
    this.opened = null; // whether the visitor opened or closed the fold of the second model
  }

  showWaiting(words) {
    this.section.replaceChildren(make("p", "sim-waits", words));
  }

  // Show nothing before the visitor has looked at the film; `way`: whether it can be revealed from here.
  showCovered(revealable) {
    this.showWaiting(revealable ? "Findings and scores are hidden. Look at the film first." : "Scores and masks come with the answer.");
    if (!revealable) return;
    const button = Object.assign(make("button", "sim-reveal", "Reveal (H)"), { type: "button" });
    button.addEventListener("click", this.callbacks.reveal);
    this.section.append(button);
  }

  // `answers`: {classifier, text}: each {stage: "said", ...}, a refusal, or undefined while still to come.
  // `beside`: lines about the film beside it, if there is one.
  show(answers, chosen, model, words, beside = []) {
    this.chosen = chosen;
    this.model = model;
    const { classifier, text } = answers;
    const parts = this.makeParts("classifier", classifier);
    const both = classifier?.rows?.length && text?.rows?.length;
    parts.push(...(both ? [this.makeFold("text", text, classifier.unknown.length > 0)] : this.makeParts("text", text)));
    parts.push(...beside.map((line) => make("p", "sim-beside-says", line)));
    if (words) parts.push(make("p", "sim-waits", words));
    this.section.replaceChildren(...parts);
  }

  /** @returns {HTMLElement[]} */
  makeParts(name, answer) {
    if (!answer) return [];
    if (answer.stage !== "said") return [this.makeRefusal(answer)];
    const head = make("h2", "sim-model", answer.model.name);
    head.append(make("span", "sim-model-title", answer.model.title));
    const verdict = answer.rows.length ? [make("p", "sim-plain", outcomeSummary(answer.rows))] : [];
    return [head, ...makeDoubt(answer), ...verdict, ...this.makeFigures(name, answer)];
  }

  // The second model is one line until the visitor opens it, or until the first does not know a present finding.
  makeFold(name, answer, needed) {
    const fold = make("details", "sim-second");
    fold.open = this.opened ?? (needed || name === this.model);
    const head = make("summary", "");
    head.append(make("h2", "sim-model", answer.model.name), make("span", "sim-plain", outcomeSummary(answer.rows)));
    head.addEventListener("click", () => (this.opened = !fold.open));
    fold.append(head, make("p", "sim-note", answer.model.title), ...makeDoubt(answer), ...this.makeFigures(name, answer));
    return fold;
  }

  makeFigures(name, answer) {
    /** @type {HTMLElement[]} */
    const parts = answer.rows.length ? [this.makeTable(name, answer)] : [];
    for (const finding of answer.unknown) parts.push(make("p", "sim-note", finding + " is not looked for: this model was not trained on it."));
    const lines = this.makeLines(name, answer);
    if (lines) parts.push(lines);
    return parts;
  }

  makeRefusal({ title, detail }) {
    const box = make("div", "sim-none");
    box.append(make("p", "sim-none-title", title), makeWithCommands("p", "sim-none-detail", detail));
    return box;
  }

  makeTable(name, { rows }) {
    const table = make("table", "sim-table");
    const head = make("tr", "");
    for (const words of ["Finding", "This film", "Its twin", "Threshold"]) {
      const cell = make("th", "");
      cell.scope = "col";
      cell.append(markTerm(make("span", "", words), words.replace("Its ", "")));
      head.append(cell);
    }
    table.append(make("thead", ""), make("tbody", ""));
    table.tHead.append(head);
    table.tBodies[0].append(...rows.map((row) => this.makeRow(name, row)));
    return table;
  }

  /**
   * @param {string} name
   * @param {ui.simulate.payload.ModelScorePayload} row
   */
  makeRow(name, row) {
    const line = make("tr", "");
    line.dataset.finding = row.finding;
    const title = make("th", "");
    title.scope = "row";
    const button = make("button", "sim-row", row.finding);
    button.type = "button";
    button.title = "Where this model looks for it";
    button.setAttribute("aria-pressed", String(row.finding === this.chosen && name === this.model));
    button.addEventListener("click", () => this.callbacks.choose(row.finding, name));
    title.append(button);
    if (!row.seen) title.append(make("span", "sim-unseen", "zero-shot"));
    line.append(title, this.makeScoreCell(row, row.doubt), this.makeScoreCell(row.twin), make("td", "sim-cut", row.threshold === null ? "none" : scoreText(row.threshold)));
    return line;
  }

  makeScoreCell({ score: value, outcome }, doubt) {
    const cell = make("td", "sim-said-of");
    cell.append(make("span", "sim-score", scoreText(value)));
    const word = make("span", "outcome sim-outcome");
    showOutcome(word, outcome, "no threshold");
    cell.append(word);
    if (doubt) cell.append(make("span", "sim-unsure", STATE_WORDS[doubt]));
    return cell;
  }

  // Figures of the chosen finding, and the classifier's other flags.
  /**
   * @param {string} name
   * @param {ui.simulate.payload.JudgementPayload} answer
   */
  makeLines(name, { heat, missed, rows, false_alarms: alarms }) {
    const list = make("dl", "sim-lines");
    const line = (words, value, title = "") => {
      const definition = make("dd", "", value);
      definition.title = title;
      definition.dataset.line = words;
      list.append(make("dt", "", words), definition);
    };
    const inside = heat?.inside[this.chosen];
    if (inside) line("Heat in the mask", heatInMaskText(inside), "The share of this map's heat that lies inside the exact mask");
    if (missed && rows.some(({ finding }) => finding === this.chosen)) line(...this.missedWords(missed));
    if (name === "classifier") line("Also flagged", alarms.length ? shortListText(alarms.map(alarmText), 4) : "no other finding");
    return list.children.length ? list : null;
  }

  /** @param {ui.simulate.payload.MissedPayload} missed */
  missedWords({ cohort, version, center, thresholds, split, origin, findings }) {
    const counts = findings[this.chosen];
    const centerWords = "Center " + center + bracketed(origin);
    const words = counts?.n
      ? "missed " + wholeText(counts.hits) + " of " + wholeText(counts.n) + ": " + rateText(counts)
      : "no film with " + this.chosen + " there: nothing can be counted";
    return [centerWords, words, ["In the cohort " + cohort + ", version " + version, split, "Thresholds: " + thresholds].join(". ")];
  }
}

const makeDoubt = ({ refused }) => (refused ? [make("p", "sim-doubt", refused)] : []);

// The outcomes of the present findings, and of the same findings on the healthy twin, where they are absent.
/** @param {ui.simulate.payload.ModelScorePayload[]} rows */
export function outcomeSummary(rows) {
  const unjudged = rows.filter(({ doubt }) => doubt === "cannot judge").map(({ finding }) => finding);
  if (unjudged.length === rows.length) return "This model cannot judge " + shortListText(unjudged) + ": a score says nothing.";
  const judged = rows.filter(({ outcome, doubt }) => outcome !== null && doubt !== "cannot judge");
  if (!judged.length) return "No threshold is known for what is there: its scores are neither positive nor negative.";
  const [found, twin] = [judged.filter(({ outcome }) => outcome === "hit"), judged.filter(({ twin: { outcome } }) => outcome === "false alarm")];
  if (judged.length > 1) return "Flagged " + found.length + " of the " + judged.length + " findings that are there, and " + (twin.length || "none") + " of them on the healthy twin.";
  if (!found.length) return twin.length ? "Missed here, but flagged on the healthy twin." : "Missed here; not flagged on the healthy twin either.";
  return "Flagged here, " + (twin.length ? "but on the healthy twin, too." : "and not on the healthy twin.");
}

function heatInMaskText({ heat, mask }) {
  if (heat === null) return "the map has no heat";
  return oneDecimalPercentText(heat) + "; by chance " + oneDecimalPercentText(mask) + ", the mask's share of the film";
}

const alarmText = ({ finding, score: value, twin }) => finding + " " + scoreText(value) + (twin ? " (on the twin too)" : "");

// Why no map is shown by default, as in Read.
/** @param {ui.simulate.payload.ModelScorePayload} row */
export function noMapWords(row, view) {
  const { outcome } = view === "twin" ? row.twin : row;
  if (row.doubt === "cannot judge") return "No map: this model cannot judge " + row.finding + ".";
  if (outcome === null) return "No threshold is known for " + row.finding + ".";
  if (outcome === "hit" || outcome === "false alarm") return "";
  return "No map: " + row.finding + " is not flagged.";
}
