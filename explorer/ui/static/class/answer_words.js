// An answer in words, the same as in explorer/teaching/answer_words.py.

import { andList, fixed } from "../shared/figures.js";

export const SURE = ["a guess", "probable", "certain"]; // 1, 2, 3
const PICKED = ["the first film", "the second film"];

const percent = (share) => fixed(100 * share, 0) + " %";
const sided = ([finding, side]) => finding + (side ? " (" + side + ")" : "");

// The answer without its confidence.
export function answerWords({ findings, normal, present, picked, point }, kind) {
  if (kind === "findings") return andList(Object.entries(findings).map(sided)) || "no finding";
  if (kind === "normal") return normal ? "normal" : "not normal";
  if (kind === "present") return present ? "present" : "absent";
  if (kind === "pair") return PICKED[picked];
  return point ? percent(point[0]) + " from the left, " + percent(point[1]) + " from the top" : "not there";
}

export const sureWords = ({ sure }) => SURE[sure - 1];
