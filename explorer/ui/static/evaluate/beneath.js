// Below the leaderboard: how certain its order is, the best model of each finding, what is left out.

import { caseWords } from "../shared/counted.js";
import { make } from "../shared/elements.js";
import { NO_FIGURE, countText, wholeText } from "../shared/figures.js";
import { makeChart } from "./chart.js";
import { columnName, meanText, twoDecimalsText, wholePercentText } from "./figures.js";
import { makeFold, makeTable } from "./tables.js";

export const makePartsBelow = (answer, part, openGlance) => [...(answer.rows.length > 1 ? [makeChartFold(answer, part), makePlacesFold(answer, part), makeWinnersFold(answer)] : []), makeGlanceButton(openGlance), makeWhatCounts(answer)];

function makeGlanceButton(openGlance) {
  const button = Object.assign(make("button", "beneath-glance", "Six metrics at a glance"), { type: "button" });
  button.addEventListener("click", openGlance);
  return button;
}

// Drawn when opened: a chart in a closed fold would have no width.
function makeChartFold({ figures, plotly, parts, mean, title, simulated }, part) {
  const group = columnName(parts[part]);
  const label = "Chart: " + mean + " of each model, " + group + ", with 95 % intervals, the best on top. The table above has all its numbers.";
  const place = make("div", "");
  const box = makeFold("beneath-chart", "The same as a chart: " + mean + ", " + group, place);
  const below = title + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  const draw = () => place.replaceChildren(makeChart({ plotly, figure: figures[part], label, name: "tailscope_leaderboard_" + mean.toLowerCase(), below }));
  box.addEventListener("toggle", draw, { once: true });
  return box;
}

// How often each model takes each place over the shared resamples.
function makePlacesFold({ rows, mean, parts, resamples, computing, larger_is_better }, part) {
  if (computing) return makeFold("beneath-places", "How sure is the order: computing");
  const known = rows.filter((row) => row.places[part]);
  const sign = larger_is_better ? 1 : -1;
  known.sort((one, other) => sign * ((other.figures[part].value ?? -Infinity) - (one.figures[part].value ?? -Infinity)));
  const first = (row) => row?.compared.first[part].value ?? -1;
  const top = known.reduce((one, other) => (first(other) > first(one) ? other : one), null);
  const title = top === null ? "How sure is the order: unknown, without resamples" : "How sure is the order: " + top.name + " is first in " + wholePercentText(first(top)) + " of " + wholeText(resamples) + " resamples";
  const heads = ["Model", ...rows.map((_, place) => String(place + 1))];
  const lines = known.map((row) => [row.name, ...row.places[part].map(makeShaded)]);
  return makeFold("beneath-places", title, makeTable("places-table", "Share of resamples in which a model takes each place by " + mean + ", " + columnName(parts[part]), heads, lines));
}

function makeShaded(value) {
  const cell = make("span", "place", value ? twoDecimalsText(value) : "");
  cell.style.setProperty("--share", value);
  return cell;
}

function makeWinnersFold({ winners: all, computing }) {
  const decided = all.filter(({ models }) => models.length);
  const counts = new Map();
  for (const { models } of decided) if (models.length === 1) counts.set(models[0], (counts.get(models[0]) ?? 0) + 1);
  const [name, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? ["", 0];
  const title = "Best model of each finding" + (count ? ": " + name + " at " + count + " of " + decided.length : "");
  const rows = all.map(({ finding, frequency_group: group, films, positives, models, AP: value, p_first: first }) => [
    finding,
    group ?? NO_FIGURE,
    wholeText(positives) + " of " + wholeText(films),
    models.join(", ") || "no films of both classes",
    value === null ? "" : meanText(value),
    first !== null ? twoDecimalsText(first) : computing ? "computing" : "",
  ]);
  return makeFold("beneath-winners", title, makeTable("winners-table", "Best model of each finding by AP, ties broken by AUROC", ["Finding", "Group", "n+ of n", "Best", "AP", "P(first)"], rows));
}

function makeWhatCounts({ notes, parts, few, counted }) {
  const box = make("section", "beneath what-counts");
  const fewPositives = parts.filter(({ fewest }) => fewest < few).length;
  const lines = fewPositives ? [...notes, countText(fewPositives, "group") + " with a finding of fewer than " + few + caseWords(" positives: one or two films can change such a mean.", counted)] : notes;
  box.append(make("h2", "published-title", "What is counted"), ...lines.map((words) => make("p", "counts-line", words)));
  return box;
}
