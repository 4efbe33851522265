// What a finding's score means, for readers without statistics: the answer, then how many such films have the finding,
// then the score. Each rate is about one kind of film, and the sentence names it.

import { percentRate, percentText, score, whole } from "../shared/figures.js";
import { NORMAL, STATE_WORDS } from "../shared/finding_words.js";

const CANNOT_JUDGE = "This model cannot judge it: nobody has shown that its scores beat guessing. That says neither that it is there nor that it is absent.";
const NO_THRESHOLD = "No threshold is known: the score is neither positive nor negative.";
const UNKNOWN = "how often this model is wrong about it is not known";
const FEWEST = 10; // films behind a rate in a sentence
const MANY = 100; // films: with so many, a rate no higher than that of all films shows that the score is uninformative
const MOST = 0.5; // of films without any finding: where a model is unsure of so many, "uncertain" alone misleads

// `clause`: how many such films have it, or how often the model is wrong; empty: not known yet.
/** @param {reading.finding_json.FindingAnswer} row */
export function plainWords(row, clause) {
  const { finding, state, warning, score: value, threshold, free_in_band: free, chosen_here: here } = row;
  if (state === "cannot judge") return CANNOT_JUDGE;
  const rest = clause ? sentence(clause) : "";
  if (state === null) return rest + NO_THRESHOLD;
  const reached = "Score " + score(value) + (here ? " (threshold chosen here " : " (threshold ") + score(threshold) + ").";
  if (warning) return reached; // the card's warning stands before it
  const word = sentenceCase(STATE_WORDS[state]) + (finding === NORMAL && state !== "unsure" ? " as normal" : "");
  const open = state === "unsure" && free?.value >= MOST ? " This says little: " + percentRate(free) + " of " + whole(free.n) + " films without any finding are uncertain, too." : "";
  return word + ". " + rest + reached + open;
}

// How many test films on the same side of this very score had the finding; then how many of all, for comparison. For a
// flagged finding the server's sentence is used, on the films that decided its verdict. Where the card warns that the
// score may mean something else, such films may share something else.
export function suchFilms({ finding, state, warning, right_words: right }, { as_high: high, as_low: low, labeled }) {
  if (state === "cannot judge" || warning || !labeled.n) return "";
  if (right && finding !== NORMAL) return right;
  const [such, far] = state === "below" ? [low, "this low"] : [high, "this high"];
  const [had, did] = finding === NORMAL ? ["were normal", "were"] : ["had it", "did"];
  const all = percent(labeled) + " of all films ";
  if (such.n < FEWEST) return "Too few films score " + far + " to say (n " + whole(such.n) + "); " + all + had + ".";
  const films = "Of " + whole(such.n) + " test films scoring " + far;
  const counted = films + ", " + whole(such.hits) + " (" + percentRate(such, 1) + ") " + had + "; " + all + did + ".";
  const same = such.n >= MANY && state !== "below" && such.low <= labeled.value && labeled.value <= such.high;
  return same ? counted + " They have it no more often than others." : counted;
}

// How often the model is wrong at its threshold, from its card: used without a cohort.
export function ownErrors({ finding, state, sensitivity, specificity }) {
  if (state === "cannot judge") return "";
  const [having, without] = finding === NORMAL ? ["normal films", "films with findings"] : ["films with the finding", "films without it"];
  const missed = sensitivity?.n && "missed " + shareOf(wrong(sensitivity), having);
  const flagged = specificity?.n && "flagged " + shareOf(wrong(specificity), without);
  const parts = [missed, flagged].filter(Boolean);
  return parts.length ? "at its threshold this model " + parts.join(" and ") : UNKNOWN;
}

const sentenceCase = (words) => words[0].toUpperCase() + words.slice(1);
const sentence = (words) => sentenceCase(words) + (words.endsWith(".") ? " " : ". ");
const percent = ({ value }) => percentText(value, 1);
const shareOf = (rate, films) => percentRate(rate) + " of " + whole(rate.n) + " " + films;
const wrong = ({ value, low, high, n }) => ({ value: 1 - value, low: 1 - high, high: 1 - low, n });
