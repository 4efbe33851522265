// Heat maps: numbers over the square model input are drawn as colors over the film. One scale for all findings and
// films.

// magma (matplotlib, CC0) at 33 steps; interpolation is at most 2 of 255 off
const MAGMA =
  "0000040303120a0822130d341d114729115a36106b440f7651127c5d177f6a1c81762181832681902a819c2e7faa337db73779c43c75d0416f" +
  "dc4869e75263ef5d5ef56b5cf9795dfc8961fd9869fea772feb67cfec488fed395fde2a3fcf0b2fcfdbf";
const CANVAS_SIDE = 256; // longer side of the heat canvas; a map cell is far larger

const palette = (() => {
  const stops = MAGMA.match(/../g).map((pair) => parseInt(pair, 16));
  const colors = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (stops.length / 3 - 1);
    const left = Math.min(Math.floor(at), stops.length / 3 - 2);
    for (let c = 0; c < 3; c++) {
      const [a, b] = [stops[left * 3 + c], stops[left * 3 + 3 + c]];
      colors[i * 3 + c] = a + (b - a) * (at - left);
    }
  }
  return colors;
})();

function paintPixel(pixels, index, share) {
  const level = Math.min(1, Math.max(0, share));
  const color = Math.round(level * 255) * 3;
  pixels[index * 4] = palette[color];
  pixels[index * 4 + 1] = palette[color + 1];
  pixels[index * 4 + 2] = palette[color + 2];
  pixels[index * 4 + 3] = level * 255; // no evidence is transparent; the style sheet adds the slider's opacity
}

export function decodeMaps(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

// The model's fixed scale; without one, the largest value of this film's maps, which the legend states.
export function heatMaximum(opinion) {
  return opinion.heat_maximum || Math.max(...opinion.values, 1e-6);
}

// Value of map `index` at a point of the film, as shares of its height and width: bilinear between cell centers.
export function makeSampler(opinion, index) {
  const { grid, values, box } = opinion;
  const start = index * grid * grid;
  const cell = (share, side) => {
    const input = box.offset[side] + share * box.inner[side];
    return Math.min(grid - 1, Math.max(0, (input * grid) / box.size - 0.5));
  };
  return (down, across) => {
    const [row, column] = [cell(down, 0), cell(across, 1)];
    const [top, left] = [Math.floor(row), Math.floor(column)];
    const [bottom, right] = [Math.min(top + 1, grid - 1), Math.min(left + 1, grid - 1)];
    const at = (r, c) => values[start + r * grid + c];
    const upper = at(top, left) + (at(top, right) - at(top, left)) * (column - left);
    const lower = at(bottom, left) + (at(bottom, right) - at(bottom, left)) * (column - left);
    return upper + (lower - upper) * (row - top);
  };
}

// Draw map `index` over a film of `width` x `height`; the style sheet stretches the canvas over the film.
export function drawHeat(canvas, opinion, index, width, height) {
  const scale = CANVAS_SIDE / Math.max(width, height);
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const value = makeSampler(opinion, index);
  const maximum = heatMaximum(opinion);
  for (let y = 0, i = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++, i++) {
      paintPixel(image.data, i, value((y + 0.5) / canvas.height, (x + 0.5) / canvas.width) / maximum);
    }
  }
  context.putImageData(image, 0, 0);
}

export function drawScale(canvas) {
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  for (let i = 0; i < canvas.width * canvas.height; i++) {
    paintPixel(image.data, i, (i % canvas.width) / (canvas.width - 1));
  }
  context.putImageData(image, 0, 0);
}
