// An area of the map, in the integers of explorer/core/map_area.py, so that both find the same films inside.

const AREA_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MOST_CORNERS = 64; // corners

const digitPair = (value) => AREA_DIGITS[Math.floor(value / 64)] + AREA_DIGITS[value % 64];

// The address word of an area: the map's version, and four characters per corner.
export const areaWord = (version, corners) => version + "." + corners.map(([x, y]) => digitPair(x) + digitPair(y)).join("");

// Corners (in cells) of a path in map units, at most as many as an address holds; null where it encloses nothing.
export function cornersOf(path, { side, cell }) {
  const inCells = (value) => Math.min(side / cell - 1, Math.max(0, Math.floor(value / cell)));
  const corners = [];
  for (const [x, y] of path) {
    const corner = [inCells(x), inCells(y)];
    const last = corners.at(-1);
    if (!last || last[0] !== corner[0] || last[1] !== corner[1]) corners.push(corner);
  }
  while (corners.length > 1 && corners[0].every((value, at) => value === corners.at(-1)[at])) corners.pop();
  const kept = simplifyCorners(corners);
  const surrounds = kept.length > 2 && [0, 1].every((at) => new Set(kept.map((corner) => corner[at])).size > 1);
  return surrounds ? kept : null;
}

// Visvalingam and Whyatt 1993: remove the corner whose triangle with its neighbors is smallest first.
function simplifyCorners(corners) {
  const kept = [...corners];
  const triangle = (at) => {
    const [[ax, ay], [bx, by], [cx, cy]] = [-1, 0, 1].map((step) => kept[(at + step + kept.length) % kept.length]);
    return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay));
  };
  while (kept.length > 3) {
    let least = 0;
    for (let at = 1; at < kept.length; at += 1) if (triangle(at) < triangle(least)) least = at;
    if (kept.length <= MOST_CORNERS && triangle(least) > 0) break;
    kept.splice(least, 1);
  }
  return kept;
}

// How many of the points lie inside, by the even-odd rule.
export function countFilmsInside(corners, { x, y }, { cell }) {
  const ends = corners.map(([across, up]) => [across * cell + cell / 2, up * cell + cell / 2]);
  const sides = ends
    .map((end, at) => [end, ends[(at + 1) % ends.length]].sort((one, other) => one[1] - other[1]))
    .filter(([low, high]) => low[1] < high[1]);
  let count = 0;
  for (let at = 0; at < x.length; at += 1) {
    let odd = false;
    for (const [[ax, ay], [bx, by]] of sides) {
      if (ay <= y[at] && y[at] < by && (x[at] - ax) * (by - ay) < (bx - ax) * (y[at] - ay)) odd = !odd;
    }
    if (odd) count += 1;
  }
  return count;
}
