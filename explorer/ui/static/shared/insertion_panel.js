// The fold of "Put a finding into this film": which finding, where and how severe, and what the models say.

import { make } from "./elements.js";
import { scoreText } from "./figures.js";
import { ANSWERS, makeAnswer } from "./insertion_answers.js";

const ASKING = "Putting the finding into the film\u2026";
const MOVE_IT = "Click or tap on the film to move it.";
const USE = "The list and the maps are of the film without it.";
const NOT_MEDICAL = "Not for medical use.";
const SIDES = {
  right: ["Right", "The patient's right, on the left of the film"],
  left: ["Left", "The patient's left, on the right of the film"],
};

export class InsertionPanel {
  // `callbacks`: want(changes) asks for another finding, turn() shows the film with it or without, ask(name) opens or
  // folds a further answer. `use`: of which film everything beside the panel is.
  constructor(section, { want, turn, ask, use = USE }) {
    this.section = section;
    this.use = use;
    this.finding = make("select", "insertion-finding");
    this.finding.setAttribute("aria-label", "Finding");
    this.finding.addEventListener("change", () => want({ finding: this.finding.value }));
    this.sides = Object.entries(SIDES).map(([side, [words, title]]) => {
      const button = Object.assign(make("button", "control", words), { type: "button", title });
      button.addEventListener("click", () => want({ side, point: null }));
      button.dataset.side = side;
      return button;
    });
    this.severity = Object.assign(make("input", ""), { type: "range", min: "0", max: "1", step: "0.05" });
    this.severity.setAttribute("aria-label", "Severity");
    this.severity.addEventListener("input", () => want({ severity: Number(this.severity.value) }));
    this.turned = Object.assign(make("button", "control insertion-turn"), { type: "button", title: "With the finding or without (T)" });
    this.turned.addEventListener("click", turn);
    this.says = make("div", "insertion-says");
    this.says.setAttribute("role", "status");
    this.ways = make("div", "insertion-ways flex-row flex-wraps");
    this.asks = Object.entries(ANSWERS).map(([name, { ask: words }]) => {
      const button = Object.assign(make("button", "control", words), { type: "button" });
      button.dataset.answer = name;
      button.addEventListener("click", () => ask(name));
      return button;
    });
    this.ways.append(this.turned, ...this.asks);
    this.more = make("div", "insertion-more");
    this.more.setAttribute("role", "status");
    this.details = make("div", "insertion-details muted");
    this.parts = [this.makeForm(), this.says, this.ways, this.more, this.details];
  }

  makeForm() {
    const form = make("div", "insertion-form");
    const sides = make("div", "insertion-sides");
    sides.setAttribute("role", "group");
    sides.setAttribute("aria-label", "Side");
    sides.append(...this.sides);
    const slider = make("label", "insertion-severity");
    slider.append(make("span", "muted", "subtle"), this.severity, make("span", "muted", "obvious"));
    this.size = make("p", "insertion-size muted");
    form.append(this.finding, sides, slider, this.size);
    return form;
  }

  // `state`: that of insertion.js; null: folded, and nothing of a film or its finding stays on the page.
  show(state) {
    this.section.hidden = !state;
    if (!state) return this.section.replaceChildren();
    if (!this.section.hasChildNodes()) this.section.append(...this.parts);
    const { wanted, answer, failed } = state;
    this.fillFindings(answer?.choices ?? [], wanted.finding);
    for (const button of this.sides) button.setAttribute("aria-pressed", String(button.dataset.side === wanted.side));
    this.severity.value = String(wanted.severity);
    this.size.textContent = sizeText(wanted, answer);
    this.severity.setAttribute("aria-valuetext", ["severity " + scoreText(wanted.severity), this.size.textContent].filter(Boolean).join(", "));
    const lines = failed ? [make("p", "", failed)] : answer ? this.makeScores(answer) : [make("p", "", ASKING)];
    this.says.replaceChildren(...lines);
    this.ways.hidden = !answer;
    this.turned.textContent = state.shown ? "Without it" : "With it";
    this.showAnswers(state);
    this.details.hidden = !answer;
    if (answer) this.details.replaceChildren(...this.makeDetails(answer));
  }

  showAnswers(state) {
    const isFocal = Boolean(state.answer?.point);
    for (const button of this.asks) {
      const known = state[button.dataset.answer];
      button.hidden = button.dataset.answer === "blind_spots" && !isFocal;
      button.setAttribute("aria-expanded", String(Boolean(known?.open)));
      button.disabled = Boolean(known?.open && !known.answer && !known.failed);
    }
    const open = Object.keys(ANSWERS).filter((name) => state[name]?.open);
    this.more.replaceChildren(...open.flatMap((name) => makeAnswer(name, state[name], state.wanted.severity)));
    this.more.hidden = !open.length;
  }

  /** @param {ui.read.insertion_payload.InsertableFindingPayload[]} choices */
  fillFindings(choices, wanted) {
    const words = choices.map(({ finding, note }) => finding + (note ? " (" + note + ")" : ""));
    if (words.join() !== this.known) { // else a list that is open would close
      this.finding.replaceChildren(...choices.map(({ finding }, place) => Object.assign(make("option", "", words[place]), { value: finding })));
      this.known = words.join();
    }
    this.finding.value = wanted;
  }

  /** @param {ui.read.insertion_payload.InsertionPayload} answer */
  makeScores({ scores }) {
    return scores.map(({ says }) => make("p", "insertion-score", says));
  }

  /** @param {ui.read.insertion_payload.InsertionPayload} answer */
  makeDetails(answer) {
    const where = [whereWords(answer), answer.place ? MOVE_IT : ""].filter(Boolean).join(" ");
    const believable = answer.scores.map((each) => each.believable).filter(Boolean);
    return [where, ...believable, answer.flagged_means, this.use + " " + NOT_MEDICAL].filter(Boolean).map((words) => make("p", "", words));
  }
}

// What the severity means, or "" while the answer is about another finding.
/**
 * @param {any} wanted
 * @param {ui.read.insertion_payload.InsertionPayload} [answer]
 */
function sizeText({ finding, severity }, answer) {
  return answer && answer.finding === finding && answer.severity === severity ? "Severity " + scoreText(severity) + ": " + answer.size : "";
}

function whereWords({ finding, side, severe, place, mark }) {
  return mark + ": " + [finding, place || side, severe].join(", ") + ".";
}

// Lines below an exported picture of the film with the finding.
/**
 * @param {any} item
 * @param {ui.read.insertion_payload.InsertionPayload} answer
 */
export function insertedLines({ film }, answer) {
  const scores = answer.scores.flatMap(({ says, believable }) => [says, believable].filter(Boolean));
  return [...film.notes, whereWords(answer), ...scores, "Not for medical use"];
}

// Presented to a room.
/** @param {ui.read.insertion_payload.InsertionPayload} answer */
export function presentedFinding({ scores }) {
  const [first, ...others] = scores;
  return { verdict: { words: first.says }, lines: [...others.map(({ says }) => says), first.believable].filter(Boolean) };
}
