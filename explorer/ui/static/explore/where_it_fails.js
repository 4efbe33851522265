// Slices on which the model fails more often than on the other films: ranked by cost, each opens its films.

import { download } from "../shared/exports.js";
import { make } from "../shared/elements.js";
import { countText, differenceTexts, intervalOrReason, pText, percentRateText, wholeText } from "../shared/figures.js";
import { changedState } from "./address.js";
import { countsText, makeDumbbell, makeRateFigures } from "./confusions.js";
import { ExplorePanel, makeCountedSentence, makeDetails, makeFilmButton, makeNotice, makePanelChoice, makePlainWords, upperFirst } from "./panel_base.js";

const FAILURE_OPTIONS = [
  ["miss", "Misses"],
  ["false alarm", "False alarms"],
];
const SOURCE_OPTIONS = [
  ["facets", "Facets"],
  ["embeddings", "Embeddings"],
  ["spectra", "Spectra"],
];
const FAILED_WORDS = { miss: "missed", "false alarm": "false alarms" };
const WORSE_MEASURE = { miss: "sensitivity", "false alarm": "specificity" };
const NOT_OF_SLICE = ["page", "panel", "case", "look", "beside", "hide", "shuffle", "sort", "measure", "ask", "within", "fails", "failure"];

export class WhereItFails extends ExplorePanel {
  /** @override */
  question = "where_it_fails";

  /**
   * @override
   * @param {ui.explore.where_it_fails_calls.FailsPanelPayload | ui.explore.where_it_fails_calls.LookingPanelPayload} answer
   */
  draw(answer) {
    const parts = [this.makeHead(answer), this.makeChoices(answer)];
    if (answer.computing) parts.push(makeWaiting(answer));
    else parts.push(...this.makeFound(answer));
    this.box.replaceChildren(...parts);
  }

  get currentFailure() {
    const { failure } = this.explore.state;
    return failure === "false alarm" ? failure : "miss";
  }

  makeHead(answer) {
    const head = make("header", "panel-head-line flex-row flex-wraps");
    head.append(makeCountedSentence(answer));
    if (!this.explore.state.within) return head;
    const buttons = make("p", "fails-ways");
    buttons.append(this.makeButton("Back to all these films", "back", () => this.leaveSlice(answer)));
    buttons.append(this.makeButton("Look within the films shown", "within", () => this.explore.change({ within: null }, { keep: true })));
    head.append(buttons);
    return head;
  }

  /** @param {{source: string, computing: boolean, rows?: ui.explore.where_it_fails_payload.FailingSlicePayload[]}} answer */
  makeChoices({ source, computing, rows }) {
    const line = make("div", "fails-choices");
    const words = FAILURE_OPTIONS.map(([value, name]) => [value, computing ? name : name + " " + wholeText(rows.filter((row) => row.failure === value && row.worse).length)]);
    line.append(makePanelChoice("Failures", words, this.currentFailure, (failure) => this.explore.change({ failure: failure === "miss" ? null : failure }, { keep: true })));
    line.append(makePanelChoice("Look by", SOURCE_OPTIONS, source, (fails) => this.explore.change({ fails: fails === "facets" ? null : fails }, { keep: true })));
    if (!computing && rows.length) line.append(this.makeButton("CSV", "csv", () => this.save()));
    return line;
  }

  makeFound(answer) {
    const rows = answer.rows.filter((row) => row.failure === this.currentFailure);
    const [worse, others] = [rows.filter((row) => row.worse), rows.filter((row) => !row.worse)];
    /** @type {HTMLElement[]} */
    const parts = [makePlainWords(howToReadWords(answer, this.currentFailure))];
    if (worse.length) parts.push(this.makeKey(), this.makeList(worse, answer));
    else parts.push(makeNotice("No such slice was found", "The model fails no more often on any examined slice than on the other films, judged on the other half of the patients. With so few films a small difference may be missed."));
    if (others.length) parts.push(this.makeUnconfirmedFold(others, answer));
    parts.push(makeDetails(explanationLines(answer, this.currentFailure)));
    return parts;
  }

