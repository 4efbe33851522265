// A threshold to drag over the scores of one model. Counts follow at once, from the scores kept here; intervals come
// from the server when the threshold rests.

import { make } from "../../shared/elements.js";
import { countText, percentEstimateTexts, significantText, wholeText } from "../../shared/figures.js";
import { watchLatest } from "../../shared/latest.js";
import { makeOutcomeBadge } from "../../shared/outcome.js";
import { refusalWords } from "../../shared/refusal.js";
import { changedComparison, evaluateAddress } from "../address.js";
import { makeButtonChoice } from "../tables.js";
import { makeFindingChoice, thresholdText } from "./finding_parts.js";

const RESTS_AFTER = 250; // ms without a move
const RATES = [
  ["sensitivity", "Sensitivity"],
  ["specificity", "Specificity"],
  ["ppv", "PPV"],
  ["npv", "NPV"],
];
const COUNTS = [
  ["hits", "hit", "TP"],
  ["false_alarms", "false alarm", "FP"],
  ["misses", "miss", "FN"],
  ["correct_rejections", "correct rejection", "TN"],
];

export class ThresholdTool {
  constructor(content, evaluate, drawn) {
    this.content = content;
    this.evaluate = evaluate;
    this.drawn = drawn;
    this.steps = content.steps;
    this.answer = null;
    this.refusal = "";
    this.marks = content.marks[content.reference].filter(({ low, high }) => low !== null && low === high);
    this.at = Number(evaluate.state.at ?? this.marks[0]?.low ?? this.steps.scores[0]);
    this.box = make("section", "threshold-tool");
    this.box.setAttribute("aria-label", "A threshold to drag");
    this.slider = this.makeSlider();
    this.place = make("output", "threshold-place");
    this.counts = make("div", "threshold-counts flex-row flex-wraps");
    this.rates = make("dl", "threshold-rates");
    this.said = make("p", "threshold-said");
    this.said.setAttribute("role", "status");
    this.box.append(this.makeTop(), this.makeThresholdField(), this.counts, this.rates, this.said);
    this.update();
    this.askForIntervals();
  }

  makeTop() {
    const { models, words, reference } = this.content;
    const box = make("div", "threshold-top flex-row flex-wraps");
    const options = models.map(({ name }, place) => ({ name, word: words[place] }));
    box.append(makeFindingChoice("Threshold of", "threshold model", options, words[reference], (word) => this.evaluate.change({ reference: word, at: null })));
    box.append(makeButtonChoice("Jump to", this.marks.map(({ name }) => ({ word: name, name })), "", (word) => this.goTo(this.marks.find(({ name }) => name === word).low)), this.makePrevalenceField());
    return box;
  }

  makeThresholdField() {
    const label = make("label", "threshold-row");
    label.append(make("span", "", "Threshold"), this.slider, this.place);
    return label;
  }

  makeSlider() {
    const slider = make("input", "threshold-slider");
    Object.assign(slider, { type: "range", min: 1, max: this.steps.scores.length, step: 1 });
    slider.dataset.key = "threshold";
    slider.addEventListener("input", () => this.goTo(this.steps.scores[this.steps.scores.length - Number(slider.value)]));
    return slider;
  }

  makePrevalenceField() {
    const label = make("label", "threshold-prevalence", "Prevalence");
    const input = make("input", "");
    Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", maxLength: 20 });
    input.value = this.evaluate.state.prevalence ?? "";
    input.placeholder = percentNumber(this.content.prevalence);
    input.dataset.key = "prevalence";
    input.addEventListener("change", () => {
      this.keepInAddress({ prevalence: input.value.trim() });
      this.askForIntervals();
    });
    label.append(input, make("span", "", "%"));
    return label;
  }

