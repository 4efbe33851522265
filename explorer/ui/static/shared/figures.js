// How figures are written, the same everywhere on the page.

export const DOT = "  \u00b7  ";
export const MARGIN_DIGITS = 4; // of an image-text model: its margins are some hundredths

const NOTHING = 1e-9; // what rounding leaves of 0

// The digits that figures need so that none of them reads 0 unless it is 0: `digits`, or more.
export function digitsFor(values, digits = 2) {
  const there = values.filter((value) => Number.isFinite(value) && Math.abs(value) > NOTHING);
  while (there.some((value) => Number(value.toFixed(digits)) === 0)) digits += 1;
  return digits;
}

// The digits that shares need so that none reads 0 or 1 unless it is: `digits`, or more.
export function shareDigits(shares, digits = 2) {
  const between = shares.filter((share) => share > NOTHING && share < 1 - NOTHING);
  while (between.some((share) => [0, 1].includes(Number(share.toFixed(digits))))) digits += 1;
  return digits;
}

// A figure and the ends of its interval, or any other shares that stand together, with the same decimals.
export function shareTexts(shares, least = 2) {
  const digits = shareDigits(shares, least);
  return shares.map((share) => share.toFixed(digits));
}

// The same in percent, with `most` decimals, or `least`; what these do not tell from 0 or 100 reads <1 or >99.
export function percentTexts(shares, most = 2, least = 0) {
  const digits = Math.min(most, Math.max(least, shareDigits(shares) - 2));
  const step = 10 ** -digits;
  const text = (share) => {
    const percent = (100 * share).toFixed(digits);
    if (Number(percent) === 0 && share > NOTHING) return "<" + step.toFixed(digits);
    return Number(percent) === 100 && share < 1 - NOTHING ? ">" + (100 - step).toFixed(digits) : percent;
  };
  return shares.map(text);
}

export const score = (value) => value.toFixed(2);
// A score and its threshold with the digits that tell them apart and from 0, six at most.
function besides(value, threshold) {
  let digits = Math.min(6, digitsFor([value, threshold]));
  while (digits < 6 && value !== threshold && value.toFixed(digits) === threshold.toFixed(digits)) digits += 1;
  return [value.toFixed(digits), threshold.toFixed(digits)];
}
export function againstWords(value, threshold) {
  if (threshold === null) return [score(value), "no threshold"];
  const [figure, limit] = besides(value, threshold);
  return [figure, "threshold " + limit];
}
// The same in little room: 0.002 < 0.005 is not called.
export const comparedWords = (value, threshold) => (threshold === null ? score(value) : besides(value, threshold).join(value >= threshold ? "\u00a0\u2265\u00a0" : "\u00a0<\u00a0"));
export const whole = (value) => value.toLocaleString("en-US");
export const andList = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
export const plural = (count, word) => whole(count) + " " + word + (count === 1 ? "" : "s");
export const signed = (value, digits = 2) => {
  const figure = Math.abs(value).toFixed(digits);
  return Number(figure) === 0 ? figure : (value < 0 ? "\u2212" : "+") + figure; // no minus before a zero
};
// A rate with its interval; a rate of nothing is not 0.
/** @param {{value?: number, low?: number, high?: number, n?: number, hits?: number}} rate */
export function rate({ value, low, high }) {
  if (value === null) return "no films";
  const [figure, ...ends] = shareTexts([value, low, high]);
  return figure + " [" + ends.join("\u2013") + "]";
}

// An interval that does not contain its figure has a mark that says why.
export function besideMarked(interval, { value, low, high }) {
  if (value >= low - NOTHING && value <= high + NOTHING) return interval;
  interval.append("\u00a0!");
  interval.title = "The interval does not contain its figure: resampling itself raises ECE, and AP of few positives.";
  return interval;
}

// The same as a percentage, for sentences: 10 % [7-15].
export function percentRate({ value, low, high }, most = 2) {
  const [at, ...reach] = percentTexts([value, low, high], most);
  return at + "\u00a0% [" + reach.join("\u2013") + "]";
}
