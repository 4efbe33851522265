// The findings of the film: side and severity of each, one of them chosen; and a list to add another from.

import { make } from "../shared/elements.js";
import { scoreText } from "../shared/figures.js";

const SIDE_WORDS = { right: "right", left: "left", both: "both sides" };

export class FindingRequests {
  // `callbacks`: change(requests, moving), choose(finding), add(finding).
  // `known`: the sides of each finding; `most`: findings per film.
  constructor(room, { known, most }, callbacks) {
    this.known = known;
    this.most = most;
    this.list = room.querySelector(".sim-requests");
    this.add = room.querySelector(".sim-add");
    this.callbacks = callbacks;
    this.rows = new Map(); // by finding
    this.requests = [];
    this.add.addEventListener("change", () => {
      if (this.add.value) callbacks.add(this.add.value);
      this.add.value = "";
    });
  }

  // Rows that stay are neither drawn again nor moved: the visitor may hold one of their sliders.
  show(requests, chosen) {
    this.requests = requests;
    const findings = requests.map(({ finding }) => finding);
    for (const [finding, row] of this.rows) if (!findings.includes(finding)) row.remove(), this.rows.delete(finding);
    requests.forEach((request, place) => {
      if (!this.rows.has(request.finding)) this.rows.set(request.finding, this.makeRow(request.finding));
      const row = this.rows.get(request.finding);
      this.fillRow(row, request, request.finding === chosen);
      if (this.list.children[place] !== row) this.list.insertBefore(row, this.list.children[place] ?? null);
    });
    for (const option of this.add.querySelectorAll("option")) option.disabled = findings.includes(option.value);
    this.add.disabled = findings.length >= this.most;
  }

  makeRow(finding) {
    const row = make("li", "sim-request");
    row.dataset.finding = finding;
    const name = make("button", "sim-finding", finding);
    name.type = "button";
    name.addEventListener("click", () => this.callbacks.choose(finding));
    row.append(name, this.makeSides(finding), this.makeRemoveButton(finding, row), this.makeSeverity(finding), make("div", "sim-sweep small"));
    row.lastElementChild.setAttribute("role", "status");
    return row;
  }

  makeSides(finding) {
    const sides = this.known[finding]?.sides ?? [];
    if (!sides.length) return make("span", "sim-no-side");
    const select = make("select", "sim-side");
    select.setAttribute("aria-label", "Side of " + finding);
    for (const side of sides) select.append(new Option(SIDE_WORDS[side], side));
    select.addEventListener("change", () => this.changeFinding(finding, { side: select.value }, false));
    return select;
  }

  makeSeverity(finding) {
    const line = make("div", "sim-severity muted small flex-row");
    const button = Object.assign(make("button", "sim-by-severity", "By severity"), { type: "button", title: "The models' scores of this finding from subtle to obvious" });
    const slider = make("input", "sim-slider");
    Object.assign(slider, { type: "range", min: 0, max: 1, step: 0.01 });
    slider.setAttribute("aria-label", "Severity of " + finding);
    slider.addEventListener("input", () => this.changeFinding(finding, { severity: Number(slider.value) }, true));
    slider.addEventListener("change", () => this.changeFinding(finding, { severity: Number(slider.value) }, false));
    line.append(make("span", "", "subtle"), slider, make("span", "", "obvious"), make("span", "sim-figure"), button);
    return line;
  }

  makeRemoveButton(finding, row) {
    const button = make("button", "sim-away", "\u00d7");
    button.type = "button";
    button.title = button.ariaLabel = "Without " + finding;
    button.addEventListener("click", () => {
      (row.nextElementSibling ?? row.previousElementSibling)?.querySelector(".sim-finding").focus();
      this.callbacks.change(this.requests.filter((each) => each.finding !== finding), false);
    });
    return button;
  }

  fillRow(row, { side, severity }, chosen) {
    row.querySelector(".sim-finding").setAttribute("aria-pressed", String(chosen));
    const select = row.querySelector(".sim-side");
    if (select && side) select.value = side;
    if (severity === null) return;
    row.querySelector(".sim-slider").value = severity;
    row.querySelector(".sim-slider").ariaValueText = scoreText(severity) + " of 1, from subtle to obvious";
    row.querySelector(".sim-figure").textContent = scoreText(severity);
  }

  changeFinding(finding, changes, moving) {
    this.callbacks.change(
      this.requests.map((each) => (each.finding === finding ? { ...each, ...changes } : each)),
      moving,
    );
  }
}
