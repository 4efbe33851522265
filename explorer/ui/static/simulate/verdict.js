// What an answer came to, in words.

import { score } from "../shared/figures.js";

const sideWords = (side) => (side === "both" ? " on both sides" : side && side !== "none" ? " on the " + side : "");
const thereWords = ({ finding, side, severity }) => finding + sideWords(side) + (severity === null ? "" : ", severity " + score(severity));

// `judged`: {right, outcomes, sides, order}.
/** @param {ui.simulate.hidden_calls.QuizResultPayload} judged */
export function verdictWords({ right, outcomes, sides, order: { requests } }) {
  const words = [right === null ? "Not judged." : right ? "Correct." : "Not correct."];
  words.push(requests.length ? "There: " + requests.map(thereWords).join("; ") + "." : "There is no finding: a normal film.");
  const alarms = Object.keys(outcomes).filter((finding) => outcomes[finding] === "false alarm" && finding !== "Normal");
  if (alarms.length) words.push("False alarm: " + alarms.join(", ") + ".");
  const turned = Object.keys(sides).filter((finding) => !sides[finding]);
  if (turned.length) words.push("The side of " + turned.join(", ") + " is another.");
  return words.join(" ");
}
