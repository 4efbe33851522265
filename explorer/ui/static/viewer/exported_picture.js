// The film as a picture to save: windowed as on screen, with its map and dots; all words are beside or below it, never on it.

import { windowWords } from "./gray_window.js";

const PICTURE_COLORS = { page: "#0a0d11", text: "#d9e1ea", muted: "#8b98a7", bar: "#4a4a4a", gutter: 32, line: 20, font: 14 };

// Break a line where it is too long for `width` pixels.
function wrapLine(context, line, width) {
  const rows = [""];
  for (const word of line.split(" ")) {
    const longer = (rows.at(-1) + " " + word).trim();
    if (rows.at(-1) && context.measureText(longer).width > width) rows.push(word);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}

// `viewer`: at the resolution sent by the server; `opacity` in [0, 1] is that of the map.
export function makePicture(viewer, opacity, lines) {
  const { width, height } = viewer.pixels;
  const { gutter, line, font, page } = PICTURE_COLORS;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(480, width + 2 * gutter);
  const context = canvas.getContext("2d");
  context.font = font + "px system-ui, sans-serif";
  const room = canvas.width - 2 * gutter;
  const below = linesBelow(viewer, lines).flatMap((each) => wrapLine(context, each, room));
  const legend = viewer.overlay.isShown ? wrapLine(context, legendText(viewer.overlay), room - 120) : [];
  canvas.height = gutter + height + gutter / 2 + (below.length + legend.length + 1) * line;
  const left = Math.round((canvas.width - width) / 2);
  context.fillStyle = page;
  context.fillRect(0, 0, canvas.width, canvas.height);
  drawFilm(context, viewer, opacity, left, gutter);
  drawSides(context, viewer, left, left + width);
  let y = gutter + height + gutter / 2 + font;
  context.fillStyle = PICTURE_COLORS.text;
  context.font = font + "px system-ui, sans-serif"; // a resized canvas resets it
  context.textAlign = "left";
  if (legend.length) drawLegendBar(context, viewer, opacity, gutter, y - 10);
  for (const words of legend) context.fillText(words, gutter + 120, (y += line) - line);
  for (const words of below) context.fillText(words, gutter, (y += line) - line);
  return canvas;
}

function linesBelow(viewer, lines) {
  const assumed = viewer.part("mark-right").classList.contains("assumed") && viewer.part("mark-right").textContent;
  const sides = assumed ? ["R and L by convention; the file does not say."] : [];
  return [viewer.part("facts").textContent, windowWords(viewer.window), ...sides, ...lines];
}

function legendText(overlay) {
  const { finding, maximum, cells, place, worth } = overlay.legendWords;
  return [finding + ": 0 to " + maximum, cells, worth, place && "hottest: " + place].filter(Boolean).join(", ");
}

function drawFilm(context, viewer, opacity, left, top) {
  const { width, height } = viewer.pixels;
  viewer.paint(); // the frame requested by a drag may still be pending
  context.drawImage(viewer.canvas, left, top);
  if (viewer.overlay.isShown) {
    context.globalAlpha = opacity;
    context.imageSmoothingQuality = "high";
    context.drawImage(viewer.overlay.canvas, left, top, width, height);
    context.globalAlpha = 1;
  }
  viewer.placeDots.paint(context, [left, top, width, height]);
}

function drawSides(context, viewer, left, right) {
  const words = (name) => viewer.part(name).textContent;
  context.font = "600 " + PICTURE_COLORS.font + "px system-ui, sans-serif";
  context.textAlign = "center";
  context.fillStyle = viewer.part("mark-right").classList.contains("assumed") ? PICTURE_COLORS.muted : PICTURE_COLORS.text;
  context.fillText(words("mark-right"), left - PICTURE_COLORS.gutter / 2, PICTURE_COLORS.gutter + PICTURE_COLORS.font);
  context.fillText(words("mark-left"), right + PICTURE_COLORS.gutter / 2, PICTURE_COLORS.gutter + PICTURE_COLORS.font);
  context.fillStyle = PICTURE_COLORS.text;
  context.fillText(words("mark-view"), right + PICTURE_COLORS.gutter / 2, PICTURE_COLORS.gutter + 3 * PICTURE_COLORS.font);
}

function drawLegendBar(context, viewer, opacity, x, y) {
  context.fillStyle = PICTURE_COLORS.bar;
  context.fillRect(x, y, 96, 10);
  context.globalAlpha = opacity;
  context.drawImage(viewer.overlay.legend.querySelector(".legend-scale"), x, y, 96, 10);
  context.globalAlpha = 1;
  context.fillStyle = PICTURE_COLORS.text;
}
