// The figures behind an answer, a line each, with what each of them is.

import { DOT, MARGIN_DIGITS, plural, rate, score, signed, whole } from "../shared/figures.js";

const estimate = ({ value, low, high }) => score(value) + " [" + score(low) + "\u2013" + score(high) + "]";
const percentile = ({ value, n }) => "above " + Math.floor(value) + " % of " + whole(n) + " validation films";

// {name, words, note, title}: `note` says where the figure is from, `title` what it is.
export function answerLines(answer, opinionHidden) {
  return [
    takenLine(answer),
    scoreLine(answer),
    besideLine(answer, opinionHidden),
    measuredLine(answer),
    rankLine(answer),
    spreadLine(answer.spread),
  ];
}

function takenLine({ nearest, taken_for: taken, in_captions: known }) {
  const words = nearest.map(({ finding, similarity }) => finding + " " + score(similarity));
  return {
    name: taken ? "Matched finding" : "Near to",
    words: taken ? words[0] : words.join(DOT),
    note: taken
      ? captionWords(known) + " Next: " + words.slice(1).join(", ") + "."
      : "No known finding clearly matches, so nothing is known about the training captions.",
    title: "The known findings with the closest wording: cosine similarity of the texts, 1 for the same words.",
    doubtful: !taken || known === false,
  };
}

function captionWords(known) {
  if (known === null) return "Which findings this model's training captions held is not known.";
  if (known) return "In this model's training captions.";
  return "Not in this model's training captions: a guess from other words.";
}

function scoreLine({ score: value, margin, threshold, threshold_score: cut, threshold_rule: rule }) {
  const side = value >= cut ? "at or above" : "below";
  return {
    name: "Score",
    words: score(value) + ", " + side + " the threshold " + score(cut),
    note: "Margin " + signed(margin, MARGIN_DIGITS) + ", threshold " + signed(threshold, MARGIN_DIGITS) + ": " + rule + ".",
    title: "Margin: how much nearer the film is to the prompts with the finding than to those without it (cosine). " +
      "Score: the same from 0 to 1, by the model's own scale; not a probability. Youden's J: where sensitivity + " +
      "specificity is largest.",
  };
}

function spreadLine({ low, median, high, unstable, rule, prompts }) {
  const range = [low, median, high].map(score).join(" \u2013 ");
  return {
    name: "Spread",
    words: range + (unstable ? ", unstable" : ""),
    note: "Lowest, median and highest prompt. " + rule,
    title: plural(prompts.length, "prompt") + ", each alone: the question in every template, and the first template with other " +
      "words for the matched finding.",
    doubtful: unstable,
  };
}

function rankLine({ percentile: rank }) {
  if (!rank) return { name: "Rank", words: "not known", note: "This model has no validation films to rank the film among." };
  return {
    name: "Rank",
    words: percentile(rank),
    title: "How many of these films score lower by this very text, out of fold; those that score the same count half.",
  };
}

function measuredLine({ measured, taken_for: taken }) {
  const name = "This text";
  if (!measured) return { name, words: "not measured", note: whyNotMeasured(taken) };
  const { finding, cohort, n, positives, prevalence, auroc, average_precision: ap } = measured;
  const counts = "n+ " + whole(positives) + " of " + whole(n);
  if (!auroc) return { name, words: "not measured: no positives", note: counts + " labeled " + finding + "; " + cohort + "." };
  return {
    name,
    words: "AUROC " + estimate(auroc) + ", AP " + estimate(ap),
    note: counts + " labeled " + finding + "; " + cohort + ". Chance: 0.50 and " + score(prevalence) + "." + ratesWords(measured),
    title: "How well this very text tells films with the label from those without; 95 % intervals by patient.",
  };
}

const ratesWords = ({ sensitivity, specificity }) =>
  sensitivity ? " At the threshold: sensitivity " + rate(sensitivity) + ", specificity " + rate(specificity) + "." : "";

const whyNotMeasured = (taken) =>
  taken ? "No validation films have labels of " + taken.finding + "." : "It matches no finding that the validation films have labels of.";

const SAME_TOWER = " Same image tower: agreement confirms nothing.";

function besideLine({ beside, percentile: rank }, opinionHidden) {
  const name = "Classifier";
  if (opinionHidden) return { name, words: "hidden", note: "As the model's opinion is in Read." };
  if (!beside) return { name, words: "does not cover this", note: "It does not know the matched finding." };
  const cut = beside.threshold === null ? ", no threshold known" : ", threshold " + score(beside.threshold);
  const place = beside.percentile ? " ranks the film " + percentile(beside.percentile) + "." : ".";
  return {
    name,
    words: beside.finding + " " + score(beside.score) + cut,
    note: beside.model + place + differenceWords(beside.difference, rank) + (beside.same_tower ? SAME_TOWER : ""),
    title: "The score of the model of Read, which was trained on labels of this finding. The two are compared by their " +
      "rank among films that neither was trained on, in percentile points.",
  };
}

function differenceWords(difference, rank) {
  if (difference === null || !rank) return "";
  const points = Math.round(Math.abs(difference));
  return " This text ranks it " + (points ? plural(points, "percentile point") + (difference > 0 ? " higher." : " lower.") : "alike.");
}
