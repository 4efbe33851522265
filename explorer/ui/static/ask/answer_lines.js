// The figures behind an answer, one line each, with an explanation.

import { DOT_BETWEEN, MARGIN_DIGITS, countText, fixedText, rateText, scoreText, shareTexts, signedText, wholeText } from "../shared/figures.js";
import { digitsToTellApart, placeText, thresholdSideWords } from "./places.js";

const percentileText = ({ value, n }) => "above " + Math.floor(value) + " % of " + wholeText(n) + " validation films";

// {name, words, note, title}: `note` names the figure's source, `title` explains it.
/** @param {ui.ask.payload.AskedPayload} answer */
export function makeAnswerLines(answer, opinionHidden) {
  return [
    matchedFindingLine(answer),
    scoreLine(answer),
    classifierLine(answer, opinionHidden),
    measuredLine(answer),
    rankLine(answer),
    spreadLine(answer.spread),
  ];
}

function matchedFindingLine({ nearest, taken_for: matchedFinding, in_captions: known }) {
  const words = nearest.map(({ finding, similarity }) => finding + " " + scoreText(similarity));
  return {
    name: matchedFinding ? "Matched finding" : "Near to",
    words: matchedFinding ? words[0] : words.join(DOT_BETWEEN),
    note: matchedFinding
      ? captionWords(known) + " Next: " + words.slice(1).join(", ") + "."
      : "No known finding clearly matches, so nothing is known about the training captions.",
    title: "The known findings with the closest wording: cosine similarity of the texts, 1 for the same words.",
    doubtful: !matchedFinding || known === false,
  };
}

function captionWords(known) {
  if (known === null) return "Which findings this model's training captions held is not known.";
  if (known) return "In this model's training captions.";
  return "Not in this model's training captions: a guess from other words.";
}

function scoreLine({ score: value, margin, threshold, threshold_score: cut, threshold_rule: rule, spread }) {
  const digits = digitsToTellApart(value, cut, 2, fixedText);
  const places = digitsToTellApart(margin, threshold, MARGIN_DIGITS, signedText);
  return {
    name: "Score",
    words: fixedText(value, digits) + ", " + thresholdSideWords(spread.answer >= spread.threshold) + " the threshold " + fixedText(cut, digits),
    note: "Margin " + signedText(margin, places) + ", threshold " + signedText(threshold, places) + ": " + rule + ".",
    title: "All templates together: the film is compared with the mean of their texts, so this may differ from each prompt's " +
      "score and from their mean. Margin: how much closer the film is to the prompts with the finding than to those without " +
      "(cosine). Score: the margin from 0 to 1, by the model's own scale; not a probability. Youden's J: where sensitivity + " +
      "specificity is largest.",
  };
}

function spreadLine(spread) {
  const { unit, unstable, rule, prompts } = spread;
  const places = prompts.map(({ place }) => place);
  const range = [Math.min(...places), Math.max(...places)].map((place) => placeText(place, spread)).join(" \u2013 ");
  return {
    name: "Spread",
    words: range + (unstable ? ", unstable" : ""),
    note: "Lowest and highest prompt alone. " + rule + (unit === "margin" ? NO_OFFSETS : ""),
    title: countText(prompts.length, "prompt") + ", each alone: the question in every template, and the first template with other " +
      "words for the matched finding. " + (unit === "percentile" ? OWN_THRESHOLDS : ""),
    doubtful: unstable,
  };
}

const OWN_THRESHOLDS = "A prompt's position is the film's percentile among the validation films for that prompt. Its threshold " +
  "lies at the percentile of the answer's threshold, so one line shows all thresholds.";
const NO_OFFSETS = " Without validation films the offsets between prompts are unknown.";

function rankLine({ percentile: rank, spread }) {
  if (!rank) return { name: "Rank", words: "not known", note: "This model has no validation films to rank the film among." };
  return {
    name: "Rank",
    words: "above " + placeText(rank.value, spread) + " of " + wholeText(rank.n) + " validation films",
    note: "The threshold is above " + placeText(spread.threshold, { ...spread, threshold: rank.value }) + " of them.",
    title: "The share of these films with a lower score for this text, out of fold; ties count half.",
  };
}

function measuredLine({ measured, taken_for: matchedFinding }) {
  const name = "This text";
  if (!measured) return { name, words: "not measured", note: notMeasuredWords(matchedFinding) };
  const { finding, cohort, n, positives, prevalence, auroc, average_precision: ap } = measured;
  const counts = "n+ " + wholeText(positives) + " of " + wholeText(n);
  if (!auroc) return { name, words: "not measured: no positives", note: counts + " labeled " + finding + "; " + cohort + "." };
  return {
    name,
    words: "AUROC " + rateText(auroc) + ", AP " + rateText(ap),
    note: counts + " labeled " + finding + "; " + cohort + ". Chance: 0.50 and " + shareTexts([prevalence])[0] + "." + ratesWords(measured),
    title: "How well this text separates films with the label from films without it; 95 % intervals by patient.",
  };
}

const ratesWords = ({ sensitivity, specificity }) =>
  sensitivity ? " At the threshold: sensitivity " + rateText(sensitivity) + ", specificity " + rateText(specificity) + "." : "";

const notMeasuredWords = (matchedFinding) =>
  matchedFinding ? "No validation film is labeled for " + matchedFinding.finding + "." : "It matches no finding that the validation films are labeled for.";

const SAME_TOWER = " Both models share one image network, so agreement is not independent evidence.";

function classifierLine({ beside, percentile: rank }, opinionHidden) {
  const name = "Classifier";
  if (opinionHidden) return { name, words: "hidden", note: "The model's opinion, as in Read." };
  if (!beside) return { name, words: "does not cover this", note: "It does not know the matched finding." };
  const cut = beside.threshold === null ? ", no threshold known" : ", threshold " + scoreText(beside.threshold);
  const place = beside.percentile ? " ranks the film " + percentileText(beside.percentile) + "." : ".";
  return {
    name,
    words: beside.finding + " " + scoreText(beside.score) + cut,
    note: beside.model + place + differenceWords(beside.difference, rank) + (beside.same_tower ? SAME_TOWER : ""),
    title: "The score of Read's model, which was trained on labels of this finding. The two are compared by their " +
      "rank among films that neither was trained on, in percentile points.",
  };
}

function differenceWords(difference, rank) {
  if (difference === null || !rank) return "";
  const points = Math.round(Math.abs(difference));
  return " This text ranks it " + (points ? countText(points, "percentile point") + (difference > 0 ? " higher." : " lower.") : "alike.");
}
