// Positions on the scale of a spread, as words and as marks: percentiles among validation films, or margins.

import { MARGIN_DIGITS, fixedText, signedText } from "../shared/figures.js";

const MOST_DIGITS = 6;
// rounded down, to claim no more than that many
const floorText = (value, digits) => fixedText(Math.floor(value * 10 ** digits) / 10 ** digits, digits);

// Words for a position beside the threshold, with enough digits to show whether it lies above or below.
const TEXT_BY_UNIT = {
  percentile: { digits: 0, words: (value, digits) => floorText(value, digits) + " %" },
  margin: { digits: MARGIN_DIGITS, words: signedText },
};

export function placeText(place, { unit, threshold }) {
  const { digits, words } = TEXT_BY_UNIT[unit];
  return words(place, digitsToTellApart(place, threshold, digits, words));
}

// Figures below and above a threshold never look the same.
export function digitsToTellApart(value, threshold, digits, words) {
  const readAlike = (at) => value !== threshold && words(value, at) === words(threshold, at);
  while (digits < MOST_DIGITS && readAlike(digits)) digits++;
  return digits;
}

export const thresholdSideWords = (above) => (above ? "at or above" : "below");

// A position between the ends of the scale, in percent of its length.
export const percentAlong = (place, { ends: [low, high] }) => (100 * (place - low)) / (high - low);
