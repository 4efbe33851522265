// The findings that a reader sees: a box for each, and for an uncertain suggestion a choice of three.

import { make } from "../shared/elements.js";

const ABSENT = "absent";
const PRESENT = "present";
const UNCERTAIN = "uncertain";
const STATES = [UNCERTAIN, PRESENT, ABSENT];

export class FindingBoxes {
  /**
   * @param {school.reviews.desk.ReviewFilmPayload} asked
   * @param {string[]} names
   * @param {() => void} changed
   */
  constructor(asked, names, changed) {
    this.suggested = new Map(names.map((name) => [name, asked.suggested?.includes(name) ? PRESENT : asked.uncertain.includes(name) ? UNCERTAIN : ABSENT]));
    this.element = make("fieldset", "review-findings");
    const legend = make("legend", "class-legend", asked.suggested === null ? "Findings that you see" : "Corrections: findings that you see");
    this.rows = names.map((name) => (this.suggested.get(name) === UNCERTAIN ? makeChoiceRow(name) : makeBoxRow(name)));
    this.element.addEventListener("change", changed);
    this.element.append(legend, ...this.rows.map(({ label }) => label));
  }

  // Start from an earlier vote, or from the suggested labels.
  /** @param {school.reviews.desk.ReviewVotePayload | null} vote */
  fill(vote) {
    for (const { name, set } of this.rows) set(vote?.added.includes(name) ? PRESENT : vote?.removed.includes(name) ? ABSENT : this.suggested.get(name));
  }

  // The changes of the suggested labels.
  get corrections() {
    const changed = (state) => this.rows.filter(({ name, get }) => get() === state && this.suggested.get(name) !== state).map(({ name }) => name);
    return { added: changed(PRESENT), removed: changed(ABSENT) };
  }
}

function makeBoxRow(name) {
  const box = Object.assign(document.createElement("input"), { type: "checkbox", value: name });
  const label = make("label", "review-finding");
  label.append(box, make("span", "review-finding-words", name));
  return { name, label, get: () => (box.checked ? PRESENT : ABSENT), set: (state) => (box.checked = state === PRESENT) };
}

function makeChoiceRow(name) {
  const choice = make("select", "review-state");
  choice.append(...STATES.map((state) => new Option(state, state)));
  const label = make("label", "review-finding");
  label.append(choice, make("span", "review-finding-words", name));
  return { name, label, get: () => choice.value, set: (state) => (choice.value = state) };
}
