// The figures of a calculation from printed tables, each with its source and the cells behind it.

import { make } from "../../shared/elements.js";
import { NO_FIGURE } from "../../shared/figures.js";
import { makeChart } from "../chart.js";
import { makeFold, makeTable } from "../tables.js";

/**
 * @param {ui.evaluate.panels.published_figures.CheckFigurePayload[]} figures
 * @param {string} plotly address of its script
 * @param {"h2" | "h3"} heading
 */
export const makeCheckFigures = (figures, plotly, heading) => figures.map((figure) => makeCheckFigure(figure, plotly, heading));

function makeCheckFigure({ name, title, says, source, chart, heads, names, cells }, plotly, heading) {
  const box = make("section", "published-figure");
  const label = title + ". " + says + " The table below has the numbers.";
  const below = title + ". " + source + ". Not for medical use";
  const rows = names.map((row, place) => [row, ...cells[place].map((words) => words || NO_FIGURE)]);
  const drawn = makeChart({ plotly, figure: chart, label, name: "tailscope_published_" + name, below });
  const table = makeTable("worked-table", title, heads, rows);
  box.append(make(heading, "published-title", title), make("p", "published-says", says), drawn, make("p", "published-source", source + "."), makeFold("published-cells " + name, "The cells behind it", table));
  return box;
}
