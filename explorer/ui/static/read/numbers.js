// The numbers behind the chosen finding: how often this model is right at its threshold, on how many films.

import { make, redrawKeepingFocus } from "../shared/elements.js";
import { percentRateText, rangeText, rateText, scoreText, signedText, wholeText } from "../shared/figures.js";
import { NORMAL, VERDICT_WORDS, warningWords } from "../shared/finding_words.js";
import { markTerm } from "../shared/glossary.js";
import { meaningText } from "./plain_words.js";
import { stabilityText } from "./stability.js";

const GLOSSARY_TERMS = { Frequency: "frequency group", Unseen: "unseen score", Uncertain: "uncertain" }; // the glossary's word for a short label
// Sources of frequency groups: the short names of explorer/core/group_sources.py.
export const GROUP_SOURCES = { paper: "CXR-LT 2026", padchest: "PadChest", nih: "NIH" };

function thresholdText({ threshold: cut, band }) {
  if (cut === null) return "none: neither positive nor negative";
  if (band && band[0] === cut) return scoreText(cut) + "; uncertain up to " + scoreText(band[1]);
  return scoreText(cut) + (band ? "; uncertain " + rangeText(band.map(scoreText)) : "");
}

/** @param {reading.finding_json.FindingAnswer} row */
function frequencyText({ group, positives }) {
  const parts = [];
  if (group) {
    const count = group.count === null ? "" : ", " + wholeText(group.count) + " of " + wholeText(group.films);
    parts.push(group.name + " (" + GROUP_SOURCES[group.source] + count + ")");
  }
  if (positives !== null) parts.push("n+ " + wholeText(positives) + " behind these rates");
  return parts.join("; ") || "not known";
}

/** @param {reading.finding_json.PercentileAnswer} percentile */
function rankText({ value, n }) {
  return "score above " + Math.floor(value) + " % of " + wholeText(n) + " films";
}

function errorsText(rate_, wrong, films) {
  return rateText(rate_) + ", " + wrong + " " + wholeText(rate_.n - rate_.hits) + " of " + wholeText(rate_.n) + " " + films;
}

/** @param {reading.finding_json.FindingAnswer} row */
function numberLines(row, { beside: other, unseen, stability }) {
  const lines = [["Threshold", thresholdText(row)]];
  if (row.state === "cannot judge") lines.unshift(["Score", scoreText(row.score)]); // neither the list nor the sentence has it
  if (unseen !== undefined) lines.unshift(["Unseen", "score " + scoreText(unseen) + ", by a model not trained on this film"]);
  if (stability) lines.push(["Stability", stabilityText(stability)]);
  if (row.sensitivity) lines.push(["Sensitivity", errorsText(row.sensitivity, "missed", "with it")]);
  if (row.specificity) lines.push(["Specificity", errorsText(row.specificity, "falsely called", "without")]);
  if (row.free_in_band) lines.push(["Uncertain", percentRateText(row.free_in_band) + ", " + wholeText(row.free_in_band.hits) + " of " + wholeText(row.free_in_band.n) + " films without any finding score in this band"]);
  if (row.percentile) {
    lines.push(["Rank", rankText(row.percentile)]);
  }
  if (other !== undefined) lines.push(["Other film", "score " + scoreText(other) + ", " + signedText(row.score - other) + " on this one"]);
  lines.push(["Frequency", frequencyText(row)]);
  return lines;
}

// The finding with the same verdict as in the headline and the list.
function makeTitle({ finding, verdict }) {
  const heading = make("h2", "numbers-title", finding);
  if (verdict && finding !== NORMAL) heading.append(" ", make("span", "numbers-verdict muted small", VERDICT_WORDS[verdict]));
  return heading;
}

// Nothing is above its threshold: the visitor chooses a finding.
export function showNothingChosen(section) {
  section.replaceChildren(make("p", "caveat", "Choose a finding for its numbers and its map."));
  section.hidden = false;
}

let detailsOpen = false; // by the visitor, kept from one finding to the next

// The sentences first; `details` are parts for the fold below them.
function makeFold(details) {
  const box = make("details", "numbers-details");
  box.open = detailsOpen;
  box.addEventListener("toggle", () => (detailsOpen = box.open));
  box.append(make("summary", "numbers-fold", "Details"), ...details);
  return box;
}

// `others`: the finding's score on the other film, by a model that had not seen this film, and its stability, if any.
// `behind`: what the cohort says: `clause`, for the plain words, in sentences and in detail.
// `times`: the duration of each step of the reading.
export function showNumbers(section, row, others, behind, times) {
  // the cohort's answer may arrive while somebody is reading
  redrawKeepingFocus(section, () => drawNumbers(section, row, others, behind, times));
}

function drawNumbers(section, row, others, behind, times) {
  const list = make("dl", "number-lines");
  for (const [name, words] of numberLines(row, others)) list.append(markTerm(make("dt", "", name), GLOSSARY_TERMS[name] ?? name), make("dd", "", words));
  const unseen = others.unseen === undefined ? "" : "A model that was not trained on this film gives it " + scoreText(others.unseen) + (row.state === "cannot judge" ? ", which tells as little." : ".");
  const plain = [meaningText(row, behind.clause), ...behind.sentences, unseen].filter(Boolean).join(" ");
  section.replaceChildren(makeTitle(row));
  const doubt = row.warning ? [make("p", "doubt", warningWords(row))] : [];
  const judged = row.state !== "cannot judge"; // otherwise the first sentence says it, and the reason is statistical
  section.append(...(judged ? doubt : []), make("p", "numbers-plain", plain));
  if (row.relations?.length) section.append(make("p", "caveat", row.finding + " is " + row.relations.join("; ") + "."));
  if (behind.caution) section.append(make("p", "caveat", behind.caution));
  const intervalNote = row.sensitivity || row.specificity ? "; 95 % intervals" : "";
  const rule = row.rule ? [make("p", "caveat", "Threshold: " + row.rule + intervalNote + ". Expect less on other films.")] : [];
  const took = times ? [make("p", "caveat numbers-times", "Time: " + times)] : [];
  section.append(makeFold([...(judged ? [] : doubt), list, ...rule, ...behind.details, ...took]));
  section.hidden = false;
}
