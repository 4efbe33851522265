// A model's output in figures: a score, or the margin of an image-text model, which is small and may be negative.

import { MARGIN_DIGITS, fixedText, scoreText, signedText } from "../shared/figures.js";

// `of` has the model's `unit`, and for a margin the `scale` that converts it to a score.
export const decimalsOf = ({ unit }) => (unit === "margin" ? MARGIN_DIGITS : 2);
export const modelValueText = (value, source) => (source.unit === "margin" ? signedText(value, decimalsOf(source)) : scoreText(value));
export const unitValueText = (value, source) => source.unit + " " + modelValueText(value, source);
export const thresholdDistanceText = (difference, source) => signedText(difference, decimalsOf(source)); // from the threshold
export const unitTitle = (unit) => (unit === "margin" ? "Margins of " : "Scores of ");
// Never 100: a film is not more similar than itself.
export const percentileText = (percentile) => fixedText(Math.min(percentile, 99.9), 1) + " %";
export const similarityWords = ([margin, percentile]) => "margin " + signedText(margin, MARGIN_DIGITS) + ", more similar to the text than " + percentileText(percentile) + " of the cohort's films";
// Its position on a bar from 0 to 1.
const barShare = (value, { unit, scale }) => (unit === "margin" ? 1 / (1 + Math.exp(-scale * value)) : value);
export const rowForBar = (row) => ({ ...row, score: barShare(row.score, row), threshold: row.threshold === null ? null : barShare(row.threshold, row) });
