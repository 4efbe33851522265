// A chart made by the server and drawn by plotly, with a label for screen readers, saved as PNG or SVG.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { loadPlotly } from "../shared/plotly.js";

const SCALE_BY_FORMAT = { png: 2, svg: 1 }; // pixels of the saved picture per pixel of the page
const MIME_TYPES = { png: "image/png", svg: "image/svg+xml" };
const CAPTION_HEIGHT = 40; // px below the saved chart, for its caption
const NARROW_PX = 620; // charts with a layout for narrow windows use it below this width

// `figure` has `data` and `layout`, and `narrow` if it has another layout for narrow windows; without one it scrolls there.
// `label` says what the chart shows; `name` is the file's; `below` is the caption of the saved picture.
export function makeChart({ plotly, figure, label, name, below }) {
  const box = make("figure", figure.narrow ? "chart fits" : "chart");
  const drawn = make("div", "chart-drawn");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", label);
  const scroll = make("div", "board-scroll");
  Object.assign(scroll, { tabIndex: 0 });
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", label);
  scroll.append(drawn);
  const status = make("span", "chart-said");
  status.setAttribute("role", "status");
  const buttons = Object.keys(MIME_TYPES).map((kind) => makeSaveButton(kind, { plotly, figure, name, below, drawn, status }));
  const tools = make("figcaption", "chart-tools muted small flex-row flex-wraps");
  tools.append(status, make("span", "", "Save chart"), ...buttons);
  box.append(scroll, tools);
  const draw = () => drawChart(drawn, plotly, figure).catch(() => status.replaceChildren("The chart could not be drawn: its script did not load. Open the panel again."));
  if (figure.narrow) onLayoutChange(scroll, draw);
  else draw();
  return box;
}

async function drawChart(drawn, plotly, figure) {
  const Plotly = await loadPlotly(plotly);
  await Plotly.react(drawn, figure.data, layoutFor(drawn, figure), { displayModeBar: false, responsive: true });
}

const isNarrow = (box) => box.clientWidth < NARROW_PX;
const layoutFor = (drawn, { layout, narrow }) => (narrow && isNarrow(drawn) ? narrow : layout);

// Draw once the box has a width, and again whenever the other layout fits.
function onLayoutChange(box, draw) {
  let drawnNarrow = null;
  new ResizeObserver(() => {
    if (!box.clientWidth || drawnNarrow === isNarrow(box)) return;
    drawnNarrow = isNarrow(box);
    draw();
  }).observe(box);
}

function makeSaveButton(kind, about) {
  const button = Object.assign(make("button", "", kind.toUpperCase()), { type: "button" });
  button.dataset.key = "save chart " + about.name + " " + kind;
  button.addEventListener("click", () => saveChart(kind, about).catch(() => about.status.replaceChildren("The chart could not be saved. Open the panel again.")));
  return button;
}

// A saved picture travels alone: its caption says which films it is about.
async function saveChart(kind, { plotly, figure, name, below, drawn, status }) {
  const Plotly = await loadPlotly(plotly);
  const { width, height } = drawn.getBoundingClientRect();
  const shown = layoutFor(drawn, figure);
  const margin = shown.margin ?? {};
  const background = getComputedStyle(document.documentElement).getPropertyValue("--page");
  const note = { text: escapeMarkup(below), x: 0, xref: "container", y: 0, yref: "container", xanchor: "left", yanchor: "bottom", pad: { l: 12, b: 12 }, font: { size: 12 } };
  const layout = { ...shown, width, height: height + CAPTION_HEIGHT, margin: { ...margin, b: (margin.b ?? 44) + CAPTION_HEIGHT }, paper_bgcolor: background, plot_bgcolor: background, title: note };
  const picture = await Plotly.toImage({ data: figure.data, layout }, { format: kind, width, height: height + CAPTION_HEIGHT, scale: SCALE_BY_FORMAT[kind] });
  download(new Blob([decodeDataUrl(picture)], { type: MIME_TYPES[kind] }), name + "." + kind);
  status.replaceChildren(name + "." + kind + " saved.");
}

// plotly interprets markup in texts.
const escapeMarkup = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// The part after the comma of a data URL, in base 64 or percent encoding.
function decodeDataUrl(url) {
  const [head, body] = [url.slice(0, url.indexOf(",")), url.slice(url.indexOf(",") + 1)];
  if (!head.endsWith("base64")) return decodeURIComponent(body);
  return Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
}
