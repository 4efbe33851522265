// The vote on one film: agreement with the suggested labels, corrections, certainty, a note.

import { make } from "../shared/elements.js";
import { makeChoices } from "../class/choices.js";
import { makeHeading } from "../class/doors.js";
import { FindingBoxes } from "./finding_boxes.js";
import { makeVoteId } from "./pending_vote.js";
import { Sites } from "./sites.js";

const VERDICTS = [
  ["agree all", "Agree all"],
  ["agree mostly", "Agree mostly"],
  ["disagree", "Disagree"],
];
const CERTAINTIES = [
  [1, "a guess"],
  [2, "probable"],
  [3, "certain"],
];
const LONGEST_NOTE = 500; // characters
const MOST_NAMED = 8; // findings that a line above the vote names
const OWN = "own findings"; // the verdict where nothing is suggested

export class VotePart {
  // `asked` as /film/{place} answers, `work` as /me; `tell`: {vote(vote), back() or null}.
  /**
   * @param {school.reviews.desk.ReviewFilmPayload} asked
   * @param {school.reviews.desk.ReviewReaderPayload} work
   */
  constructor(asked, work, tell) {
    this.asked = asked;
    this.work = work;
    this.few = work.findings.length <= MOST_NAMED ? work.findings : null;
    this.tell = tell;
    this.id = makeVoteId();
    this.element = make("form", "class-panel class-question review-vote");
    this.verdict = makeChoices("Are the suggested labels right?", VERDICTS, () => this.follow(), false);
    this.findings = new FindingBoxes(asked, work.findings, () => this.follow());
    this.sites = new Sites(work);
    this.sure = makeChoices("How sure? (optional)", CERTAINTIES, () => {});
    this.note = this.makeNote();
    this.button = make("button", "class-main-button");
    const back = asked.vote ? [make("p", "class-hint", "You change your last vote. The earlier one is kept beside it.")] : [];
    const suggested = asked.suggested === null ? [] : [this.makeSuggested(), this.verdict.element];
    this.element.append(this.makeQuestion(), ...this.makeScope(), ...back, ...suggested, this.findings.element, this.sites.element, this.sure.element, this.note.label, this.button, ...this.makeBack(), make("p", "class-hint review-keys", this.keyWords));
    this.element.addEventListener("submit", (event) => this.submit(event));
    this.fill(asked.vote);
    this.follow();
  }

  get keyWords() {
    return this.asked.suggested === null ? "Key: Enter saves." : "Keys: 1, 2 and 3 agree or disagree, Enter saves.";
  }

  makeQuestion() {
    const words = this.asked.suggested === null ? "Which findings does this film show?" : "Are these labels right?";
    return makeHeading(words);
  }

  // A film may show more than a review of few findings asks for.
  makeScope() {
    return this.few ? [make("p", "class-hint", "Asked for here: " + this.few.join(", ") + ". Nothing else counts.")] : [];
  }

  makeSuggested() {
    const { suggested } = this.asked;
    const list = make("ul", "review-suggested");
    list.setAttribute("aria-label", "Suggested labels");
    const { uncertain } = this.asked;
    const words = suggested.length || uncertain.length ? suggested : [this.few ? "None of these" : "No finding"];
    list.append(...words.map((each) => make("li", "review-label", each)));
    list.append(...uncertain.map((each) => make("li", "review-label review-uncertain", "Uncertain: " + each)));
    return list;
  }

  makeNote() {
    const label = make("label", "class-field", "Note (optional)");
    const input = Object.assign(make("input", "class-input"), { maxLength: LONGEST_NOTE, autocomplete: "off" });
    label.append(input);
    return { label, input };
  }

  makeBack() {
    if (!this.tell.back) return [];
    const back = make("button", "class-quiet-button", "Change my last vote");
    back.type = "button";
    back.addEventListener("click", this.tell.back);
    return [back];
  }

  // Start from an earlier vote, or from the suggested labels.
  fill(vote) {
    this.findings.fill(vote);
    if (!vote) return;
    this.verdict.set(vote.verdict);
    this.sites.fill(vote);
    this.sure.set(vote.certainty);
    this.note.input.value = vote.note;
  }

  get chosen() {
    return this.asked.suggested === null ? OWN : this.verdict.value();
  }

  // The findings that this vote holds present; none while it says nothing about them.
  get seen() {
    const { added, removed } = this.corrections;
    if (this.chosen === undefined || (this.chosen === "disagree" && !added.length && !removed.length)) return [];
    return this.work.findings.filter((name) => added.includes(name) || (this.asked.suggested?.includes(name) && !removed.includes(name)));
  }

  get corrections() {
    return this.chosen === "agree all" ? { added: [], removed: [] } : this.findings.corrections;
  }

  follow() {
    const { chosen } = this;
    this.findings.element.hidden = chosen === undefined || chosen === "agree all";
    this.sites.show(this.seen);
    this.button.disabled = chosen === undefined;
    this.button.textContent = chosen === undefined ? "Agree or disagree?" : "Save and go on";
  }

  vote() {
    return {
      id: this.id,
      film: this.asked.film,
      verdict: this.chosen,
      ...this.corrections,
      sites: this.sites.sent,
      certainty: this.sure.value() ?? null,
      note: this.note.input.value.replace(/\s+/g, " ").trim(),
    };
  }

  submit(event) {
    event.preventDefault();
    if (this.button.disabled) return;
    this.button.disabled = true;
    this.button.textContent = "Saving";
    this.tell.vote(this.vote());
  }

  // 1, 2 and 3 choose the verdict; Enter saves. Called by reader.js for the film on show.
  handleKey(event) {
    if (!this.element.isConnected || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input:not([type=radio], [type=checkbox]), select") || document.querySelector("dialog[open]")) return;
    const verdict = VERDICTS[Number(event.key) - 1];
    if (verdict && this.asked.suggested !== null) {
      this.verdict.set(verdict[0]);
      this.follow();
    } else if (event.key === "Enter" && !event.target.closest?.("button, summary")) this.element.requestSubmit();
    else return;
    event.preventDefault();
  }
}
