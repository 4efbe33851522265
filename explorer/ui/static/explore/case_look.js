// The appearance of a finding on a case: severity, side and size, where the cohort has them.

import { fixedText, percentText } from "../shared/figures.js";

const SIDE_WORDS = { left: "left", right: "right", both: "both sides" };

// Two significant digits, also for very small shares.
export const sharePercentText = (share) => percentText(share, 2, share < 0.1 ? 1 : 0);

export function appearanceWords({ severity, side, area }) {
  const words = [severity !== null && "severity " + fixedText(severity), SIDE_WORDS[side], area !== null && sharePercentText(area) + " of the film"];
  return words.filter(Boolean).join(", ");
}