  goTo(at) {
    this.at = at;
    this.answer = null;
    this.keepInAddress({ at });
    this.update();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.askForIntervals(), RESTS_AFTER);
  }

  // Put words in the address, without a request to the server and without a history entry for each move.
  keepInAddress(words) {
    this.evaluate.state = changedComparison(this.evaluate.state, words);
    history.replaceState(null, "", evaluateAddress(this.evaluate.state));
  }

  async askForIntervals() {
    const isLatest = watchLatest(() => JSON.stringify([this.at, this.evaluate.state]));
    const answer = await this.evaluate.ask("point", { state: { ...this.evaluate.state, at: String(this.at) } });
    if (!isLatest() || !this.box.isConnected) return;
    this.refusal = answer.stage === "point" ? "" : refusalWords(answer);
    this.answer = answer.stage === "point" ? answer : null;
    this.update();
  }

  // The films flagged at a threshold: scores are in descending order, so the last one to reach it is the step.
  countOutcomes() {
    const { scores, hits, false_alarms } = this.steps;
    const step = countReaching(scores, this.at);
    const { films, positives } = this.content;
    const found = { hits: step ? hits[step - 1] : 0, false_alarms: step ? false_alarms[step - 1] : 0 };
    return { step, ...found, misses: positives - found.hits, correct_rejections: films - positives - found.false_alarms };
  }

  update() {
    const now = this.countOutcomes();
    const { films, positives } = this.content;
    const called = now.hits + now.false_alarms;
    const sensitivity = now.hits / positives;
    const falseAlarmRate = now.false_alarms / (films - positives);
    this.slider.value = String(this.steps.scores.length + 1 - Math.max(1, now.step));
    this.place.textContent = thresholdText(this.at);
    this.slider.setAttribute("aria-valuetext", thresholdText(this.at) + ", " + called + " of " + countText(films, "film") + " called");
    this.counts.replaceChildren(...COUNTS.map(([key, outcome, short]) => makeCount(outcome, short, now[key])));
    const live = { sensitivity, specificity: 1 - falseAlarmRate, ...this.predictiveValues(sensitivity, falseAlarmRate) };
    this.rates.replaceChildren(...RATES.flatMap(([key, name]) => this.makeRate(key, name, live[key])));
    this.said.textContent = this.refusal || this.summaryText(called, sensitivity, falseAlarmRate);
    this.said.classList.toggle("refused", Boolean(this.refusal));
    this.markOnCurves(falseAlarmRate, sensitivity, called ? now.hits / called : null);
  }

  get typedPrevalence() {
    const typed = Number(this.evaluate.state.prevalence) / 100;
    return typed > 0 && typed < 1 ? typed : this.content.prevalence;
  }

  predictiveValues(sensitivity, falseAlarmRate) {
    const p = this.typedPrevalence;
    const [right, wrong] = [p * sensitivity, (1 - p) * falseAlarmRate];
    const [missed, rejected] = [p * (1 - sensitivity), (1 - p) * (1 - falseAlarmRate)];
    return { ppv: right + wrong ? right / (right + wrong) : null, npv: missed + rejected ? rejected / (missed + rejected) : null };
  }

  // First on these films, then at the typed or the natural prevalence.
  summaryText(called, sensitivity, falseAlarmRate) {
    const { films, positives, weighted } = this.content;
    const per = (part) => wholeText(Math.round(1000 * part));
    const split = (p) => per(p * sensitivity) + " with the finding, " + per((1 - p) * falseAlarmRate) + " false alarms; " + per(p * (1 - sensitivity)) + " are missed.";
    const onTheseFilms = "Of 1,000 films like these " + per(called / films) + " are called: " + split(positives / films);
    const p = this.typedPrevalence;
    if (Math.abs(p - positives / films) < 1e-9) return onTheseFilms;
    const nature = weighted && !this.evaluate.state.prevalence ? ", nature's," : "";
    return onTheseFilms + " At a prevalence of " + percentNumber(p) + "\u00a0%" + nature + " " + per(p * sensitivity + (1 - p) * falseAlarmRate) + ": " + split(p);
  }

  makeRate(key, name, value) {
    const settled = key in RATES_WITH_INTERVAL ? this.answer?.mark[key] : this.answer?.[key];
    const term = make("dt", "", name + (key.endsWith("pv") ? " at " + percentNumber(this.typedPrevalence) + "\u00a0%" : ""));
    const none = key === "ppv" ? "nothing called" : "everything called";
    if (value === null) return [term, make("dd", "", none)];
    const box = make("dd", "");
    const texts = settled && settled.value !== null ? percentEstimateTexts(settled, 1) : [percentNumber(value) + "\u00a0%", "\u00a0"];
    box.append(make("span", "board-value", texts[0]), make("span", "board-reach muted small", texts[1]));
    return [term, box];
  }

  // The open circle on both curves. The chart draws itself once its script is loaded.
  markOnCurves(falseAlarmRate, sensitivity, precision) {
    if (this.content.weighted) return; // the curves weight films, this mark does not
    const [x, y] = [[[falseAlarmRate], [sensitivity]], [[sensitivity], [precision]]];
    const places = this.content.figure.data.length;
    [x, y].forEach((each, axis) => each.forEach((value, trace) => (this.content.figure.data[places - 2 + trace]["xy"[axis]] = value)));
    if (this.drawn.data && window.Plotly) window.Plotly.restyle(this.drawn, { x, y }, [places - 2, places - 1]);
  }
}

const RATES_WITH_INTERVAL = { sensitivity: true, specificity: true };
const percentNumber = (share) => significantText(100 * share, 3);

function makeCount(outcome, short, films) {
  const box = make("span", "threshold-count");
  box.append(makeOutcomeBadge(outcome, short), make("strong", "", wholeText(films)));
  return box;
}

// How many of the descending scores reach a threshold.
function countReaching(scores, threshold) {
  let [low, high] = [0, scores.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scores[middle] >= threshold) low = middle + 1;
    else high = middle;
  }
  return low;
}
