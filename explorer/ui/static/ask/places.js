// Positions on the scale of a spread, as words and as marks: percentiles among validation films, or margins.

import { MARGIN_DIGITS, fixed, signed } from "../shared/figures.js";

const MOST_DIGITS = 6;
const floored = (value, digits) => fixed(Math.floor(value * 10 ** digits) / 10 ** digits, digits); // above this many, not more

// Words for a position beside the threshold, with enough digits to show whether it lies above or below.
const WRITTEN = {
  percentile: { digits: 0, words: (value, digits) => floored(value, digits) + " %" },
  margin: { digits: MARGIN_DIGITS, words: signed },
};

export function placeWords(place, { unit, threshold }) {
  const { digits, words } = WRITTEN[unit];
  return words(place, digitsApart(place, threshold, digits, words));
}

// Figures below and above a threshold never look the same.
export function digitsApart(value, threshold, digits, words) {
  const alike = (at) => value !== threshold && words(value, at) === words(threshold, at);
  while (digits < MOST_DIGITS && alike(digits)) digits++;
  return digits;
}

export const sideWords = (above) => (above ? "at or above" : "below");

// A position between the ends of the scale, in percent of its length.
export const along = (place, { ends: [low, high] }) => (100 * (place - low)) / (high - low);
