// What a model says in figures: a score, or the margin of an image-text model, which is small and on either side of 0.

// `of` has the model's `unit`, and of a margin the `scale` that makes it a score.
const digitsOf = ({ unit }) => (unit === "margin" ? MARGIN_DIGITS : 2);
const figure = (value, of) => (of.unit === "margin" ? signed(value, digitsOf(of)) : score(value));
const named = (value, of) => of.unit + " " + figure(value, of);
const apart = (difference, of) => signed(difference, digitsOf(of)); // from the threshold
const unitTitle = (unit) => (unit === "margin" ? "Margins of " : "Scores of ");
const apartWord = ({ unit }) => (unit === "margin" ? "distance from the threshold" : "margin");
// Never 100: a film is not more alike than itself.
const percentileWords = (percentile) => Math.min(percentile, 99.9).toFixed(1) + " %";
const alikeWords = ([margin, percentile]) => "margin " + signed(margin, MARGIN_DIGITS) + ", more alike to the text than " + percentileWords(percentile) + " of the cohort's films";
// Where it stands on a bar from 0 to 1.
const share = (value, { unit, scale }) => (unit === "margin" ? 1 / (1 + Math.exp(-scale * value)) : value);
const barred = (row) => ({ ...row, score: share(row.score, row), threshold: row.threshold === null ? null : share(row.threshold, row) });
