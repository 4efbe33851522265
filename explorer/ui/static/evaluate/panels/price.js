// Price of the threshold: what models lose by their thresholds, on average and by finding.

import { make } from "../../shared/elements.js";
import { NO_FIGURE, NO_POSITIVES, countText, wholeText } from "../../shared/figures.js";
import { makeChart } from "../chart.js";
import { makeMeanDifferenceParts, makeMeanParts } from "../figures.js";
import { makeFold, makeTable } from "../tables.js";
import { makeFindingChoice, thresholdText } from "./finding_parts.js";

/** @param {EvaluatePanel<ui.evaluate.panels.price.PricePayload>} answer */
export function makePricePanel(answer, evaluate) {
  const { content, computing } = answer;
  return [makeHead(content, evaluate), make("p", "counts-line", content.why), makeChartOfPanel(answer), ...content.means.flatMap((group) => makeMeansTable(group, content, computing)), makeFindingsFold(content, computing)];
}

function makeHead({ models, words, reference, findings: all, few }, evaluate) {
  const box = make("div", "board-head flex-row flex-wraps");
  const fewPositives = all.filter(({ positives }) => positives < few).length;
  const unstableNote = fewPositives ? " " + countText(fewPositives, "finding") + " with fewer than " + few + " positives." : "";
  const sentence = make("p", "board-sentence", "F1 of each finding by " + models[reference].name + " at 0.5, at its own threshold and at the best one for these films, with 95 % intervals: the gap to the best is the price of the threshold." + unstableNote);
  const options = models.map(({ name }, place) => ({ name, word: words[place] }));
  box.append(sentence, makeFindingChoice("Findings of", "price model", options, words[reference], (word) => evaluate.change({ reference: word })));
  return box;
}

function makeChartOfPanel({ content, title, simulated }) {
  const { plotly, figure: drawn, models, reference } = content;
  const label = "F1 of each finding by " + models[reference].name + " at three thresholds, from the most frequent finding to the rarest. The table below has the numbers.";
  const below = models[reference].name + ". " + title + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return makeChart({ plotly, figure: drawn, label, name: "tailscope_threshold-price", below });
}

function makeMeansTable({ name, counted, fewest, figures, lost }, { models, places }, computing) {
  const heads = ["Model", ...places.map((place) => "mF1 " + place), "lost at 0.5", "lost at own threshold"];
  const rows = models.map(({ name: model }, row) => [
    model,
    ...figures.map((each) => makeMeanParts(each[row], computing)),
    ...lost.map((each) => makeMeanDifferenceParts({ ...each[row], p: null }, computing)),
  ]);
  const title = make("h2", "published-title", "Means over " + countText(counted, "finding") + ", n+ from " + wholeText(fewest) + ": " + name);
  return [title, makeTable("price-table", "Mean F1 over " + name + " by model and threshold", heads, rows)];
}

function makeFindingsFold({ findings: all, places, models, reference }, computing) {
  const heads = ["Finding", "n+ of n", ...places.map((place) => "F1 " + place), "best threshold"];
  const rows = all.map(({ finding, positives, films, best, figures }) => [
    finding,
    wholeText(positives) + " of " + wholeText(films),
    ...figures.map((each) => (positives ? makeMeanParts(each, computing) : NO_POSITIVES)),
    best === null ? NO_FIGURE : thresholdText(best),
  ]);
  return makeFold("price-findings", "The same as a table, for " + models[reference].name, makeTable("price-table", "F1 by finding and threshold", heads, rows));
}
