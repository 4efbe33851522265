// Between answer and reveal: the learner's answer, whether it has arrived, how many have answered.

import { make } from "../shared/elements.js";
import { refusalWords } from "../shared/refusal.js";
import { answerWords, confidenceWords } from "./answer_words.js";
import { makeQuestionWords } from "./question.js";
import { makeLookBack } from "./look_back.js";

export function makeAnsweredPart(room, question, side) {
  const panel = make("section", "class-panel");
  const ownAnswer = room.kept.find(question.film) ?? question.answer;
  const arrived = make("p", "class-wait");
  const others = make("p", "class-hint");
  arrived.setAttribute("role", "status");
  panel.append(makeQuestionWords(question), ...makeOwnAnswer(question, ownAnswer), ...makeSecondLine(question, room.kept.find(question.film, true) ?? question.again), arrived, others, makeLookBack(room, question.film));
  if (ownAnswer?.point) {
    side.views[0].points.show([{ at: ownAnswer.point, own: true }]);
    side.views[0].points.follow(side.views[0].camera);
  }
  const update = (state) => {
    arrived.textContent = statusWords(room, question.film, state.own_pace);
    others.textContent = state.committed === undefined ? "" : state.committed + " of " + state.learners + " have answered.";
  };
  return { element: panel, update };
}

function statusWords(room, film, ownPace) {
  if (room.kept.find(film) || room.kept.find(film, true)) return "On its way. It is kept on this device until it has arrived.";
  if (room.kept.refusal?.film === film) return refusalWords(room.kept.refusal);
  return ownPace ? "Your answer has arrived." : "Your answer has arrived. The reveal comes when the teacher shows it.";
}

// The learner's own answer; `refusal` says why it was not accepted.
export function makeOwnAnswer(question, answer, refusal = null) {
  if (!answer && refusal?.film === question.film) return [make("p", "class-problem", refusalWords(refusal))];
  if (!answer) return [make("p", "class-text", "You did not answer this film.")];
  return [make("p", "class-own", "Your answer: " + answerWords(answer, question) + ", " + confidenceWords(answer))];
}

// The answer given after seeing the model's.
export function makeSecondLine(question, again) {
  return again ? [make("p", "class-own", "With the model: " + answerWords(again, question) + ", " + confidenceWords(again))] : [];
}
