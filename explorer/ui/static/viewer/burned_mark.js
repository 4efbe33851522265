// Burns words into a film's pixels, so that no picture of it lacks them, as explorer/insertion/burned_mark.py does.

import { TOP_LEVEL } from "./packed.js";

const [SHARE, LEAST] = [28, 9]; // the film's width over the height of letters; px

// White on black along the lower edge of `film`, whose levels change.
export function burnMark({ width, height, levels }, words) {
  const strip = document.createElement("canvas");
  const font = (size) => "600 " + size + "px system-ui, sans-serif";
  const context = strip.getContext("2d", { willReadFrequently: true });
  const wanted = Math.max(LEAST, Math.floor(width / SHARE));
  context.font = font(wanted);
  const size = Math.min(wanted, (wanted * (width - 4)) / context.measureText(words).width);
  strip.width = width;
  strip.height = Math.min(height, Math.ceil(1.4 * size));
  context.fillRect(0, 0, width, strip.height);
  context.font = font(size); // a resized canvas resets it
  context.fillStyle = "#fff";
  context.textBaseline = "middle";
  context.fillText(words, 4, strip.height / 2);
  const bytes = context.getImageData(0, 0, width, strip.height).data;
  const start = (height - strip.height) * width;
  for (let place = 0; place < width * strip.height; place++) levels[start + place] = (bytes[4 * place] / 255) * TOP_LEVEL;
}
