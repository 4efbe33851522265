// "By severity": the models' scores of a finding from subtle to obvious, below its slider, once the visitor asks. The
// chart stays while only this slider moves; for any other film it folds.

import { make } from "../shared/elements.js";
import { scoreText } from "../shared/figures.js";
import { refusalWords } from "../shared/refusal.js";
import { makeSeverityChart } from "../shared/severity_chart.js";
import { NewestOnly } from "./newest.js";
import { filmKey, filmOrder } from "./state.js";

const ASKING = "Drawing and reading the film at 11 severities\u2026";

export class SeveritySweep {
  // `list`: the findings' rows; `wanted()`: the state of the film.
  constructor(list, server, wanted) {
    this.list = list;
    this.wanted = wanted;
    this.open = null; // {finding, key, answer}
    this.asking = new NewestOnly(server.simulated_sweep, (answer, _, isLatest) => isLatest() && this.takeAnswer(answer));
    list.addEventListener("click", ({ target }) => {
      const button = target.closest(".sim-by-severity");
      if (button) this.toggle(button.closest(".sim-request").dataset.finding);
    });
  }

  toggle(finding) {
    const opens = !this.isOpen(finding);
    this.open = opens ? { finding, key: filmKeyBut(this.wanted(), finding), answer: null } : null;
    if (opens) this.asking.request({ order: filmOrder(this.wanted()), finding });
    else this.asking.forget();
    this.show();
  }

  isOpen(finding) {
    return this.open?.finding === finding && this.open.key === filmKeyBut(this.wanted(), finding);
  }

  /** @param {ui.simulate.severity_sweep.SeveritySweepPayload | ui.shared.refusals.RefusedPayload} answer */
  takeAnswer(answer) {
    this.open.answer = answer;
    this.show();
  }

  // Draws the chart below the row it belongs to.
  show() {
    for (const row of this.list.children) {
      const { finding } = row.dataset;
      const isOpen = this.isOpen(finding);
      row.querySelector(".sim-by-severity").setAttribute("aria-expanded", String(isOpen));
      row.querySelector(".sim-sweep").replaceChildren(...(isOpen ? this.makeAnswer(finding) : []));
    }
  }

  makeAnswer(finding) {
    const { answer } = this.open;
    if (!answer) return [make("p", "muted", ASKING)];
    if (answer.stage !== "sweep") return [make("p", "muted", refusalWords(answer))];
    const severity = this.wanted().requests.find((each) => each.finding === finding)?.severity ?? null;
    const without = "Without it: " + answer.models.map((each) => each.name + " " + scoreText(each.without)).join(", ") + ".";
    return [makeSeverityChart({ finding, severities: answer.severities, series: answer.models, severity }), make("p", "muted", without)];
  }
}

// What the scores at all severities depend on.
function filmKeyBut(state, finding) {
  const requests = state.requests.map((each) => (each.finding === finding ? { ...each, severity: null } : each));
  return filmKey({ ...state, requests });
}
