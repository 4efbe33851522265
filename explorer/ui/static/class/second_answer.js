// After the first answer, where the teacher chose it: a model's answer, and the learner's second one.

import { make } from "../shared/elements.js";
import { scoreText } from "../shared/figures.js";
import { makeOwnAnswer } from "./answered.js";
import { makeAnswerForm, makeQuestionWords } from "./question.js";

const MAY_ERR = "The model can be wrong. Your second answer counts separately.";

/** @param {school.judging.model_answer.ModelAnswerPayload} model */
export function makeSecondPart(room, question, side, model) {
  const panel = make("section", "class-panel class-second");
  const keep = makeButton("class-main-button", "Keep my answer", () => {
    room.kept.put(question.film, question.answer, true);
    room.draw();
  });
  const change = makeButton("class-quiet-button", "Answer again", () => {
    const form = makeAnswerForm(room, question, side, "Answer again", (answer) => room.kept.put(question.film, answer, true));
    form.prepend(makeQuestionWords(question), makeModelWords(model));
    panel.replaceWith(form);
    form.querySelector("input, button")?.focus();
  });
  panel.append(makeQuestionWords(question), ...makeOwnAnswer(question, question.answer), makeModelWords(model), make("p", "class-hint", MAY_ERR), change, keep);
  return { element: panel };
}

function makeButton(className, words, press) {
  const button = make("button", className, words);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}

/** @param {school.judging.model_answer.ModelAnswerPayload} model */
function makeModelWords({ model, findings }) {
  const words = make("p", "class-model-answer");
  const flagged = findings.map(({ finding, score, called }) => finding + (called ? " flagged" : " not flagged") + ", score " + scoreText(score));
  words.append(make("strong", "", model + ": "), flagged.join("; ") || "nothing flagged");
  return words;
}
