// How every figure is written on the page: rounding, signs, dashes, intervals, percentages, p, and the words for a
// missing figure. explorer/core/figures.py writes the same in Python; tests/test_stray_figures.py finds figures written
// elsewhere.

export const DOT = "  \u00b7  ";
export const NONE = "\u2013"; // in a table, without a figure
export const NEGATIVES = "n\u2212"; // the head of the column of negatives, as n+ is of the positives
export const LESS = " \u2212 "; // one minus another
export const NO_POSITIVES = "no positives";
export const NO_NEGATIVES = "no negatives";
export const MARGIN_DIGITS = 4; // of an image-text model: its margins are a few hundredths

const EN_DASH = "\u2013";
const MINUS = "\u2212";
const NOTHING = 1e-9; // a rounded 0 may keep its sign
const MOST = 3; // decimals of a share
const WIDE = 0.1; // with an interval as wide as this, the third decimal is noise

// A score, a distance or a duration with so many decimals; no minus before a zero.
export function fixed(value, digits = 2) {
  const figure = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(figure) !== 0 ? MINUS : "") + figure;
}

// A difference with its sign; a zero has none.
export function signed(value, digits = 2) {
  const figure = fixed(value, digits);
  return value > 0 && Number(figure) !== 0 ? "+" + figure : figure;
}

// A number with so many significant digits, such as a threshold.
export const rounded = (value, digits = 4) => Number(value.toPrecision(digits));
export const significant = (value, digits) => String(rounded(value, digits)).replace("-", MINUS);
export const score = (value) => fixed(value, 2);
export const whole = (value) => value.toLocaleString("en-US");
export const pText = (p) => (p < 0.001 ? "<0.001" : fixed(p, 3));
// How many there are per one: 1 : 4.2, 1 : 1,200.
export const ratioText = (ratio) => "1 : " + (ratio < 10 ? fixed(ratio, 1) : whole(Math.round(ratio)));

function digitsOf(shares, least, most) {
  const between = shares.filter((share) => share > NOTHING && share < 1 - NOTHING);
  let digits = least;
  while (digits < most && between.some((share) => [0, 1].includes(Number(share.toFixed(digits))))) digits += 1;
  return digits;
}

function within(share, all, digits) {
  const text = fixed(all * share, digits);
  if (share > NOTHING && Number(text) === 0) return "<" + fixed(10 ** -digits, digits);
  return share < 1 - NOTHING && text === fixed(all, digits) ? ">" + fixed(all - 10 ** -digits, digits) : text;
}

// A figure and the ends of its interval, or other shares of one row, with the same decimals: `least`, or up to `most`
// where a share would read 0 or 1 without being it; beyond these <0.001 or >0.999.
export function shareTexts(shares, least = 2, most = MOST) {
  const digits = digitsOf(shares, least, Math.max(least, most));
  return shares.map((share) => within(share, 1, digits));
}

// The same in percent, with `most` decimals, or `least`.
export function percentTexts(shares, most = 2, least = 0) {
  const digits = Math.min(most, Math.max(least, digitsOf(shares, 2, 2 + most) - 2));
  return shares.map((share) => within(share, 100, digits));
}

export const intervalText = (low, high) => "[" + low + EN_DASH + high + "]";
// The interval, or why there is none: still computing, or undefined.
export const reachText = (interval, computing) => interval ?? (computing ? "computing" : "no interval");
export const rangeText = (texts) => texts.join(EN_DASH);

// A figure and its interval as texts, null where there is none: ["0.87", "[0.75\u20130.94]"].
export function estimateTexts({ value, low, high }, digits = 2) {
  const known = low !== null && low !== undefined;
  const [figure, ...ends] = shareTexts(known ? [value, low, high] : [value], digits);
  return [figure, known ? intervalText(...ends) : null];
}

// The same for a difference, with signs: ["+0.03", "[\u22120.01, +0.07]"].
export function differenceTexts({ value, low, high }, digits = 2) {
  const known = low !== null && low !== undefined;
  return [signed(value, digits), known ? "[" + signed(low, digits) + ", " + signed(high, digits) + "]" : null];
}

// The interval for a screen reader: 0.75 to 0.94.
export const spokenInterval = ({ value, low, high }, digits = 2) => shareTexts([value, low, high], digits).slice(1).join(" to ");

// The decimals of a column, as many as its least certain row earns: 3 where all its intervals are narrow, else 2.
export const earnedDigits = (estimates) => (estimates.some(({ low, high }) => low !== null && high - low >= WIDE) ? 2 : 3);

// A score and its threshold with enough digits to tell them apart and from 0, six at most.
function besides(value, threshold) {
  const there = [value, threshold].filter((each) => Math.abs(each) > NOTHING);
  const alike = (digits) => value !== threshold && value.toFixed(digits) === threshold.toFixed(digits);
  let digits = 2;
  while (digits < 6 && (alike(digits) || there.some((each) => Number(each.toFixed(digits)) === 0))) digits += 1;
  return [fixed(value, digits), fixed(threshold, digits)];
}
export function againstWords(value, threshold) {
  if (threshold === null) return [score(value), "no threshold"];
  const [figure, limit] = besides(value, threshold);
  return [figure, "threshold " + limit];
}
// The same in little room: 0.002 < 0.005 is below its threshold.
export const comparedWords = (value, threshold) => (threshold === null ? score(value) : besides(value, threshold).join(value >= threshold ? "\u00a0\u2265\u00a0" : "\u00a0<\u00a0"));
export const andList = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
export const plural = (count, word) => whole(count) + " " + word + (count === 1 ? "" : "s");
// A rate with its interval; a rate over nothing is not 0.
/** @param {{value?: number, low?: number, high?: number, n?: number, hits?: number}} rate */
export function rate({ value, low, high }) {
  if (value === null) return "no films";
  return estimateTexts({ value, low, high }).join(" ");
}

// An interval that does not contain its figure has a mark that explains it.
export function besideMarked(interval, { value, low, high }) {
  if (value >= low - NOTHING && value <= high + NOTHING) return interval;
  interval.append("\u00a0!");
  interval.title = "The interval does not contain its figure: resampling itself raises ECE, and AP of few positives.";
  return interval;
}

// In percent: ["58 %", "[39\u201376]"].
export function percentEstimate({ value, low, high }, most = 2) {
  const [at, ...ends] = percentTexts([value, low, high], most);
  return [at + "\u00a0%", intervalText(...ends)];
}

export const percentText = (share, most = 2, least = 0) => percentTexts([share], most, least)[0] + "\u00a0%";

// The same for sentences: 10 % [7\u201315].
export function percentRate({ value, low, high }, most = 2) {
  return percentEstimate({ value, low, high }, most).join(" ");
}
