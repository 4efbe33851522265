// The film compared with the cohort behind its model: nearest cases under the film, rates among the numbers.

import { make, makeBreakable } from "../shared/elements.js";
import { DOT_BETWEEN, NO_NEGATIVES, NO_POSITIVES, countText, rateText, scoreText, wholeText } from "../shared/figures.js";
import { FAR_FROM_TEST_FILMS, labelWords } from "../shared/finding_words.js";
import { markTerm } from "../shared/glossary.js";
import { bracketed, originWords } from "../shared/origin_words.js";
import { showOutcome } from "../shared/outcome.js";
import { GROUP_SOURCES } from "./numbers.js";
import { ownErrorsText, suchFilmsText } from "./plain_words.js";

// A link to a case by its cohort's id; Explore reads the fragment, which no server sees.
function caseAddress({ cohort, model }, id, finding) {
  return "#explore?" + new URLSearchParams({ cohort: cohort.id, model: model.id, case: id, ...(finding ? { look: finding } : {}) });
}

const TALL_WINDOW = 1000; // pixels of window height from which the film stays large enough above the open strip

export class NearestCases {
  // `choose(cohort)`: compare the film with another cohort.
  constructor(strip, choose) {
    this.strip = strip;
    strip.open = innerHeight >= TALL_WINDOW; // otherwise on request: the film comes first
    this.find("cohort").addEventListener("change", (event) => choose(event.target.value));
    this.clear();
  }

  find(name) {
    return this.strip.querySelector(".alike-" + name);
  }

  clear() {
    this.strip.hidden = true;
    this.join = null;
  }

  // Reserve the strip's place as soon as a film is shown: the film does not move when cases come or go.
  showWaiting(words) {
    this.clear();
    this.strip.hidden = false;
    this.showHead("Nearest cases", words);
    this.find("cases").replaceChildren();
    this.find("cohort").hidden = true;
  }

  showHead(title, words, warns = false) {
    this.find("title").textContent = title;
    this.find("words").textContent = this.find("words").title = words;
    this.find("words").classList.toggle("warns", warns);
  }

  show(join, finding) {
    if (join !== this.join) this.draw(join);
    this.join = join;
    if (join.stage === "join") this.showOutcomes(finding);
  }

  /** @param {ui.read.join_payload.JoinPayload | ui.shared.refusals.RefusedPayload} join */
  draw(join) {
    const hasCohort = join.stage === "join";
    if (hasCohort) this.showHead(titleText(join), stripWords(join), join.far || join.copy);
    else this.showHead(join.title, "", true);
    this.find("cases").replaceChildren(...(hasCohort ? join.alike.map((each) => this.makeCase(join, each)) : [make("li", "alike-none muted", join.detail)]));
    this.find("cohort").hidden = !hasCohort || join.cohorts.length < 2;
    if (hasCohort) this.find("cohort").replaceChildren(...join.cohorts.map((each) => this.makeOption(each, join.cohort.id)));
  }

  makeOption({ id, name }, chosen) {
    const option = make("option", "", name);
    option.value = id;
    option.selected = id === chosen;
    return option;
  }

  /**
   * @param {ui.read.join_payload.JoinPayload} join
   * @param {ui.read.join_payload.SimilarCasePayload} each
   */
  makeCase(join, each) {
    const item = make("li", "alike-case");
    const link = make("a", "alike-link");
    link.href = caseAddress(join, each.id, null);
    link.title = factsText(each);
    const text = make("span", "alike-text small");
    text.append(make("span", "alike-labels", labelWords(each)));
    text.append(make("span", "alike-distance muted", distanceText(each)), make("span", "outcome alike-outcome"));
    link.append(this.makePicture(each), text);
    item.append(link);
    return item;
  }

  // The picture if the film's folder was given, otherwise the name of its file.
  makePicture({ thumb, file }) {
    const missing = () => makeBreakable("alike-film alike-missing", file || "no file");
    if (!thumb) return missing();
    const image = new Image(72, 72);
    image.className = "alike-film";
    image.alt = "";
    image.addEventListener("error", () => image.replaceWith(missing()));
    image.src = thumb;
    return image;
  }

  // The outcome of the chosen finding on each nearest case.
  showOutcomes(finding) {
    const items = [...this.find("cases").children];
    this.join.alike.forEach(({ id, scored }, place) => {
      const result = scored[finding];
      items[place].querySelector(".alike-link").href = caseAddress(this.join, id, finding); // it opens on this finding
      const outcome = items[place].querySelector(".alike-outcome");
      showOutcome(outcome, result?.outcome, result ? "no outcome" : finding ? "not scored" : "");
      outcome.title = result ? finding + ": score " + scoreText(result.score) + ", labeled " + result.label : "";
    });
  }
}

/** @param {ui.read.join_payload.JoinPayload} join */
function titleText({ cohort, alike }) {
  const kind = cohort.simulated ? " (SIMULATED)" : "";
  return (alike.length ? "Nearest cases in " : "No features to compare with in ") + cohort.name + kind;
}

/** @param {ui.read.join_payload.JoinPayload} join */
function stripWords({ far, copy }) {
  if (copy) return "The first one is this film, or a copy of it.";
  return far ? "None of them is much like this film." : "";
}

