// How every figure is written on the page: rounding, signs, dashes, intervals, percentages, p, and the words for a
// missing figure. explorer/core/figures.py writes the same in Python; tests/test_stray_figures.py finds figures written
// elsewhere.

export const DOT_BETWEEN = "  \u00b7  ";
export const NO_FIGURE = "\u2013"; // in a table, without a figure
export const NEGATIVES_HEAD = "n\u2212"; // heads the column of negatives, as n+ heads that of positives
export const MINUS_BETWEEN = " \u2212 "; // one minus another
export const NO_POSITIVES = "no positives";
export const NO_NEGATIVES = "no negatives";
export const MARGIN_DIGITS = 4; // of an image-text model: its margins are a few hundredths

const EN_DASH = "\u2013";
const MINUS = "\u2212";
const ROUNDING = 1e-9; // a rounded 0 may keep its sign
const MOST_DECIMALS = 3; // decimals of a share
const WIDE_INTERVAL = 0.1; // with an interval as wide as this, the third decimal is noise

// A score, a distance or a duration with so many decimals; no minus before a zero.
export function fixedText(value, digits = 2) {
  const figure = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(figure) !== 0 ? MINUS : "") + figure;
}

// A difference with its sign; a zero has none.
export function signedText(value, digits = 2) {
  const figure = fixedText(value, digits);
  return value > 0 && Number(figure) !== 0 ? "+" + figure : figure;
}

// A number with so many significant digits, such as a threshold.
export const roundTo = (value, digits = 4) => Number(value.toPrecision(digits));
export const significantText = (value, digits) => String(roundTo(value, digits)).replace("-", MINUS);
export const scoreText = (value) => fixedText(value, 2);
export const wholeText = (value) => value.toLocaleString("en-US");
export const pText = (p) => (p < 0.001 ? "<0.001" : fixedText(p, 3));
// A ratio of one to so many: 1 : 4.2, 1 : 1,200.
export const ratioText = (ratio) => "1 : " + (ratio < 10 ? fixedText(ratio, 1) : wholeText(Math.round(ratio)));

function sharedDecimals(shares, least, most) {
  const between = shares.filter((share) => share > ROUNDING && share < 1 - ROUNDING);
  let digits = least;
  while (digits < most && between.some((share) => [0, 1].includes(Number(share.toFixed(digits))))) digits += 1;
  return digits;
}

function textWithin(share, all, digits) {
  const text = fixedText(all * share, digits);
  if (share > ROUNDING && Number(text) === 0) return "<" + fixedText(10 ** -digits, digits);
  return share < 1 - ROUNDING && text === fixedText(all, digits) ? ">" + fixedText(all - 10 ** -digits, digits) : text;
}

// A figure and the ends of its interval, or other shares of one row, with the same decimals: `least`, or up to `most`
// where a share would read 0 or 1 but is neither; beyond these <0.001 or >0.999.
export function shareTexts(shares, least = 2, most = MOST_DECIMALS) {
  const digits = sharedDecimals(shares, least, Math.max(least, most));
  return shares.map((share) => textWithin(share, 1, digits));
}

// The same in percent, with `most` decimals, or `least`.
export function percentTexts(shares, most = 2, least = 0) {
  const digits = Math.min(most, Math.max(least, sharedDecimals(shares, 2, 2 + most) - 2));
  return shares.map((share) => textWithin(share, 100, digits));
}

export const intervalText = (low, high) => "[" + low + EN_DASH + high + "]";
// The interval, or why there is none: still computing, or undefined.
export const intervalOrReason = (interval, computing) => interval ?? (computing ? "computing" : "no interval");
export const rangeText = (texts) => texts.join(EN_DASH);

// A figure and its interval as texts, null where there is none: ["0.87", "[0.75\u20130.94]"].
export function estimateTexts({ value, low, high }, digits = 2) {
  const hasInterval = low !== null && low !== undefined;
  const [figure, ...ends] = shareTexts(hasInterval ? [value, low, high] : [value], digits);
  return [figure, hasInterval ? intervalText(...ends) : null];
}

// The same for a difference, with signs: ["+0.03", "[\u22120.01, +0.07]"].
export function differenceTexts({ value, low, high }, digits = 2) {
  const hasInterval = low !== null && low !== undefined;
  return [signedText(value, digits), hasInterval ? "[" + signedText(low, digits) + ", " + signedText(high, digits) + "]" : null];
}

// A number that may be negative, such as an intercept, and its interval.
export const numberTexts = ({ value, low, high }, digits = 2) => [fixedText(value, digits), low === null ? null : "[" + fixedText(low, digits) + ", " + fixedText(high, digits) + "]"];

// The interval for a screen reader: 0.75 to 0.94.
export const spokenInterval = ({ value, low, high }, digits = 2) => shareTexts([value, low, high], digits).slice(1).join(" to ");

// The decimals of a column, as many as its least certain row warrants: 3 where all its intervals are narrow, else 2.
export const earnedDigits = (estimates) => (estimates.some(({ low, high }) => low !== null && high - low >= WIDE_INTERVAL) ? 2 : 3);

// A score and its threshold with enough digits to tell them apart and from 0, six at most.
function textsApart(value, threshold) {
  const nonZero = [value, threshold].filter((each) => Math.abs(each) > ROUNDING);
  const lookAlike = (digits) => value !== threshold && value.toFixed(digits) === threshold.toFixed(digits);
  let digits = 2;
  while (digits < 6 && (lookAlike(digits) || nonZero.some((each) => Number(each.toFixed(digits)) === 0))) digits += 1;
  return [fixedText(value, digits), fixedText(threshold, digits)];
}
export function againstThresholdTexts(value, threshold) {
  if (threshold === null) return [scoreText(value), "no threshold"];
  const [figure, limit] = textsApart(value, threshold);
  return [figure, "threshold " + limit];
}
// The same in less space: 0.002 < 0.005 is below its threshold.
export const comparedText = (value, threshold) => (threshold === null ? scoreText(value) : textsApart(value, threshold).join(value >= threshold ? "\u00a0\u2265\u00a0" : "\u00a0<\u00a0"));
export const joinWithAnd = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
export const countText = (count, word) => wholeText(count) + " " + word + (count === 1 ? "" : "s");
// A rate with its interval; a rate over nothing is not 0.
/** @param {{value?: number, low?: number, high?: number, n?: number, hits?: number}} rate */
export function rateText({ value, low, high }) {
  if (value === null) return "no films";
  return estimateTexts({ value, low, high }).join(" ");
}

// An interval that does not contain its figure has a mark that explains it.
export function markIntervalBeside(interval, { value, low, high }) {
  if (value >= low - ROUNDING && value <= high + ROUNDING) return interval;
  interval.append("\u00a0!");
  interval.title = "The interval does not contain its figure: resampling itself raises ECE, and AP of few positives.";
  return interval;
}

// In percent: ["58 %", "[39\u201376]"].
export function percentEstimateTexts({ value, low, high }, most = 2) {
  const [at, ...ends] = percentTexts([value, low, high], most);
  return [at + "\u00a0%", intervalText(...ends)];
}

export const percentText = (share, most = 2, least = 0) => percentTexts([share], most, least)[0] + "\u00a0%";

// The same for sentences: 10 % [7\u201315].
export function percentRateText({ value, low, high }, most = 2) {
  return percentEstimateTexts({ value, low, high }, most).join(" ");
}