  makeKey() {
    const key = make("p", "confusion-key fails-key");
    key.dataset.failure = this.currentFailure;
    for (const [mark, words] of [
      ["among", FAILED_WORDS[this.currentFailure] + " in the slice"],
      ["rest", "on the other films"],
    ]) {
      const entry = make("span", "confusion-entry");
      entry.append(make("span", "confusion-mark " + mark), words);
      key.append(entry);
    }
    key.append(make("span", "fails-unit", "cost: percentage points of " + WORSE_MEASURE[this.currentFailure]));
    return key;
  }

  makeList(rows, answer) {
    const list = make("ol", "fails");
    for (const row of rows) list.append(row.state ? this.makeSlice(row, answer) : this.makeCluster(row, answer));
    return list;
  }

  makeUnconfirmedFold(rows, answer) {
    const box = make("details", "fails-unconfirmed muted small");
    box.append(make("summary", "", countText(rows.length, "slice") + " that the other half of the patients did not confirm"), this.makeList(rows, answer));
    return box;
  }

  makeSlice(row, answer) {
    const button = make("button", "fails-row");
    button.type = "button";
    button.dataset.key = "fails " + row.finding + " " + row.words;
    button.dataset.failure = row.failure;
    button.setAttribute("aria-label", spokenSliceText(row));
    button.setAttribute("aria-pressed", String(this.isShown(row)));
    button.append(...makeCells(row, answer));
    button.addEventListener("click", () => (this.isShown(row) ? this.leaveSlice(answer) : this.narrowTo(row, answer)));
    const place = make("li", "");
    place.append(button);
    return place;
  }

  makeCluster(row, answer) {
    const place = make("li", "fails-cluster");
    const line = make("div", "fails-row");
    line.dataset.failure = row.failure;
    line.append(...makeCells(row, answer));
    const films = make("div", "fails-films");
    for (const film of row.first) films.append(makeFilmButton(film, this.explore));
    const buttons = make("p", "fails-ways");
    buttons.append(this.makeButton("Keep its " + countText(row.films, "film") + " as a list", "list " + row.finding + " " + row.words, () => this.saveClusterAsList(row, answer)));
    place.append(line, makeMarks(row), films, buttons);
    return place;
  }

  // A cluster is not a filter: its films are saved as a list, and the list is the filter.
  async saveClusterAsList({ finding, words, failure }, answer) {
    const kept = await this.explore.ask("cluster_listed", { finding, words, failure });
    if (kept?.stage === "cluster listed") this.narrowTo(kept, answer);
  }

  isShown({ state }) {
    const now = this.explore.state;
    return Object.entries(state).every(([name, value]) => now[name] === value) && Object.keys(sliceWordsOf(now)).every((name) => name in state);
  }

  // Narrow the gallery to the failures of the slice; the panel still searches the same films as before.
  narrowTo({ state }, { within }) {
    this.explore.change({ ...this.wordsToRemove(), ...state, within });
  }

  leaveSlice({ within }) {
    this.explore.change({ ...this.wordsToRemove(), ...Object.fromEntries(new URLSearchParams(within)), within: null });
  }

  // The changes that remove every filter.
  wordsToRemove() {
    return Object.fromEntries(Object.keys(sliceWordsOf(this.explore.state)).map((name) => [name, null]));
  }

  async save() {
    const answer = await this.explore.ask("where_it_fails_file");
    if (answer?.stage !== "export") return;
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
  }
}

const sliceWordsOf = (state) => changedState(state, Object.fromEntries(NOT_OF_SLICE.map((name) => [name, null])));

