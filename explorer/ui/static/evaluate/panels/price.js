// Price of the threshold: what models lose by their thresholds, on the mean and by finding.

import { make } from "../../shared/elements.js";
import { NONE, NO_POSITIVES, plural, whole } from "../../shared/figures.js";
import { chart } from "../chart.js";
import { differenceParts, figureParts } from "../figures.js";
import { fold, table } from "../tables.js";
import { choice, figure } from "./finding_parts.js";

/** @param {EvaluatePanel<ui.evaluate.panels.price.PricePayload>} answer */
export function price(answer, evaluate) {
  const { content, computing } = answer;
  return [head(content, evaluate), make("p", "counts-line", content.why), picture(answer), ...content.means.flatMap((group) => means(group, content, computing)), findings(content, computing)];
}

function head({ models, words, reference, findings: all, few }, evaluate) {
  const box = make("div", "board-head");
  const thin = all.filter(({ positives }) => positives < few).length;
  const swing = thin ? " " + plural(thin, "finding") + " with fewer than " + few + " positives." : "";
  const sentence = make("p", "board-sentence", "F1 of each finding by " + models[reference].name + " at 0.5, at its own threshold and at the best one for these films, with 95 % intervals: what is missing to the best is the price of the threshold." + swing);
  const options = models.map(({ name }, place) => ({ name, word: words[place] }));
  box.append(sentence, choice("Findings of", "price model", options, words[reference], (word) => evaluate.change({ reference: word })));
  return box;
}

function picture({ content, title, simulated }) {
  const { plotly, figure: drawn, models, reference } = content;
  const label = "F1 of each finding by " + models[reference].name + " at three thresholds, from the most frequent finding to the rarest. The table below has the numbers.";
  const below = models[reference].name + ". " + title + (simulated ? ". SIMULATED" : "") + ". Not for medical use";
  return chart({ plotly, figure: drawn, label, name: "tailscope_threshold-price", below });
}

function means({ name, counted, fewest, figures, lost }, { models, places }, computing) {
  const heads = ["Model", ...places.map((place) => "mF1 " + place), "lost at 0.5", "lost at the own"];
  const rows = models.map(({ name: model }, row) => [
    model,
    ...figures.map((each) => figureParts(each[row], computing)),
    ...lost.map((each) => differenceParts({ ...each[row], p: null }, computing)),
  ]);
  const title = make("h2", "published-title", "Means over " + plural(counted, "finding") + ", n+ from " + whole(fewest) + ": " + name);
  return [title, table("price-table", "Mean F1 over " + name + " by model and threshold", heads, rows)];
}

function findings({ findings: all, places, models, reference }, computing) {
  const heads = ["Finding", "n+ of n", ...places.map((place) => "F1 " + place), "best threshold"];
  const rows = all.map(({ finding, positives, films, best, figures }) => [
    finding,
    whole(positives) + " of " + whole(films),
    ...figures.map((each) => (positives ? figureParts(each, computing) : NO_POSITIVES)),
    best === null ? NONE : figure(best),
  ]);
  return fold("price-findings", "The same as a table, for " + models[reference].name, table("price-table", "F1 by finding and threshold", heads, rows));
}
