// The quiz: films drawn at random and hidden, an answer, the reveal, and a running score.

import { correctWords } from "../shared/correct_words.js";
import { make } from "../shared/elements.js";
import { scoreText } from "../shared/figures.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { AnswerForm } from "./answer_form.js";
import { verdictText } from "./verdict.js";

const QUIZ_QUESTIONS = { findings: "Which finding is there, on which side?", normal: "Normal or not normal?" };
/** @type {[number, string][]} */
const NORMAL_SHARES = [[0, "none"], [0.2, "1 in 5"], [0.3, "3 in 10"], [0.5, "half"], [0.7, "7 in 10"]];

export class Quiz {
  // `callbacks`: set(quiz): draw a film for it, null ends the quiz; next(); revealed(order), after judging.
  constructor(section, server, { known, groups }, callbacks) {
    this.section = section;
    this.server = server;
    this.groups = groups;
    this.callbacks = callbacks;
    this.form = new AnswerForm({ known, groups });
    this.status = make("div", "quiz-said");
    this.status.setAttribute("role", "status");
    this.forget();
  }

  forget() {
    this.tally = { hits: 0, n: 0, interval: null };
    this.models = null;
  }

  // `quiz`: from the address, and the sealed name of the displayed film; null where it is open or not drawn yet.
  show(quiz, seal) {
    this.section.hidden = !quiz;
    const key = JSON.stringify(quiz);
    if (key !== this.key) {
      this.key = key;
      this.forget();
      this.asked = null;
      if (quiz) this.section.replaceChildren(this.makeHead(quiz), make("p", "quiz-question", questionWords(quiz.question)), this.form.form, this.status, this.makeButtons());
    }
    if (quiz && seal && seal !== this.asked) this.ask(quiz, seal);
  }

  makeHead({ question, normals }) {
    const head = make("div", "quiz-head flex-row flex-wraps");
    const kindSelect = make("select", "quiz-kind");
    kindSelect.append(new Option("Which finding", "findings"), new Option("Normal or not", "normal"));
    kindSelect.append(...this.groups.map((group) => makeAboutGroup(group)));
    kindSelect.value = question.kind === "present" ? "present " + question.finding : question.kind;
    const share = make("select", "quiz-normals");
    for (const [value, words] of NORMAL_SHARES) share.append(new Option(words, String(value)));
    if (![...share.options].some(({ value }) => Number(value) === normals)) share.append(new Option(scoreText(normals), String(normals)));
    share.value = String(normals);
    const chosen = () => {
      const [kind, ...finding] = kindSelect.value.split(" ");
      this.callbacks.set({ question: { kind, finding: finding.join(" ") || null }, normals: Number(share.value) });
    };
    kindSelect.addEventListener("change", chosen);
    share.addEventListener("change", chosen);
    head.append(makeLabeled("Ask", kindSelect), makeLabeled(question.kind === "present" ? "Normal among the others" : "Normal films", share));
    return head;
  }

  makeButtons() {
    const buttons = make("div", "quiz-ways flex-row flex-wraps");
    this.next = makeButton("quiz-next", "Next film", this.callbacks.next);
    this.next.title = "Another film, drawn at random (P)";
    buttons.append(this.next, makeButton("quiz-end", "End the quiz", () => this.callbacks.set(null)));
    return buttons;
  }

  ask({ question }, seal) {
    this.asked = seal;
    this.form.given = false;
    this.form.ask(question, (answer) => this.judge(question, seal, answer));
    this.showResult();
  }

  async judge(question, seal, answer) {
    const judged = await callServer(this.server.quiz_answer, { seal, question, answer, hits: this.tally.hits, n: this.tally.n });
    if (this.asked !== seal) return;
    if (judged.stage !== "judged") {
      this.form.setFrozen(false);
      return this.showResult(make("p", "quiz-verdict", refusalWords(judged)));
    }
    this.tally = judged.tally;
    const verdict = make("p", "quiz-verdict", verdictText(judged));
    verdict.dataset.right = String(judged.right);
    this.showResult(verdict);
    this.callbacks.revealed(judged.order);
    this.next.focus({ preventScroll: true });
  }

  showResult(...parts) {
    const { n } = this.tally;
    this.status.replaceChildren(...parts, make("p", "quiz-tally", n ? "You: " + correctWords(this.tally) : "No answer yet."));
  }
}

const questionWords = ({ kind, finding }) => QUIZ_QUESTIONS[kind] ?? "Is there " + finding + "?";

function makeAboutGroup(group) {
  const optionGroup = make("optgroup", "");
  optionGroup.label = "Is it there? " + group.label;
  optionGroup.append(...[...group.querySelectorAll("option")].map(({ value, textContent }) => new Option(textContent, "present " + (value || textContent))));
  return optionGroup;
}

function makeLabeled(words, field) {
  const label = make("label", "quiz-choice flex-row");
  label.append(make("span", "form-word", words), field);
  return label;
}

function makeButton(className, words, pressed) {
  const button = Object.assign(make("button", className, words), { type: "button" });
  button.addEventListener("click", pressed);
  return button;
}
