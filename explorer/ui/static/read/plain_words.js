// What a finding's score means, for somebody who reads no statistics: whether it is flagged, and how often films that
// score so have the finding. Each rate is of one kind of film, and the sentence says which.

import { percentRate, score, whole } from "../shared/figures.js";
import { NORMAL } from "../shared/finding_words.js";

const CANNOT_JUDGE = "This model cannot judge it: its scores are not shown to tell more than a guess does. Pay them no attention.";
const NO_THRESHOLD = "No threshold is known: the score is neither positive nor negative.";
const UNKNOWN = "How often this model is wrong about it is not known.";

const WORDS = { above: "Flagged", unsure: "Unsure", below: "Not flagged" };

// The answer comes first. Thresholds differ from finding to finding: 0.39 may be flagged where 0.44 is not.
export function standing({ finding, state, warning, score: value, threshold }) {
  if (state === "cannot judge") return CANNOT_JUDGE;
  if (!WORDS[state]) return NO_THRESHOLD;
  const reached = "score " + score(value) + (state === "below" ? " is below" : " is above") + " its own threshold of " + score(threshold) + ".";
  if (warning) return reached.replace("score", "Score"); // what the card warns of stands before it
  return WORDS[state] + (finding === NORMAL && state !== "unsure" ? " as normal" : "") + ": " + reached;
}

// Of films of a cohort on the same side of this very score, how many have the finding; then of all, for comparison. Where
// the score may mean something else, such films may have something else in common.
export function suchFilms(where, { finding, state, warning }, { as_high: high, as_low: low, labeled }) {
  if (state === "cannot judge" || warning || !labeled.n) return "";
  const [such, far, still] = state === "below" ? [low, "low", " all the same"] : [high, "high", ""];
  const all = "of all " + whole(labeled.n) + ", " + whole(labeled.hits) + doSo(finding, labeled.hits) + " (" + percent(labeled) + ")";
  if (!such.n) return "No film in " + where + " scores as " + far + "; " + all + ".";
  const same = such.low <= labeled.value && labeled.value <= such.high ? ": no clear difference." : ".";
  const have = finding === NORMAL ? (such.hits === 1 ? " is normal" : " are normal") : such.hits === 1 ? " has it" : " have it";
  const counted = whole(such.hits) + have + still + ": " + percentRate(such);
  return "Of the " + whole(such.n) + " films in " + where + " that score as " + far + ", " + counted + "; " + all + same;
}

// How often the model is wrong at its threshold, by its card: where no cohort can be asked.
export function ownErrors({ finding, state, sensitivity, specificity }) {
  if (state === "cannot judge") return "";
  const [having, without] = finding === NORMAL ? ["normal films", "films with findings"] : ["films with the finding", "films without it"];
  const missed = sensitivity?.n && "missed " + shareOf(wrong(sensitivity), having);
  const flagged = specificity?.n && "flagged " + shareOf(wrong(specificity), without);
  const parts = [missed, flagged].filter(Boolean);
  return parts.length ? "At its threshold this model " + parts.join(" and ") + "." : UNKNOWN;
}

const doSo = (finding, hits) => (finding === NORMAL ? (hits === 1 ? " is" : " are") : hits === 1 ? " does" : " do");
const percent = ({ value }) => (100 * value).toFixed(value < 0.01 ? 1 : 0) + "\u00a0%";
const shareOf = (rate, films) => percentRate(rate) + " of " + whole(rate.n) + " " + films;
const wrong = ({ value, low, high, n }) => ({ value: 1 - value, low: 1 - high, high: 1 - low, n });
