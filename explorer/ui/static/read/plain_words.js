// What a finding's score means, for readers without statistics: the answer, then how many such films have the finding,
// then the score. Each rate is about one kind of film, and the sentence names it.

import { percentRateText, percentText, scoreText, wholeText } from "../shared/figures.js";
import { NORMAL, STATE_WORDS } from "../shared/finding_words.js";

const CANNOT_JUDGE = "This model cannot judge it: its scores have not been shown to beat guessing. The finding may be present or absent.";
const NO_THRESHOLD = "No threshold is known: the score is neither positive nor negative.";
const ERRORS_UNKNOWN = "how often this model is wrong about it is not known";
const FEWEST_FILMS = 10; // a sentence gives no rate based on fewer films
const MANY_FILMS = 100; // from this many films on, a rate no higher than that of all films shows an uninformative score
const MOST_UNSURE = 0.5; // share of films without any finding: if a model is unsure of more, "uncertain" alone misleads

// `clause`: how many such films have it, or how often the model is wrong; empty: not known yet.
/** @param {reading.finding_json.FindingAnswer} row */
export function meaningText(row, clause) {
  const { finding, state, warning, score: value, threshold, free_in_band: free, chosen_here: here } = row;
  if (state === "cannot judge") return CANNOT_JUDGE;
  const rest = clause ? asSentence(clause) : "";
  if (state === null) return rest + NO_THRESHOLD;
  const reached = "Score " + scoreText(value) + (here ? " (threshold chosen here " : " (threshold ") + scoreText(threshold) + ").";
  if (warning) return reached; // the card's warning comes before it
  const word = lowerFirstLetter(STATE_WORDS[state]) + (finding === NORMAL && state !== "unsure" ? " as normal" : "");
  const open = state === "unsure" && free?.value >= MOST_UNSURE ? " This says little: " + percentRateText(free) + " of " + wholeText(free.n) + " films without any finding are uncertain, too." : "";
  return word + ". " + rest + reached + open;
}

// How many test films on the same side of this very score had the finding; then how many of all, for comparison. For a
// flagged finding the server's sentence is used, on the films that decided its verdict. Where the card warns that the
// score may mean something else, such films may share something else.
export function suchFilmsText({ finding, state, warning, right_words: right }, { as_high: high, as_low: low, labeled }) {
  if (state === "cannot judge" || warning || !labeled.n) return "";
  if (right && finding !== NORMAL) return right;
  const [sameSide, scoreWords] = state === "below" ? [low, "this low"] : [high, "this high"];
  const [had, did] = finding === NORMAL ? ["were normal", "were"] : ["had it", "did"];
  const all = percent(labeled) + " of all films ";
  if (sameSide.n < FEWEST_FILMS) return "Too few films score " + scoreWords + " to say (n " + wholeText(sameSide.n) + "); " + all + had + ".";
  const films = "Of " + wholeText(sameSide.n) + " test films scoring " + scoreWords;
  const counted = films + ", " + wholeText(sameSide.hits) + " (" + percentRateText(sameSide, 1) + ") " + had + "; " + all + did + ".";
  const same = sameSide.n >= MANY_FILMS && state !== "below" && sameSide.low <= labeled.value && labeled.value <= sameSide.high;
  return same ? counted + " They have it no more often than others." : counted;
}

// How often the model is wrong at its threshold, from its card: used without a cohort.
export function ownErrorsText({ finding, state, sensitivity, specificity }) {
  if (state === "cannot judge") return "";
  const [having, without] = finding === NORMAL ? ["normal films", "films with findings"] : ["films with the finding", "films without it"];
  const missed = sensitivity?.n && "missed " + percentOfFilms(errorRate(sensitivity), having);
  const flagged = specificity?.n && "flagged " + percentOfFilms(errorRate(specificity), without);
  const parts = [missed, flagged].filter(Boolean);
  return parts.length ? "at its threshold this model " + parts.join(" and ") : ERRORS_UNKNOWN;
}

const lowerFirstLetter = (words) => words[0].toUpperCase() + words.slice(1);
const asSentence = (words) => lowerFirstLetter(words) + (words.endsWith(".") ? " " : ". ");
const percent = ({ value }) => percentText(value, 1);
const percentOfFilms = (rate, films) => percentRateText(rate) + " of " + wholeText(rate.n) + " " + films;
const errorRate = ({ value, low, high, n }) => ({ value: 1 - value, low: 1 - high, high: 1 - low, n });
