// A question about a film, and the answer with the learner's confidence. An answer is given once.

import { make } from "../shared/elements.js";
import { SIDELESS } from "../shared/sideless.js";

const CONFIDENCES = [["1", "a guess"], ["2", "probable"], ["3", "certain"]];
const SIDE_WORDS = { "": "side not stated", right: "right", left: "left", both: "both sides" };
const CHOICES = {
  present: [["true", "present"], ["false", "absent"]],
  normal: [["true", "normal"], ["false", "not normal"]],
};
let formCount = 0; // names of radio buttons are shared by the whole page

export class AnswerForm {
  // `known`: {finding: {sides}}; `groups`: the options of a list of findings, as elements to clone.
  constructor({ known = {}, groups = [] } = {}) {
    this.known = known;
    this.groups = groups;
    this.form = make("form", "answer-form");
    this.form.addEventListener("submit", (event) => (event.preventDefault(), this.submitAnswer()));
    this.form.addEventListener("change", () => this.showSides());
    this.number = ++formCount;
  }

  // `question`: {kind, finding}; `answered(answer)` is called once, in the form that explorer.school.judging.answer reads.
  ask(question, answered) {
    this.question = question;
    this.answered = answered;
    const { kind } = question;
    this.submit = Object.assign(make("button", "answer-commit control", "Answer"), { type: "submit", disabled: true });
    const fields = kind === "findings" ? [this.makeFindingsField(), this.makeSidesField()] : [this.makeRadioSet("said", "Your answer", CHOICES[kind])];
    const line = make("div", "answer-line flex-row flex-wraps");
    line.append(...fields, this.makeRadioSet("sure", "How sure", CONFIDENCES), this.submit);
    this.form.replaceChildren(line);
    this.showSides();
  }

  makeFindingsField() {
    const label = make("label", "answer-finding flex-row");
    this.finding = make("select", "");
    this.finding.append(new Option("Choose what you see", ""), new Option("No finding: normal", "none"));
    this.finding.append(...this.groups.map((group) => group.cloneNode(true)));
    for (const option of this.finding.querySelectorAll("option")) option.disabled = false;
    label.append(make("span", "form-word", "Finding"), this.finding);
    return label;
  }

  makeSidesField() {
    const label = make("label", "answer-side flex-row");
    this.side = make("select", "");
    label.append(make("span", "form-word", "Side"), this.side);
    return label;
  }

  makeRadioSet(name, title, choices) {
    const set = make("fieldset", "answer-choice");
    set.append(make("legend", "", title));
    for (const [value, words] of choices) {
      const label = make("label", "");
      const radio = Object.assign(make("input", ""), { type: "radio", name: name + this.number, value });
      label.append(radio, make("span", "", words));
      set.append(label);
    }
    return set;
  }

  chosenOption(name) {
    /** @type {HTMLInputElement} */
    const option = this.form.querySelector("[name=" + name + this.number + "]:checked");
    return option?.value;
  }

  showSides() {
    if (this.question.kind === "findings") this.sidesOf(this.finding.value);
    this.submit.disabled = this.given || !this.chosenOption("sure") || !(this.question.kind === "findings" ? this.finding.value : this.chosenOption("said"));
  }

  sidesOf(finding) {
    const sides = SIDELESS.has(finding) ? [] : (this.known[finding]?.sides ?? []);
    const key = sides.join();
    this.side.parentElement.hidden = !sides.length;
    if (this.side.dataset.of === key) return;
    this.side.dataset.of = key;
    this.side.replaceChildren(...["", ...sides].map((side) => new Option(SIDE_WORDS[side], side)));
  }

  get answer() {
    const { kind } = this.question;
    const sure = Number(this.chosenOption("sure"));
    if (kind !== "findings") return { sure, [kind]: this.chosenOption("said") === "true" };
    return { sure, findings: this.finding.value === "none" ? {} : { [this.finding.value]: this.side.value } };
  }

  submitAnswer() {
    if (this.submit.disabled) return;
    this.setFrozen(true);
    this.answered(this.answer);
  }

  // Lock the form after the answer. An answer that did not arrive can be given again.
  setFrozen(given) {
    this.given = given;
    for (const part of [...this.form.querySelectorAll("input"), ...this.form.querySelectorAll("select")]) part.disabled = given;
    this.showSides();
  }
}
