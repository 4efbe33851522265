// How a finding of a case looks: severity, side and size, where the cohort knows them.

import { fixed, percentText } from "../shared/figures.js";

const SIDE_WORDS = { left: "left", right: "right", both: "both sides" };

// Two digits that say something, also of what is very small.
export const percentOf = (share) => percentText(share, 2, share < 0.1 ? 1 : 0);

export function lookWords({ severity, side, area }) {
  const words = [severity !== null && "severity " + fixed(severity), SIDE_WORDS[side], area !== null && percentOf(area) + " of the film"];
  return words.filter(Boolean).join(", ");
}
