// An answer in words, the same as in explorer/school/judging/answer_words.py.

import { fixedText, joinWithAnd } from "../shared/figures.js";
import { placeWords } from "../shared/places.js";

export const CONFIDENCE_WORDS = ["a guess", "probable", "certain"]; // 1, 2, 3
const PICKED_WORDS = ["the first film", "the second film"];

const percentNumber = (share) => fixedText(100 * share, 0) + " %";
const findingWithSide = ([finding, side]) => finding + (side ? " (" + side + ")" : "");

// The answer without its confidence. `places`: those of the film, null if not known.
export function answerWords({ findings, normal, present, picked, point }, { kind, places = null }) {
  if (kind === "findings") return joinWithAnd(Object.entries(findings).map(findingWithSide)) || "no finding";
  if (kind === "normal") return normal ? "normal" : "not normal";
  if (kind === "present") return present ? "present" : "absent";
  if (kind === "pair") return PICKED_WORDS[picked];
  return point ? pointWords(point, places) : "not there";
}

export function pointWords(point, places) {
  return placeWords(places, point) || percentNumber(point[0]) + " from the left, " + percentNumber(point[1]) + " from the top";
}

export const confidenceWords = ({ sure }) => CONFIDENCE_WORDS[sure - 1];
