// Window and level: which gray values of a film spread over the screen's 256. Both are shares of the film's range.

import { fixedText } from "../shared/figures.js";
import { TOP_LEVEL } from "./packed.js";

export const FULL_WINDOW = { width: 1, level: 0.5, inverted: false };
const NARROWEST = 0.002; // about 131 of 65,536 levels

export function limitWindow({ width, level, inverted }) {
  return {
    width: Math.min(2, Math.max(NARROWEST, width)),
    level: Math.min(1, Math.max(0, level)),
    inverted,
  };
}

// A drag in screen pixels: right widens, down raises the level. Steps are proportional to the width, so a narrow window
// is easy to adjust.
export function dragWindow(start, across, down) {
  const width = start.width * Math.exp(across / 200);
  return limitWindow({ ...start, width, level: start.level + (down / 400) * Math.min(1, start.width) });
}

// The window from the film's 1st to its 99th percentile.
export function autoWindow(levels, inverted) {
  const counts = new Uint32Array(TOP_LEVEL + 1);
  for (const level of levels) counts[level] += 1;
  const at = (share) => {
    let below = 0;
    return counts.findIndex((count) => (below += count) >= share * levels.length) / TOP_LEVEL;
  };
  const [low, high] = [at(0.01), at(0.99)];
  return limitWindow({ width: high - low, level: (low + high) / 2, inverted });
}

// Screen gray as a 32-bit pixel (ABGR: all browsers run on little-endian machines) for each of the 65,536 levels.
export function fillWindowTable({ width, level, inverted }, table) {
  const low = level - width / 2;
  const [slope, start] = [255 / (width * TOP_LEVEL), (-low * 255) / width];
  const flip = inverted ? 255 : 0;
  for (let i = 0; i <= TOP_LEVEL; i++) {
    const share = Math.min(255, Math.max(0, start + i * slope));
    const gray = Math.round(share) ^ flip; // 255 - gray
    table[i] = 0xff000000 | (gray * 0x010101);
  }
  return table;
}

// In percent of the film's range; a narrow window needs a decimal.
export function windowWords({ width, level, inverted }) {
  const percent = (share) => fixedText(100 * share, width < 0.1 ? 1 : 0);
  return "W " + percent(width) + " L " + percent(level) + (inverted ? ", inverted display" : "");
}
