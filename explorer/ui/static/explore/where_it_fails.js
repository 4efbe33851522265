// Slices on which the model fails more often than on the other films: ranked by cost, each opens its films.

import { download } from "../shared/exports.js";
import { make } from "../shared/elements.js";
import { differenceTexts, pText, percentRate, plural, reachText, whole } from "../shared/figures.js";
import { changed } from "./address.js";
import { counts, dumbbell, figures } from "./confusions.js";
import { ExplorePanel, choice, details, filmButton, notice, plain, said, upperFirst } from "./panel_base.js";

const FAILURES = [
  ["miss", "Misses"],
  ["false alarm", "False alarms"],
];
const SOURCES = [
  ["facets", "Facets"],
  ["embeddings", "Embeddings"],
  ["spectra", "Spectra"],
];
const FAILED = { miss: "missed", "false alarm": "false alarms" };
const MADE_WORSE = { miss: "sensitivity", "false alarm": "specificity" };
const NOT_WORDS = ["page", "panel", "case", "look", "beside", "hide", "shuffle", "sort", "measure", "ask", "within", "fails", "failure"];

export class WhereItFails extends ExplorePanel {
  /** @override */
  question = "where_it_fails";
  /** @override */
  partial = true; // how far it is

  /**
   * @override
   * @param {ui.explore.where_it_fails_calls.FailsPanelPayload | ui.explore.where_it_fails_calls.LookingPanelPayload} answer
   */
  draw(answer) {
    const parts = [this.head(answer), this.choices(answer)];
    if (answer.computing) parts.push(waiting(answer));
    else parts.push(...this.found(answer));
    this.box.replaceChildren(...parts);
  }

  get failure() {
    const { failure } = this.explore.state;
    return failure === "false alarm" ? failure : "miss";
  }

  head(answer) {
    const head = make("header", "panel-head-line");
    head.append(said(answer));
    if (!this.explore.state.within) return head;
    const ways = make("p", "fails-ways");
    ways.append(this.way("Back to all these films", "back", () => this.back(answer)));
    ways.append(this.way("Look within the films shown", "within", () => this.explore.change({ within: null }, { keep: true })));
    head.append(ways);
    return head;
  }

  /** @param {{source: string, computing: boolean, rows?: ui.explore.where_it_fails_payload.FailingSlicePayload[]}} answer */
  choices({ source, computing, rows }) {
    const line = make("div", "fails-choices");
    const words = FAILURES.map(([value, name]) => [value, computing ? name : name + " " + whole(rows.filter((row) => row.failure === value && row.worse).length)]);
    line.append(choice("Failures", words, this.failure, (failure) => this.explore.change({ failure: failure === "miss" ? null : failure }, { keep: true })));
    line.append(choice("Look by", SOURCES, source, (fails) => this.explore.change({ fails: fails === "facets" ? null : fails }, { keep: true })));
    if (!computing && rows.length) line.append(this.way("CSV", "csv", () => this.save()));
    return line;
  }

  found(answer) {
    const rows = answer.rows.filter((row) => row.failure === this.failure);
    const [worse, others] = [rows.filter((row) => row.worse), rows.filter((row) => !row.worse)];
    /** @type {HTMLElement[]} */
    const parts = [plain(readsAs(answer, this.failure))];
    if (worse.length) parts.push(this.key(), this.list(worse, answer));
    else parts.push(notice("No such slice was found", "On no slice that was looked at does the model fail more often than on the other films, as far as the other half of the patients tells. A difference may be too small for so few films."));
    if (others.length) parts.push(this.unconfirmed(others, answer));
    parts.push(details(explained(answer, this.failure)));
    return parts;
  }

  key() {
    const key = make("p", "confusion-key fails-key");
    key.dataset.failure = this.failure;
    for (const [mark, words] of [
      ["among", FAILED[this.failure] + " in the slice"],
      ["rest", "on the other films"],
    ]) {
      const entry = make("span", "confusion-entry");
      entry.append(make("span", "confusion-mark " + mark), words);
      key.append(entry);
    }
    key.append(make("span", "fails-unit", "cost: percentage points of " + MADE_WORSE[this.failure]));
    return key;
  }

  list(rows, answer) {
    const list = make("ol", "fails");
    for (const row of rows) list.append(row.state ? this.slice(row, answer) : this.cluster(row, answer));
    return list;
  }

  unconfirmed(rows, answer) {
    const box = make("details", "fails-unconfirmed");
    box.append(make("summary", "", plural(rows.length, "slice") + " that the other half of the patients did not confirm"), this.list(rows, answer));
    return box;
  }

  slice(row, answer) {
    const button = make("button", "fails-row");
    button.type = "button";
    button.dataset.key = "fails " + row.finding + " " + row.words;
    button.dataset.failure = row.failure;
    button.setAttribute("aria-label", spoken(row));
    button.setAttribute("aria-pressed", String(this.shows(row)));
    button.append(...cells(row, answer));
    button.addEventListener("click", () => (this.shows(row) ? this.back(answer) : this.narrow(row, answer)));
    const place = make("li", "");
    place.append(button);
    return place;
  }

