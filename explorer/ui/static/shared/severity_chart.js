// A small chart of one finding's score against its severity, a line for each model: a disc where the finding is
// flagged, a ring where it is missed or has no threshold.

import { make } from "./elements.js";
import { scoreText } from "./figures.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 110;
const EDGE = { left: 30, right: 8, top: 8, bottom: 18 };

/**
 * `series`: a line for each model, the first in the accent's color, the second dashed; `severity`: of the film on show.
 * @typedef {{ name: string, scores: number[], threshold: number | null, says: string }} SeverityLine
 * @param {{ finding: string, severities: number[], series: SeverityLine[], severity: number | null }} chart
 */
export function makeSeverityChart({ finding, severities, series, severity }) {
  const box = make("figure", "severity-chart");
  const highest = highestShown(series.flatMap(({ scores, threshold }) => [...scores, threshold ?? 0]));
  const x = (value) => EDGE.left + value * (WIDTH - EDGE.left - EDGE.right);
  const y = (value) => HEIGHT - EDGE.bottom - (value / highest) * (HEIGHT - EDGE.top - EDGE.bottom);
  const picture = part("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  picture.setAttribute("aria-label", `Score of ${finding} by severity, from 0 to 1`);
  picture.append(...makeAxes(x, y, highest));
  if (severity !== null) picture.append(part("path", { class: "severity-now", d: `M${x(severity)} ${EDGE.top}V${y(0)}` }));
  series.forEach((each, place) => picture.append(makeLine(each, severities, x, y, place)));
  const lines = make("figcaption", "severity-lines");
  lines.append(...series.map(({ name, says }, place) => makeCaption(name, says, place)));
  box.append(picture, lines);
  return box;
}

// A round number at or above all values: scores of a model that never exceed 0.2 would lie on the floor of a whole axis.
const highestShown = (values) => [0.1, 0.2, 0.5].find((each) => Math.max(...values) <= each) ?? 1;

function makeAxes(x, y, highest) {
  const frame = part("path", { class: "severity-axes", d: `M${x(0)} ${EDGE.top}V${y(0)}H${x(1)}` });
  const words = [
    [x(0) - 4, y(0), "end", "0"],
    [x(0) - 4, y(highest) + 8, "end", String(highest)],
    [x(0), HEIGHT - 4, "start", "subtle"],
    [x(0.5), HEIGHT - 4, "middle", "severity"],
    [x(1), HEIGHT - 4, "end", "obvious"],
  ];
  return [frame, ...words.map(([across, down, anchor, text]) => {
    const label = part("text", { class: "severity-words", x: across, y: down, "text-anchor": anchor });
    label.textContent = String(text);
    return label;
  })];
}

function makeLine({ scores, threshold }, severities, x, y, place) {
  const group = part("g", { class: "severity-line", "data-place": place });
  const at = scores.map((score, step) => [x(severities[step]), y(score)]);
  if (threshold !== null) group.append(part("path", { class: "severity-threshold", d: `M${x(0)} ${y(threshold)}H${x(1)}` }));
  group.append(part("path", { class: "severity-path", d: "M" + at.map((point) => point.join(" ")).join("L") }));
  scores.forEach((score, step) => {
    const [cx, cy] = at[step];
    const dot = part("circle", { cx, cy, r: 3, class: threshold !== null && score >= threshold ? "flagged" : "" });
    const title = part("title", {});
    title.textContent = "Severity " + scoreText(severities[step]) + ": " + scoreText(score);
    dot.append(title);
    group.append(dot);
  });
  return group;
}

function makeCaption(name, says, place) {
  const line = make("p", "severity-says");
  const mark = part("svg", { viewBox: "0 0 24 8", class: "severity-mark", "aria-hidden": "true" });
  const group = part("g", { class: "severity-line", "data-place": place });
  group.append(part("path", { class: "severity-path", d: "M0 4H24" }));
  mark.append(group);
  line.append(mark, make("strong", "", name), " " + says);
  return line;
}

function part(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