// How near the nearest case is, for a film outside the cohort that is not far from it.
/** @param {ui.read.join_payload.JoinPayload} join */
function makeTypicality({ far, copy, alike }) {
  const nearest = alike[0]?.nearer;
  if (!nearest || far || copy) return [];
  const percent = Math.floor(100 - nearest.percent);
  const closer = "its nearest case is closer than that of " + percent + " % of " + countText(nearest.n, "film") + ".";
  return [make("p", "caveat join-typical", "Typical of the test films: " + closer)];
}

// A percentile puts the distance in proportion: films of the cohort differ too.
function distanceText({ distance: apart, nearer }) {
  return nearer ? "more alike than " + Math.floor(100 - nearer.percent) + " % of pairs" : "distance " + scoreText(apart);
}

/** @param {ui.read.join_payload.SimilarCasePayload} alike */
function factsText({ center, view, sex, age, present, none_of_these: none, distance: apart, nearer }) {
  const film = [center, view === "unknown" ? "" : view, sex === "unknown" ? "" : sex, age === null ? "" : age + " years"];
  const rank =
    nearer &&
    "nearer than " + Math.floor(100 - nearer.percent) + " % of " + countText(nearer.n, "film") + " of the cohort are to their own nearest of another patient";
  const lines = [film.filter(Boolean).join(", "), "Labeled: " + labelWords({ present, none_of_these: none })];
  return [...lines, "Cosine distance of features " + scoreText(apart) + (rank ? ": " + rank : "")].join("\n");
}

// What the cohort says about films like this one, for the numbers of the chosen finding: {clause, sentences, caution,
// details}. Where the model's own sensitivity and specificity were counted on this very cohort, they and their
// thresholds are not repeated.
/**
 * @param {ui.read.join_payload.JoinPayload | ui.shared.refusals.RefusedPayload} join
 * @param {reading.finding_json.FindingAnswer} row
 */
export function cohortWords(join, row) {
  if (join.stage !== "join") return { ...NO_COHORT_WORDS, clause: row.right_words || ownErrorsText(row), caution: join.title + "." }; // the strip has the reason
  const { cohort, thresholds, findings } = join;
  const behind = findings[row.finding];
  const same = behind && isAlreadyShown(row, behind.overall);
  const head = make("h3", "join-title", "In " + cohort.name + " this model");
  head.append(make("span", "join-version muted", " version " + cohort.version));
  if (!behind) return { ...NO_COHORT_WORDS, clause: row.right_words || ownErrorsText(row), sentences: ["In " + cohort.name + " it has no score for " + row.finding + "."] };
  const origin = originWords(behind.centers);
  const alone = origin && behind.centers.every((each) => each.origin === origin); // once, not in each line
  if (alone) head.append(DOT_BETWEEN, markTerm(make("span", "join-version muted", origin), origin));
  const list = make("dl", "number-lines join-lines");
  for (const [name, wrong, scope] of countScopes(behind, alone ? "" : origin)) {
    list.append(make("dt", "", name), same && wrong === behind.overall ? make("dd", "", "the counts above") : makeErrorCounts(wrong, scope));
  }
  const thresholdNote = same ? [] : [make("p", "caveat", "Thresholds: " + thresholds + "; 95 % intervals.")];
  const such = row.state && suchFilmsText(row, behind.such);
  return { clause: such || row.right_words || ownErrorsText(row), sentences: [], caution: join.far ? FAR_FROM_TEST_FILMS : "", details: [head, list, ...thresholdNote, ...makeTypicality(join)] };
}

export const NO_COHORT_WORDS = { clause: "", sentences: [], caution: "", details: [] };

// Whether the numbers of the finding already have these counts.
function isAlreadyShown({ sensitivity, specificity }, { missed, called }) {
  const same = (right, wrong) => right && right.n === wrong.n && right.n - right.hits === wrong.hits;
  return Boolean(same(sensitivity, missed) && same(specificity, called));
}

// [name, rates, of what] over all films, for each center where there are several, and for the frequency group.
/** @param {ui.read.join_payload.EvidencePayload} behind */
function countScopes({ overall, centers, group }, origin) {
  const all = bracketed(origin);
  /** @type {[string, ui.read.join_payload.ErrorRatesPayload, string?][]} */
  const lines = [["Overall" + all, overall]];
  if (centers.length > 1) {
    for (const each of centers) lines.push([each.name + bracketed(origin && each.origin), each]);
  }
  if (group) lines.push([group.name + " (" + GROUP_SOURCES[group.source] + ")" + all, group, group.findings.length + " findings: "]);
  return lines;
}

function makeErrorCounts({ missed, called }, scope = "") {
  const words = make("dd", "");
  if (!missed.n && !called.n) return words.append("no labels: nothing can be counted"), words;
  const part = ({ n, hits, ...counted }, what, none) =>
    make("span", "join-part", n ? what + " " + wholeText(hits) + " of " + wholeText(n) + ": " + rateText({ n, hits, ...counted }) : none);
  words.append(scope, part(missed, "missed", NO_POSITIVES), "; ", part(called, "falsely called", NO_NEGATIVES));
  return words;
}
