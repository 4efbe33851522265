// How means, intervals and p are written in the leaderboard: three decimals, because models lie close together.

import { make } from "../shared/elements.js";
import { NO_FIGURE, differenceTexts, earnedDigits, estimateTexts, intervalOrReason, markIntervalBeside, pText, percentText, shareTexts } from "../shared/figures.js";

const MEAN_DECIMALS = 3;
const SHORT_NAMES = { "seen findings": "all seen", "all findings": "all", "unseen findings": "unseen", "own findings": "own" };

// The heading of a group of findings, or of a center.
export const columnName = ({ name, center }) => (center === null ? (SHORT_NAMES[name] ?? name) : "at " + center);
export const meanText = (value) => shareTexts([value], MEAN_DECIMALS)[0];
export const wholePercentText = (value) => percentText(value, 0);
export const twoDecimalsText = (value) => shareTexts([value], 2, 2)[0];

// A mean with its interval below it, or why there is none.
/** @param {{ value: number | null, low: number | null, high: number | null } | null} figure */
export function makeMeanParts(figure, computing, digits = MEAN_DECIMALS) {
  if (!figure || figure.value === null) return [make("span", "board-none muted small", NO_FIGURE)];
  const [value, interval] = estimateTexts(figure, digits);
  const parts = [make("span", "board-value", value)];
  if (interval !== null) parts.push(markIntervalBeside(make("span", "board-reach muted small", interval), figure));
  else parts.push(make("span", "board-reach muted small" + (computing ? " computing" : ""), intervalOrReason(interval, computing)));
  return parts;
}

/** @param {{value: number | null, low: number | null, high: number | null, p: number | null}} difference */
export function makeMeanDifferenceParts(difference, computing, digits = MEAN_DECIMALS) {
  const { p } = difference;
  if (difference.value === null) return [make("span", "board-none muted small", NO_FIGURE)];
  const [value, interval] = differenceTexts(difference, digits);
  /** @type {(HTMLElement | string)[]} */
  const parts = [make("span", "board-value", value)];
  if (interval === null) return [...parts, make("span", "board-reach muted small" + (computing ? " computing" : ""), intervalOrReason(interval, computing))];
  if (p !== null) parts.push(" ", make("span", "board-p muted small", "p " + pText(p)));
  return [...parts, make("span", "board-reach muted small", interval)];
}

export function makeShareParts({ value }, computing) {
  if (value !== null) return [make("span", "board-value", twoDecimalsText(value))];
  return [make("span", "board-reach muted small" + (computing ? " computing" : ""), computing ? "computing" : NO_FIGURE)];
}

// The interval on a line. All rows of a column share its scale, which rangeOf returns.
export function makeIntervalLine({ value, low, high }, { least, most }) {
  const at = (each) => (100 * (each - least)) / (most - least || 1) + "%";
  const box = make("span", "board-line");
  box.setAttribute("aria-hidden", "true"); // the figures say the same
  if (low !== null) {
    const bar = make("span", "board-line-reach");
    Object.assign(bar.style, { left: at(low), right: "calc(100% - " + at(high) + ")" });
    box.append(bar);
  }
  const dot = make("span", "board-line-dot");
  dot.style.left = at(value);
  box.append(dot);
  return box;
}

// What the rows of a column share: the ends of the scale, and as many decimals as the least certain row warrants.
export function sharedScale(figures) {
  const known = figures.filter(({ value }) => value !== null);
  const ends = known.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  return { least: Math.min(...ends), most: Math.max(...ends), digits: earnedDigits(known) };
}
