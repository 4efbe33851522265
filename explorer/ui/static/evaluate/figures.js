// How means, intervals and p are written in the leaderboard: three decimals, so that close models differ.

import { make } from "../shared/elements.js";
import { besideMarked, shareTexts, signed } from "../shared/figures.js";

const DASH = "\u2013";
const NAMES = { "seen findings": "all seen", "all findings": "all", "unseen findings": "unseen", "own findings": "own" };

// The heading of a group of findings, or of a center.
export const where = ({ name, center }) => (center === null ? (NAMES[name] ?? name) : "at " + center);
const short = (text) => text.replace(/^([+\u2212]?)0\./, "$1."); // as the challenge prints: eight columns fit
export const dot = (value) => short(shareTexts([value], 3)[0]);
const signedDot = (value) => short(signed(value, 3));
const reach = ({ low, high }) => "[" + dot(low) + DASH + dot(high) + "]";
export const percent = (value) => (value > 0 && value < 0.005 ? "under 1" : value < 1 && value > 0.995 ? "over 99" : String(Math.round(100 * value))) + "\u00a0%";
export const pWords = (p) => (p < 0.001 ? "p < .001" : "p " + short(p.toFixed(3)));
export const share = (value) => (value > 0 && value < 0.005 ? "< .01" : value < 1 && value > 0.995 ? "> .99" : value.toFixed(2));

// A mean with its interval below it, or why there is none.
export function figureParts(figure, computing) {
  if (!figure || figure.value === null) return [make("span", "board-none", DASH)];
  const parts = [make("span", "board-value", dot(figure.value))];
  if (figure.low !== null) parts.push(besideMarked(make("span", "board-reach", reach(figure)), figure));
  else parts.push(make("span", "board-reach" + (computing ? " computing" : ""), computing ? "computing" : "no interval"));
  return parts;
}

export function differenceParts({ value, low, high, p }, computing) {
  if (value === null) return [make("span", "board-none", DASH)];
  const parts = [make("span", "board-value", signedDot(value))];
  if (low === null) return [...parts, make("span", "board-reach" + (computing ? " computing" : ""), computing ? "computing" : "no interval")];
  if (p !== null) parts.push(" ", make("span", "board-p", pWords(p)));
  return [...parts, make("span", "board-reach", "[" + signedDot(low) + ", " + signedDot(high) + "]")];
}

export function shareParts({ value }, computing) {
  if (value !== null) return [make("span", "board-value", share(value))];
  return [make("span", "board-reach" + (computing ? " computing" : ""), computing ? "computing" : DASH)];
}

// The interval on a line that all rows of a column share: {least, most}.
export function line({ value, low, high }, { least, most }) {
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

export function rangeOf(figures) {
  const ends = figures.filter(({ value }) => value !== null).flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  return { least: Math.min(...ends), most: Math.max(...ends) };
}
