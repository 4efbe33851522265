// What a finding's score means, for somebody who reads no statistics: where it stands, and how often that is wrong.

import { percentRate, whole } from "../shared/figures.js";

const FEW = 0.9; // the specificity from which few films without the finding are called: that of the end of the unsure band
const STANDS = {
  above: "Above its threshold",
  "far above": "Above its threshold, where at most one in ten films without the finding are",
  unsure: "Unsure: it reaches its threshold, but more than one in ten films without the finding do, too",
  below: "Below its threshold",
  "cannot judge": "This model cannot judge it: it may tell films with the finding from others no better than a guess does",
};

export function standing({ state, band, specificity }) {
  const far = state === "above" && (band || specificity?.value >= FEW);
  return (STANDS[far ? "far above" : state] ?? "No threshold is known: the score is neither positive nor negative") + ".";
}

// How often this model is wrong, of the figures that its card has: of all that it calls, unsure or not.
export function ownErrors({ state, sensitivity, specificity }) {
  if (state === "cannot judge") return "";
  if (!sensitivity && !specificity) return "How often this model is wrong about it is not known.";
  return errors("From the threshold up, this model", sensitivity && wrong(sensitivity), specificity && wrong(specificity));
}

// The same in a cohort: `missed` and `called` count the errors themselves.
export function cohortErrors(name, { missed, called }) {
  return errors("In " + name + " it", missed.n ? missed : null, called.n ? called : null);
}

function errors(who, missed, called) {
  const parts = [
    missed?.n && "missed " + percentRate(missed) + " of " + whole(missed.n) + " films with the finding",
    called?.n && "called it on " + percentRate(called) + " of " + whole(called.n) + " without",
  ].filter(Boolean);
  return parts.length ? who + " " + parts.join(" and ") + "." : "";
}

const wrong = ({ value, low, high, n }) => ({ value: 1 - value, low: 1 - high, high: 1 - low, n });
