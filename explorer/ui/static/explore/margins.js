// A model's output in figures: a score, or the margin of an image-text model, which is small and may be negative.

import { MARGIN_DIGITS, fixed, score, signed } from "../shared/figures.js";

// `of` has the model's `unit`, and for a margin the `scale` that converts it to a score.
export const digitsOf = ({ unit }) => (unit === "margin" ? MARGIN_DIGITS : 2);
export const figure = (value, of) => (of.unit === "margin" ? signed(value, digitsOf(of)) : score(value));
export const named = (value, of) => of.unit + " " + figure(value, of);
export const apart = (difference, of) => signed(difference, digitsOf(of)); // from the threshold
export const unitTitle = (unit) => (unit === "margin" ? "Margins of " : "Scores of ");
// Never 100: a film is not more similar than itself.
export const percentileWords = (percentile) => fixed(Math.min(percentile, 99.9), 1) + " %";
export const alikeWords = ([margin, percentile]) => "margin " + signed(margin, MARGIN_DIGITS) + ", more similar to the text than " + percentileWords(percentile) + " of the cohort's films";
// Its position on a bar from 0 to 1.
const share = (value, { unit, scale }) => (unit === "margin" ? 1 / (1 + Math.exp(-scale * value)) : value);
export const barred = (row) => ({ ...row, score: share(row.score, row), threshold: row.threshold === null ? null : share(row.threshold, row) });
