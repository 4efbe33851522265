// The outcome of an answer, in words.

import { scoreText } from "../shared/figures.js";

const sideWords = (side) => (side === "both" ? " on both sides" : side && side !== "none" ? " on the " + side : "");
const presentFindingText = ({ finding, side, severity }) => finding + sideWords(side) + (severity === null ? "" : ", severity " + scoreText(severity));

// `judged`: {right, outcomes, sides, order}.
/** @param {ui.simulate.hidden_calls.QuizResultPayload} judged */
export function verdictText({ right, outcomes, sides, order: { requests } }) {
  const words = [right === null ? "Not judged." : right ? "Correct." : "Not correct."];
  words.push(requests.length ? "On the film: " + requests.map(presentFindingText).join("; ") + "." : "A normal film, without findings.");
  const alarms = Object.keys(outcomes).filter((finding) => outcomes[finding] === "false alarm" && finding !== "Normal");
  if (alarms.length) words.push("False alarm: " + alarms.join(", ") + ".");
  const turned = Object.keys(sides).filter((finding) => !sides[finding]);
  if (turned.length) words.push("Wrong side: " + turned.join(", ") + ".");
  return words.join(" ");
}
