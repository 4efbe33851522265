// A score as a bar from 0 to 1 over its uncertain band, with the threshold as a line.

import { make } from "./elements.js";

export function makeScoreBar(row) {
  const track = make("span", "bar");
  const at = (name, from, to) => {
    const piece = make("span", name);
    piece.style.left = from * 100 + "%";
    if (to !== undefined) piece.style.width = (to - from) * 100 + "%";
    track.append(piece);
  };
  if (row.band) at("bar-band", ...row.band);
  at("bar-fill", 0, row.score);
  if (row.threshold !== null) at("bar-mark", row.threshold);
  return track;
}
