// What a finding's score means, for somebody who reads no statistics: where it stands, and how often that is wrong.

import { percentRate, whole } from "../shared/figures.js";

const STANDS = {
  above: "Above its threshold",
  unsure: "Unsure: it reaches its threshold, but more than one in ten films without the finding do, too",
  below: "Below its threshold",
};

// Empty where the model cannot judge the finding: what its card has against it is said instead.
export function standing({ state }) {
  if (state === "cannot judge") return "";
  return (STANDS[state] ?? "No threshold is known: the score is neither positive nor negative") + ".";
}

// How often this model is wrong, of the figures that its card has.
export function ownErrors({ sensitivity, specificity }) {
  if (!sensitivity && !specificity) return "How often this model is wrong about it is not known.";
  return errors("This model", sensitivity && wrong(sensitivity), specificity && wrong(specificity));
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