  cluster(row, answer) {
    const place = make("li", "fails-cluster");
    const line = make("div", "fails-row");
    line.dataset.failure = row.failure;
    line.append(...cells(row, answer));
    const films = make("div", "fails-films");
    for (const film of row.first) films.append(filmButton(film, this.explore));
    const way = make("p", "fails-ways");
    way.append(this.way("Keep its " + plural(row.films, "film") + " as a list", "list " + row.finding + " " + row.words, () => this.listed(row, answer)));
    place.append(line, marksOf(row), films, way);
    return place;
  }

  // A cluster is not a filter: its films are saved as a list, and the list is the filter.
  async listed({ finding, words, failure }, answer) {
    const kept = await this.explore.ask("cluster_listed", { finding, words, failure });
    if (kept?.stage === "cluster listed") this.narrow(kept, answer);
  }

  shows({ state }) {
    const now = this.explore.state;
    return Object.entries(state).every(([name, value]) => now[name] === value) && Object.keys(wordsOf(now)).every((name) => name in state);
  }

  // Narrow the gallery to the failures of the slice; the panel still searches the films of before.
  narrow({ state }, { within }) {
    this.explore.change({ ...this.away(), ...state, within });
  }

  back({ within }) {
    this.explore.change({ ...this.away(), ...Object.fromEntries(new URLSearchParams(within)), within: null });
  }

  // The changes that remove every filter.
  away() {
    return Object.fromEntries(Object.keys(wordsOf(this.explore.state)).map((name) => [name, null]));
  }

  async save() {
    const answer = await this.explore.ask("where_it_fails_file");
    if (answer?.stage !== "export") return;
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
  }
}

const wordsOf = (state) => changed(state, Object.fromEntries(NOT_WORDS.map((name) => [name, null])));

function waiting({ done, of, what }) {
  const words = of ? whole(done) + " of " + whole(of) + " " + what : "Waiting for a turn";
  return make("p", "panel-count computing", "Looking: " + words);
}

function cells(row, { findings }) {
  const name = make("span", "fails-name", findings.length > 1 ? row.finding + ": " + lowerFirst(row.name) : row.name);
  const number = row.name === row.words ? "" : row.words + ", ";
  name.append(make("span", "cell-n", number + plural(row.films, "film") + ", n+ " + whole(row.positives)));
  return [name, dumbbell(row.here, row.rest), figures(row.here, "among"), figures(row.rest, "rest"), costOf(row)];
}

function costOf({ cost, adjusted }) {
  const box = make("span", "fails-cost");
  const [value, reach] = pointTexts(cost);
  box.append(make("span", "cell-value", value), make("span", "cell-interval", reachText(reach, false)), make("span", "cell-n", "p " + chance(adjusted)));
  return box;
}

// A cost in percentage points.
const pointTexts = ({ value, low, high }) => differenceTexts({ value: 100 * value, low: low === null ? null : 100 * low, high: 100 * high }, 1);
const chance = (p) => (p === null ? "not defined" : pText(p));
const lowerFirst = (text) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

function spoken(row) {
  const { finding, name, failure, here, rest, cost, adjusted } = row;
  const points = pointTexts(cost)[0] + " percentage points of " + MADE_WORSE[failure];
  return finding + ", " + name + ": " + FAILED[failure] + " " + counts(here) + ", on the other films " + counts(rest) + ". It costs " + points + ", p " + chance(adjusted) + ".";
}

// What is more frequent in a cluster's films, among those on which the model can fail this way.
function marksOf({ finding, failure, marks }) {
  const box = make("div", "fails-marks");
  if (!marks.length) {
    box.append(make("p", "", "No filter tells these films from the others."));
    return box;
  }
  const such = (failure === "miss" ? " with " : " without ") + finding;
  const [{ here, rest }] = marks;
  box.append(make("p", "", "More often than the others: shares of its " + plural(here.n, "film") + such + " and of " + whole(rest.n) + " others."));
  const list = make("ul", "");
  for (const mark of marks) {
    const line = make("li", "");
    line.append(make("span", "fails-mark", upperFirst(mark.words)), make("span", "", percentRate(mark.here, 0)), make("span", "cell-n", "others " + percentRate(mark.rest, 0)));
    list.append(line);
  }
  box.append(list);
  return box;
}

function readsAs({ looked, counted, looks }, failure) {
  const what = failure === "miss" ? "Films in which this model misses more often than in the others." : "Films on which this model gives more false alarms than on the others.";
  return what + " Slices were chosen on half of the patients, " + plural(looked, "film") + ", out of " + plural(looks, "look") + "; the figures are of the other half, " + plural(counted, "film") + ".";
}

function explained({ findings, left_out: leftOut, made_of: madeOf }, failure) {
  const lines = [
    "Cost: what the " + MADE_WORSE[failure] + " over all these films would gain, in percentage points, if the model did as well in the slice as on the others; 95 % interval by a bootstrap over patients.",
    "Slices are ranked by the low end of that interval.",
    "p: one-sided, adjusted by Benjamini and Hochberg over all slices that were counted.",
    "A slice that fails only because it shares films with one above it is not listed.",
  ];
  if (madeOf) lines.push("Clusters of " + madeOf + "; the films shown are misread ones first, then those most certainly of the cluster.");
  if (findings.length > 1) lines.push(plural(findings.length, "finding") + " were looked at.");
  if (leftOut.length) lines.push("Too few films or no threshold: " + leftOut.join(", ") + ".");
  return lines;
}