function makeWaiting({ done, of, what }) {
  const words = of ? wholeText(done) + " of " + wholeText(of) + " " + what : "Waiting for a turn";
  return make("p", "panel-count muted small computing", "Looking: " + words);
}

function makeCells(row, { findings }) {
  const name = make("span", "fails-name", findings.length > 1 ? row.finding + ": " + lowerFirst(row.name) : row.name);
  const number = row.name === row.words ? "" : row.words + ", ";
  name.append(make("span", "cell-n muted small", number + countText(row.films, "film") + ", n+ " + wholeText(row.positives)));
  return [name, makeDumbbell(row.here, row.rest), makeRateFigures(row.here, "among"), makeRateFigures(row.rest, "rest"), makeCost(row)];
}

function makeCost({ cost, adjusted }) {
  const box = make("span", "fails-cost");
  const [value, interval] = pointTexts(cost);
  box.append(make("span", "cell-value", value), make("span", "cell-interval muted small", intervalOrReason(interval, false)), make("span", "cell-n muted small", "p " + adjustedPText(adjusted)));
  return box;
}

// A cost in percentage points.
const pointTexts = ({ value, low, high }) => differenceTexts({ value: 100 * value, low: low === null ? null : 100 * low, high: 100 * high }, 1);
const adjustedPText = (p) => (p === null ? "not defined" : pText(p));
const lowerFirst = (text) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

function spokenSliceText(row) {
  const { finding, name, failure, here, rest, cost, adjusted } = row;
  const points = pointTexts(cost)[0] + " percentage points of " + WORSE_MEASURE[failure];
  return finding + ", " + name + ": " + FAILED_WORDS[failure] + " " + countsText(here) + ", on the other films " + countsText(rest) + ". It costs " + points + ", p " + adjustedPText(adjusted) + ".";
}

// What is more frequent in a cluster's films, among those on which the model can fail this way.
function makeMarks({ finding, failure, marks }) {
  const box = make("div", "fails-marks");
  if (!marks.length) {
    box.append(make("p", "", "No filter separates these films from the others."));
    return box;
  }
  const kindOfFilm = (failure === "miss" ? " with " : " without ") + finding;
  const [{ here, rest }] = marks;
  box.append(make("p", "", "More often than the others: shares of its " + countText(here.n, "film") + kindOfFilm + " and of " + wholeText(rest.n) + " others."));
  const list = make("ul", "");
  for (const mark of marks) {
    const line = make("li", "");
    line.append(make("span", "fails-mark", upperFirst(mark.words)), make("span", "", percentRateText(mark.here, 0)), make("span", "cell-n muted small", "others " + percentRateText(mark.rest, 0)));
    list.append(line);
  }
  box.append(list);
  return box;
}

function howToReadWords({ looked, counted, looks }, failure) {
  const meaning = failure === "miss" ? "Films in which this model misses more often than in the others." : "Films on which this model gives more false alarms than on the others.";
  return meaning + " Slices were chosen on half of the patients, " + countText(looked, "film") + ", out of " + countText(looks, "look") + "; the figures are of the other half, " + countText(counted, "film") + ".";
}

function explanationLines({ findings, left_out: leftOut, made_of: madeOf }, failure) {
  const lines = [
    "Cost: what the " + WORSE_MEASURE[failure] + " over all these films would gain, in percentage points, if the model did as well in the slice as on the others; 95 % interval by a bootstrap over patients.",
    "Slices are ranked by the low end of that interval.",
    "p: one-sided, adjusted by Benjamini and Hochberg over all slices that were counted.",
    "A slice that fails only because it shares films with one above it is not listed.",
  ];
  if (madeOf) lines.push("Clusters of " + madeOf + "; the films shown are misread ones first, then those most certainly of the cluster.");
  if (findings.length > 1) lines.push(countText(findings.length, "finding") + " were looked at.");
  if (leftOut.length) lines.push("Too few films or no threshold: " + leftOut.join(", ") + ".");
  return lines;
}
