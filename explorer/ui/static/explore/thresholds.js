// The dialog of a model's thresholds: chosen by a rule on films, set by hand for one finding, or the model's own.

import { make } from "../shared/elements.js";
import { estimateTexts, roundTo, wholeText } from "../shared/figures.js";
import { showRefusal } from "../shared/refusal.js";

const THRESHOLD_DIGITS = 4; // significant digits, because a threshold may be small

export class Thresholds {
  constructor(room, explore) {
    this.explore = explore;
    this.opener = room.querySelector(".thresholds-open");
    this.dialog = room.querySelector("dialog.thresholds");
    const find = (name) => this.dialog.querySelector(name);
    this.rule = find(".thresholds-rule");
    this.where = find(".thresholds-where");
    this.own = find(".thresholds-own");
    this.status = find(".thresholds-said");
    this.films = find(".thresholds-films");
    this.rows = find("tbody");
    this.opener.addEventListener("click", () => this.open());
    find(".thresholds-close").addEventListener("click", () => this.dialog.close());
    find("form").addEventListener("submit", (event) => this.choose(event));
    this.own.addEventListener("click", () => this.change("thresholds_own"));
    this.rows.addEventListener("change", (event) => this.setByHand(event.target));
  }

  // Beside the sentence: which thresholds decide the outcomes.
  show(words) {
    this.opener.hidden = Boolean(this.explore.state.hide);
    this.opener.textContent = "Thresholds: " + words;
    if (this.opener.hidden) this.dialog.close();
  }

  async open() {
    const answer = await this.explore.ask("thresholds_shown");
    if (!answer) return;
    this.draw(answer);
    if (!this.dialog.open) this.dialog.showModal();
  }

  choose(event) {
    event.preventDefault();
    this.change("thresholds_chosen", { rule: this.rule.value, where: this.where.value });
  }

  setByHand(field) {
    const { finding } = field.dataset;
    const value = field.valueAsNumber;
    if (Number.isFinite(value)) return this.change("thresholds_by_hand", { finding, value });
    field.value = field.defaultValue;
    this.status.textContent = "Give a number as the threshold of " + finding + ".";
  }

  // Outcomes have changed: the page is requested again.
  async change(question, extra = {}) {
    this.status.textContent = "Counting";
    const answer = await this.explore.ask(question, extra);
    if (!answer) return;
    this.draw(answer);
    if (answer.stage !== "refused") this.explore.outcomesChanged();
  }

  /** @param {ui.explore.threshold_calls.ThresholdsPayload | (ui.shared.refusals.RefusedPayload & { stage: "refused" })} answer */
  draw(answer) {
    if (answer.stage === "refused") return showRefusal(this.status, answer);
    this.dialog.querySelector("h2").textContent = answer.title;
    this.status.textContent = "In force: " + answer.words + ".";
    this.films.textContent = answer.films;
    fillSelect(this.rule, answer.rules, answer.rule);
    fillSelect(this.where, answer.places, answer.where);
    this.own.disabled = answer.own;
    const focused = this.rows.contains(document.activeElement) && /** @type {HTMLElement} */ (document.activeElement).dataset.finding;
    this.rows.replaceChildren(...answer.lines.map((line) => makeRow(line, answer)));
    if (focused) [...this.rows.querySelectorAll("input")].find(({ dataset }) => dataset.finding === focused)?.focus();
  }
}

function fillSelect(select, choices, chosen) {
  select.replaceChildren(...choices.map(({ word, name }) => new Option(name, word, false, word === chosen)));
}

function makeRow(line, { unit }) {
  const row = make("tr", "");
  const finding = make("th", "", line.finding);
  finding.scope = "row";
  row.append(finding, makeThresholdCell(line, unit), make("td", "thresholds-count", wholeText(line.positives)));
  row.append(...[line.sensitivity, line.specificity].map((rate) => makeRateCell(rate)));
  return row;
}

function makeThresholdCell(line, unit) {
  const cell = make("td", "thresholds-value");
  const field = make("input", "");
  Object.assign(field, { type: "number", step: "any", required: true });
  if (unit === "score") Object.assign(field, { min: 0, max: 1 });
  if (line.least !== null && line.least === line.most) field.defaultValue = shortThreshold(line.least);
  field.placeholder = line.least === null ? "none" : shortThreshold(line.least) + " to " + shortThreshold(line.most);
  field.dataset.finding = line.finding;
  field.setAttribute("aria-label", "Threshold of " + line.finding);
  const note = line.by_hand ? "by hand" : (line.reason ?? "");
  cell.append(field, make("span", "thresholds-note", note));
  return cell;
}

const shortThreshold = (value) => String(roundTo(value, THRESHOLD_DIGITS)); // the format of a number field

function makeRateCell({ value, interval, n }) {
  const cell = make("td", "");
  if (value === null) return Object.assign(cell, { textContent: "nothing to count", className: "thresholds-nothing" });
  const [figure, intervalText] = estimateTexts({ value, low: interval[0], high: interval[1] });
  cell.append(figure, make("span", "thresholds-interval", " " + intervalText + " n " + wholeText(n)));
  return cell;
}
