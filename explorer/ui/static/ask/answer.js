// One answer: the text that was scored, the verdict, its caveats, and its value at the prevalence that the visitor
// typed. The reasons and the figures behind it are folded below.

import { make } from "../shared/elements.js";
import { FAR_FROM_TEST_FILMS } from "../shared/finding_words.js";
import { markTerm } from "../shared/glossary.js";
import { makeAnswerLines } from "./answer_lines.js";
import { placeText, thresholdSideWords } from "./places.js";
import { makePrevalenceForm } from "./prevalence.js";
import { SpreadBar } from "./spread_bar.js";

// A shape beside the word: a flag that is seldom correct and one without enough test films have the same shape.
const WEAK_FLAG_SHAPE = "\u25d4";
export const VERDICT_SHAPES = {
  likely: "\u25cf",
  possible: "\u25d0",
  "seldom correct": WEAK_FLAG_SHAPE,
  "too few films": WEAK_FLAG_SHAPE,
  flagged: WEAK_FLAG_SHAPE,
  "not flagged": "\u25cb",
  "cannot judge": "\u25cc",
};

export class AnswerView {
  // `callbacks`: ask(text), judge(answer, prevalence).
  constructor(section, callbacks) {
    this.section = section;
    this.callbacks = callbacks;
    this.opened = new Set(); // titles of folds that the visitor opened, kept from one answer to the next
  }

  clear() {
    this.section.hidden = true;
    this.section.replaceChildren();
  }

  // `trained`: a caveat if the model behind the features was trained on this film; else empty.
  /** @param {ui.ask.payload.AskedPayload} answer */
  show(answer, opinionHidden, trained) {
    const typing = this.section.contains(document.activeElement) ? document.activeElement.id : "";
    const { question, scored, why, warnings, taken_for: matchedFinding, predicted } = answer;
    const head = make("h2", "answer-text", scored);
    if (scored !== question) head.append(make("span", "answer-asked muted", "asked: " + question));
    const other = matchedFinding && matchedFinding.finding.toLowerCase() !== scored.toLowerCase();
    const matched = other ? [make("p", "answer-taken muted", "Matched finding: " + matchedFinding.finding)] : [];
    const reason = make("p", "answer-why", why);
    const warned = answer.far ? [make("p", "answer-caution", FAR_FROM_TEST_FILMS)] : [];
    this.section.replaceChildren(head, ...matched, ...warned, this.makeVerdict(answer), ...(predicted ? [] : [reason]));
    for (const caution of warnings) this.section.append(...this.makeCaution(caution, why));
    if (trained) this.section.append(make("p", "answer-caution", trained));
    if (predicted) this.section.append(makePrevalenceForm(answer, (typed) => this.callbacks.judge(answer, typed)));
    const lines = makeAnswerLines(answer, opinionHidden);
    const details = [...(predicted ? [reason] : []), new SpreadBar(answer).element, this.makeLines(lines)];
    this.section.append(this.makeFold("Details", ...details));
    this.section.append(this.makeFold("All wordings", this.makePrompts(answer.spread)));
    this.section.append(this.makeFold("How this is calculated", this.makeMeanings(lines)));
    this.section.hidden = false;
    if (typing) this.section.querySelector("#" + typing)?.focus({ preventScroll: true });
    else this.section.scrollTop = 0;
  }

  makeVerdict({ verdict, said }) {
    const line = make("p", "answer-verdict");
    line.dataset.verdict = verdict;
    const shape = make("span", "answer-shape", VERDICT_SHAPES[verdict]);
    shape.ariaHidden = "true";
    const words = make("span", "answer-words");
    words.append(make("span", "answer-word", verdict));
    if (said) words.append(": ", make("span", "answer-said", said));
    line.append(shape, words);
    return line;
  }

  // What is wrong with the question, and a button that asks for the likely meaning. The reason is not repeated.
  *makeCaution({ words, instead }, why) {
    if (words !== why) yield make("p", "answer-caution", words);
    if (!instead) return;
    const button = make("button", "answer-instead control", "Ask for: " + instead);
    button.type = "button";
    button.addEventListener("click", () => this.callbacks.ask(instead));
    yield button;
  }

  makeLines(lines) {
    const list = make("dl", "answer-lines small");
    for (const { name, words, note, title = "", doubtful } of lines) {
      const value = make("dd", doubtful ? "doubtful" : "");
      value.append(make("span", "answer-figure", words));
      if (note) value.append(make("span", "answer-note muted", note));
      value.title = title;
      list.append(markTerm(make("dt", "", name), name), value);
    }
    return list;
  }

  makeFold(title, ...content) {
    const fold = make("details", "answer-fold small");
    fold.open = this.opened.has(title);
    fold.addEventListener("toggle", () => this.opened[fold.open ? "add" : "delete"](title));
    fold.append(make("summary", "answer-fold-head muted", title), ...content);
    return fold;
  }

  makeMeanings(lines) {
    const list = make("dl", "answer-meanings small");
    for (const { name, title } of lines.filter((line) => line.title)) {
      list.append(make("dt", "", name), make("dd", "answer-note muted", title));
    }
    return list;
  }

  makePrompts(spread) {
    const list = make("ol", "prompts-list");
    for (const { place, above, positive, negative, paraphrase } of [...spread.prompts].sort((a, b) => b.place - a.place)) {
      const item = make("li", "");
      const wording = make("span", "prompt-words", positive);
      wording.append(make("span", "prompt-against muted", negative + (paraphrase ? " (paraphrase)" : "")));
      item.append(make("span", "prompt-place", placeText(place, spread)), wording, make("span", "prompt-side muted", thresholdSideWords(above)));
      list.append(item);
    }
    return list;
  }
}
