// What a finding's score means, for somebody who reads no statistics: whether it is called, and how often that is wrong.

import { percentRate, whole } from "../shared/figures.js";
import { NORMAL } from "../shared/finding_words.js";

const FEW = 0.9; // the specificity from which few films without the finding are called: that of the end of the unsure band
const NO_THRESHOLD = "No threshold is known: the score is neither positive nor negative.";

// Films with and without it; Normal is the absence of findings.
const kinds = (finding) => (finding === NORMAL ? ["normal films", "films with findings"] : ["films with the finding", "films without it"]);

export function standing({ finding, state, band, specificity }) {
  const [, without] = kinds(finding);
  if (state === "cannot judge") return "This model cannot judge it: its score may tell no more than a guess does.";
  if (state === "below") return "Not called: its score is below the threshold.";
  if (state === "unsure") return "Unsure: its score reaches the threshold, but so do " + (specificity?.n ? shareOf(wrong(specificity), without) : "more than one in ten " + without) + ".";
  if (state !== "above") return NO_THRESHOLD;
  const far = band || specificity?.value >= FEW;
  return "Called: its score is above the threshold" + (far ? ", and so high that at most one in ten " + without + " reach it." : ".");
}

// How often this model is wrong, of the figures that its card has: of all scores from the threshold up, unsure or not.
export function ownErrors({ finding, state, sensitivity, specificity }) {
  if (state === "cannot judge") return "";
  if (!sensitivity && !specificity) return "How often this model is wrong about it is not known.";
  const said = state === "unsure"; // of how many films without it
  return errors("If every score from the threshold up counts as a call, this model", finding, sensitivity && wrong(sensitivity), !said && specificity && wrong(specificity));
}

// The same in a cohort: `missed` and `called` count the errors themselves.
export function cohortErrors(name, finding, { missed, called }) {
  return errors("In " + name + " it", finding, missed, called);
}

function errors(who, finding, missed, called) {
  const [having, without] = kinds(finding);
  const parts = [missed?.n && "missed " + shareOf(missed, having), called?.n && "falsely called " + shareOf(called, without)].filter(Boolean);
  return parts.length ? who + " " + parts.join(" and ") + "." : "";
}

const shareOf = (rate, films) => percentRate(rate) + " of " + whole(rate.n) + " " + films;
const wrong = ({ value, low, high, n }) => ({ value: 1 - value, low: 1 - high, high: 1 - low, n });
