// The points of a map from the server: fetched once, with a search for the nearest point.

const GRID = 128; // cells per side, for the search

export class MapData {
  static async load(address, points) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error("The points of the map did not come");
    return new MapData(await answer.arrayBuffer(), points);
  }

  constructor(buffer, points) {
    this.x = new Uint16Array(buffer, 0, points);
    this.y = new Uint16Array(buffer, 2 * points, points);
    this.ids = new Uint8Array(buffer, 4 * points, 8 * points);
    this.cells = null; // made at the first search
  }

  // The film's name in an address.
  idOf(at) {
    return [...this.ids.subarray(8 * at, 8 * at + 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // The point nearest to a place, within `reach` units; -1 where there is none.
  nearest(x, y, radius) {
    this.cells ??= indexCells(this);
    const { starts, rows, width } = this.cells;
    const within = (value) => Math.min(GRID - 1, Math.max(0, Math.floor(value / width)));
    let [best, found] = [radius * radius, -1];
    for (let up = within(y - radius); up <= within(y + radius); up += 1) {
      for (let across = within(x - radius); across <= within(x + radius); across += 1) {
        const cell = up * GRID + across;
        for (let row = starts[cell]; row < starts[cell + 1]; row += 1) {
          const at = rows[row];
          const distance = (this.x[at] - x) ** 2 + (this.y[at] - y) ** 2;
          if (distance <= best) [best, found] = [distance, at];
        }
      }
    }
    return found;
  }
}

function indexCells({ x, y }) {
  const width = 65_536 / GRID;
  const cell = (at) => Math.floor(y[at] / width) * GRID + Math.floor(x[at] / width);
  const starts = new Uint32Array(GRID * GRID + 1);
  for (let at = 0; at < x.length; at += 1) starts[cell(at) + 1] += 1;
  for (let each = 1; each < starts.length; each += 1) starts[each] += starts[each - 1];
  const rows = new Uint32Array(x.length);
  const next = starts.slice();
  for (let at = 0; at < x.length; at += 1) rows[next[cell(at)]++] = at;
  return { starts, rows, width };
}

export function decodeBase64(code) {
  const letters = atob(code);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return bytes;
}
