// The list of findings: one button each, in groups; arrow keys move the choice.

import { make } from "../shared/elements.js";
import { NO_FIGURE, percentText, scoreText, signedText, wholeText } from "../shared/figures.js";
import { NORMAL, VERDICT_WORDS, rowsInState } from "../shared/finding_words.js";
import { markTerm } from "../shared/glossary.js";
import { makeScoreBar } from "../shared/score_bar.js";

const GROUPS = [
  { title: "Flagged", state: "above", open: true },
  { title: "Uncertain", state: "unsure", open: false, says: "Just above the threshold: more than one in ten films without the finding score so high." },
  { title: "No threshold known", state: null, open: true, says: "Thresholds chosen in Explore, on a cohort that this model has scored, are used here." },
  { title: "Not flagged", state: "below", open: false },
  { title: "Cannot judge", state: "cannot judge", open: false, says: "Its scores for these have not been shown to beat guessing." },
];

const CORRECT_TITLE = "Correct when flagged: how many of the test films with the nearest scores had the finding";

const isRated = (row) => Boolean(row.right) && ["likely", "possible", "seldom correct"].includes(row.verdict);

// For a flagged finding, how often such a flag is right, which sorts the list; else its distance from the threshold.
function lastColumnText(row) {
  if (row.state === "cannot judge" || (row.verdict && row.finding !== NORMAL && !isRated(row))) return NO_FIGURE;
  if (isRated(row) && row.finding !== NORMAL) return percentText(row.right.value, 1);
  if (row.margin !== null) return signedText(row.margin);
  return row.percentile ? "P" + Math.floor(row.percentile.value) : NO_FIGURE;
}

function spokenRowText(row) {
  if (row.state === "cannot judge") return row.finding + ", which this model cannot judge";
  const head = row.finding + (row.verdict ? ", " + VERDICT_WORDS[row.verdict] : row.warning ? ", unreliable" : "") + ", score " + scoreText(row.score);
  if (isRated(row) && row.finding !== NORMAL) return head + ", right in " + row.right.hits + " of " + row.right.n + " such test films";
  if (row.margin !== null) {
    const unsure = row.state === "unsure" ? ", uncertain" : "";
    return head + unsure + ", " + signedText(row.margin) + " against the threshold " + scoreText(row.threshold);
  }
  const rank = row.percentile ? ", above " + Math.floor(row.percentile.value) + " % of films" : "";
  return head + ", no threshold known" + rank;
}

function makeBand({ low, high }) {
  const band = make("span", "bar-stability");
  band.style.left = low * 100 + "%";
  band.style.width = (high - low) * 100 + "%";
  return band;
}

function columnKind(row) {
  if (row.verdict && row.finding !== NORMAL) return "correct";
  return row.margin !== null ? "margin" : row.percentile ? "rank" : "";
}

export class FindingsList {
  constructor(list, choose) {
    this.list = list;
    this.choose = choose;
    this.folds = {}; // by title: folds that the visitor opened or closed
    this.clear();
  }

  clear() {
    this.list.replaceChildren();
    this.buttons = new Map(); // by finding, in list order
    this.spoken = new Map(); // by finding: the parts of what is read out
    this.scores = {}; // of the film shown beside this one, by finding
  }

  // `free`: the number of findings flagged on an average film without findings, where measured; `thresholds`: which
  // ones are not the model's own.
  /**
   * @param {reading.finding_json.FindingAnswer[]} rows
   * @param {string[]} notLookedFor
   * @param {reading.finding_json.FindingFreeAnswer | null} free
   * @param {string} thresholds
   */
  show(rows, notLookedFor, free, thresholds) {
    this.clear();
    const notes = [free?.says, thresholds].filter(Boolean);
    this.list.append(...notes.map((words) => make("p", "finding-free muted small", words)));
    for (const group of GROUPS) {
      const members = rowsInState(rows, group.state);
      if (members.length) this.list.append(this.makeSection(group, members));
    }
    const normal = rows.filter(({ finding }) => finding === NORMAL);
    if (normal.length) this.list.append(this.makeSection({ title: "Absence of findings", open: true, alone: true }, normal));
    if (notLookedFor.length) this.list.append(this.makeNotLookedFor(notLookedFor));
  }

  // Mark the scores of the other film.
  markOtherFilm(scores) {
    this.scores = scores;
    this.markBars("bar-other", scores);
  }

  // Mark the scores of a model that was not trained on the film.
  markUnseenScores(scores) {
    this.markBars("bar-unseen", scores);
  }

  markBars(name, scores) {
    for (const [finding, button] of this.buttons) {
      button.querySelector("." + name)?.remove();
      if (scores[finding] === undefined || !button.querySelector(".bar")) continue;
      const mark = make("span", name);
      mark.style.left = scores[finding] * 100 + "%";
      button.querySelector(".bar").append(mark);
    }
  }

