// An answer in words.

export const SURE = ["a guess", "probable", "certain"]; // 1, 2, 3
const PICKED = ["first film", "second film"];

const sided = ([finding, side]) => finding + (side ? " (" + side + ")" : "");

// What is answered, without how sure.
export function answerWords({ findings, normal, present, picked, point }, kind) {
  if (kind === "findings") return Object.entries(findings).map(sided).join(", ") || "no finding";
  if (kind === "normal") return normal ? "normal" : "not normal";
  if (kind === "present") return present ? "present" : "absent";
  if (kind === "pair") return PICKED[picked];
  return point ? "pointed" : "not there";
}

export const sureWords = ({ sure }) => SURE[sure - 1];
