// Where findings are, for each that the reader holds present: side and place, both optional, in a fold.

import { make } from "../shared/elements.js";
import { SIDELESS } from "../shared/sideless.js";

export class Sites {
  /** @param {school.reviews.desk.ReviewReaderPayload} work */
  constructor(work) {
    this.work = work;
    this.chosen = new Map(); // finding -> {side, place}, kept while a finding is unchecked
    this.element = make("details", "review-where");
    this.rows = make("div", "review-sites");
    this.element.append(make("summary", "class-legend", "Side and place (optional)"), this.rows);
    this.shown = [];
  }

  /** @param {school.reviews.desk.ReviewVotePayload} vote */
  fill({ sites }) {
    for (const [name, site] of Object.entries(sites)) this.chosen.set(name, { ...site });
    this.element.open = this.chosen.size > 0;
  }

  // Ask about these findings.
  show(names) {
    this.element.hidden = !names.length;
    if (names.join() === this.shown.join()) return;
    this.shown = names;
    this.rows.replaceChildren(...names.map((name) => this.makeRow(name)));
  }

  makeRow(name) {
    const row = make("div", "review-site");
    row.append(make("span", "review-site-name", name));
    if (!SIDELESS.has(name)) row.append(this.makeChoice(name, "side", this.work.sides));
    row.append(this.makeChoice(name, "place", this.work.places));
    return row;
  }

  makeChoice(name, what, options) {
    const choice = make("select", "review-state");
    choice.setAttribute("aria-label", name + ": " + what + (what === "side" ? " of the patient" : ""));
    choice.append(new Option(what, ""), ...options.map((each) => new Option(each, each)));
    choice.value = this.chosen.get(name)?.[what] ?? "";
    choice.addEventListener("change", () => this.chosen.set(name, { ...this.chosen.get(name), [what]: choice.value || null }));
    return choice;
  }

  // Of the findings on show, those with a side or a place.
  get sent() {
    const said = this.shown.map((name) => [name, this.chosen.get(name)]).filter(([, site]) => site?.side || site?.place);
    return Object.fromEntries(said);
  }
}
