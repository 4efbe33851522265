// A question with its answer controls, the confidence, and the button.

import { make } from "../shared/elements.js";
import { refusalWords } from "../shared/refusal.js";
import { CONFIDENCE_WORDS } from "./answer_words.js";
import { makeChoices } from "./choices.js";
import { makeHeading, splitParagraphs } from "./doors.js";
import { FindingsAnswer } from "./findings_answer.js";
import { PointAnswer } from "./point_answer.js";

// Questions with two answers: the field of the answer, the words, the button's text before a choice.
const TWO_ANSWERS = {
  normal: { field: "normal", options: [[true, "Normal"], [false, "Not normal"]], open: "Normal or not?" },
  present: { field: "present", options: [[true, "Present"], [false, "Absent"]], open: "Present or absent?" },
  pair: { field: "picked", options: [[0, "The first film"], [1, "The second film"]], open: "Which of the two?" },
};

// The question in words, after the teacher's own.
export function makeQuestionWords({ before, words }) {
  const part = make("div", "class-asked");
  part.append(...splitParagraphs(before), makeHeading(words));
  part.tabIndex = 0;
  part.setAttribute("role", "group");
  part.setAttribute("aria-label", "Question");
  return part;
}

// `answer()`: fields of the answer, undefined before a choice; `open`: what is missing; `leave()`: called once it is
// given.
/** @returns {{element: HTMLElement, answer: () => object | undefined, open: string, leave?: () => void}} */
function makeAnswerPart(question, side, findings, changed) {
  if (question.kind === "findings") return new FindingsAnswer(findings, changed);
  if (question.kind === "point") return new PointAnswer(side, question.places, changed);
  const { field, options, open } = TWO_ANSWERS[question.kind];
  const two = makeChoices(question.words, options, changed, false);
  const answer = () => (two.value() === undefined ? undefined : { [field]: two.value() });
  return { element: two.element, answer, open };
}

// Why the last answer to this film was not accepted.
function makeRefusal({ kept: { refusal } }, { film }) {
  if (refusal?.film !== film) return [];
  const words = make("p", "class-problem", refusalWords(refusal));
  words.setAttribute("role", "alert");
  return [words];
}

export function makeQuestionPart(room, question, side) {
  const form = makeAnswerForm(room, question, side, "Answer", (answer) => room.kept.put(question.film, answer));
  form.prepend(makeQuestionWords(question), ...makeRefusal(room, question));
  return { element: form };
}

// The answer's controls, the confidence, and the button; `given(answer)` is called with the complete answer.
export function makeAnswerForm(room, question, side, words, given) {
  const form = make("form", "class-panel class-question");
  const button = make("button", "class-main-button");
  const part = makeAnswerPart(question, side, room.findings, () => follow());
  const sure = makeChoices("How sure?", CONFIDENCE_WORDS.map((words, at) => [at + 1, words]), () => follow());
  const follow = () => {
    const open = part.answer() === undefined ? part.open : sure.value() === undefined ? "How sure are you?" : "";
    button.textContent = open || words;
    button.disabled = Boolean(open);
  };
  follow();
  form.append(part.element, sure.element, button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.disabled) return;
    part.leave?.();
    given({ sure: sure.value(), ...part.answer() });
    room.draw();
  });
  return form;
}