  // A band behind each bar, and a line below each finding whose call is not stable.
  /** @param {reading.stability_json.FindingStabilityAnswer[]} answers */
  markStability(answers) {
    for (const old of this.list.querySelectorAll(".bar-stability, .finding-unstable")) old.remove();
    const byFinding = new Map(answers.map((each) => [each.finding, each]));
    for (const [finding, button] of this.buttons) {
      const each = byFinding.get(finding);
      const unstable = each?.stable === false ? "unstable: " + each.says : "";
      this.speak(finding, "stability", unstable);
      if (unstable) button.append(make("span", "finding-unstable small", "Unstable: " + each.says));
      if (each && button.querySelector(".bar")) button.querySelector(".bar-fill").before(makeBand(each));
    }
  }

  // What is read out of a finding's row: its own words, and those of each further part, until it is emptied.
  speak(finding, part, words) {
    const spoken = this.spoken.get(finding);
    spoken[part] = words;
    const { own, ...others } = spoken;
    this.buttons.get(finding).setAttribute("aria-label", [own, ...Object.values(others)].filter(Boolean).join("; "));
  }

  has(finding) {
    return this.buttons.has(finding);
  }

  // The finding `delta` places further down the list.
  neighbor(finding, delta) {
    const names = [...this.buttons.keys()];
    const next = names.includes(finding) ? names.indexOf(finding) + delta : 0;
    return names[Math.min(names.length - 1, Math.max(0, next))];
  }

  /** @param {{title: string, open: boolean, says?: string, alone?: boolean}} group */
  makeSection({ title, open, says, alone }, members) {
    const section = this.makeFold(title, alone ? 0 : members.length, open);
    const [first] = members;
    if (says) section.append(make("p", "group-says muted small", says));
    section.querySelector("summary").append(
      make("span", "group-column", "score"),
      Object.assign(make("span", "group-column", columnKind(first)), { title: columnKind(first) === "correct" ? CORRECT_TITLE : "" }),
    );
    for (const row of members) section.append(this.makeRowButton(row));
    return section;
  }

  // Findings of the challenge without an output of the model: nothing is known about them, not even absence.
  makeNotLookedFor(names) {
    const section = this.makeFold("Not looked for", names.length, false);
    section.append(make("p", "unknown", names.join(", ") + ". This model does not know them."));
    return section;
  }

  makeFold(title, count, open) {
    const section = make("details", "group");
    section.open = this.folds[title] ?? open;
    section.addEventListener("toggle", () => (this.folds[title] = section.open));
    const head = make("summary", "group-head");
    head.append(markTerm(make("span", "group-title", count ? title + " (" + count + ")" : title), title, true));
    section.append(head);
    return section;
  }

  makeRowButton(row) {
    const button = make("button", "finding");
    button.type = "button";
    Object.assign(button.dataset, { finding: row.finding, above: String(row.above), state: String(row.state), verdict: row.verdict ?? "" });
    const name = make("span", "finding-name", row.finding);
    if (row.warning && row.state !== "cannot judge") name.append(make("span", "finding-doubt muted small", "?"));
    const verdict = row.finding === NORMAL ? "" : (VERDICT_WORDS[row.verdict] ?? "");
    const isInformative = row.state !== "cannot judge"; // an uninformative score has no bar; the details have the score
    button.append(name, make("span", "finding-verdict muted small", verdict), isInformative ? makeScoreBar(row) : make("span", ""));
    button.append(make("span", "finding-score", isInformative ? scoreText(row.score) : NO_FIGURE), make("span", "finding-margin", lastColumnText(row)));
    if (isRated(row) && row.finding !== NORMAL) button.lastElementChild.append(make("span", "finding-n small", "n " + wholeText(row.right.n)));
    button.addEventListener("click", () => this.choose(row.finding));
    this.buttons.set(row.finding, button);
    this.spoken.set(row.finding, {});
    this.speak(row.finding, "own", spokenRowText(row));
    return button;
  }

  // Mark the chosen finding and scroll to it; the focus follows if it was on another finding.
  markChosen(chosen) {
    const follow = this.list.contains(document.activeElement);
    const [first] = this.buttons.keys(); // the first tab stop while nothing is chosen
    for (const [finding, button] of this.buttons) {
      button.setAttribute("aria-pressed", String(finding === chosen));
      button.tabIndex = finding === (this.has(chosen) ? chosen : first) ? 0 : -1;
    }
    const button = this.buttons.get(chosen);
    if (!button) return;
    button.closest("details").open = true;
    if (follow) button.focus({ preventScroll: true });
    this.scrollTo(button);
  }

  // Scroll the list alone: on a phone `scrollIntoView` would move the page away from the film.
  scrollTo(button) {
    const box = this.list.parentElement;
    const [row, seen] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTop += Math.min(0, row.top - seen.top) + Math.max(0, row.bottom - seen.bottom);
  }
}
