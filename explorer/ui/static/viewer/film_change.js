// A finding put into a film: the server sends what it changes on the reduced film, and it is added here at any size.

import { TOP_LEVEL } from "./packed.js";

const [MIDDLE, STEPS] = [32768, 32767]; // as explorer/ui/read/insertion_payload.py packs a change: 0, and 1

// `change`: {row, column, size}; `packed`: its window from unpackFilm. Bilinear between the centers of its pixels.
/**
 * @param {{width: number, height: number, levels: Uint16Array, intact: boolean}} film
 * @param {ui.read.insertion_payload.ChangePayload} change
 */
export function addChange(film, { row, column, size }, packed) {
  const levels = film.levels.slice();
  const [down, across] = [film.height / size[0], film.width / size[1]];
  const gray = (y, x) => (y < 0 || x < 0 || y >= packed.height || x >= packed.width ? 0 : packed.levels[y * packed.width + x] - MIDDLE);
  const [top, bottom] = range(row, packed.height, down, film.height);
  const [left, right] = range(column, packed.width, across, film.width);
  for (let y = top; y < bottom; y++) {
    const v = (y + 0.5) / down - 0.5 - row;
    const [y0, dy] = [Math.floor(v), v - Math.floor(v)];
    for (let x = left; x < right; x++) {
      const u = (x + 0.5) / across - 0.5 - column;
      const [x0, dx] = [Math.floor(u), u - Math.floor(u)];
      const above = gray(y0, x0) * (1 - dx) + gray(y0, x0 + 1) * dx;
      const below = gray(y0 + 1, x0) * (1 - dx) + gray(y0 + 1, x0 + 1) * dx;
      const added = ((above * (1 - dy) + below * dy) / STEPS) * TOP_LEVEL;
      const place = y * film.width + x;
      levels[place] = Math.min(TOP_LEVEL, Math.max(0, Math.round(levels[place] + added)));
    }
  }
  return { ...film, levels };
}

// Which of the film's pixels the window reaches, one of its own pixels around it included.
function range(start, length, scale, most) {
  return [Math.max(0, Math.floor((start - 1) * scale)), Math.min(most, Math.ceil((start + length + 1) * scale))];
}
