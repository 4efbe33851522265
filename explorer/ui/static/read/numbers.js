// The numbers behind the chosen finding: how often this model is right at its threshold, on how many films.

import { keepingFocus, make } from "../shared/elements.js";
import { percentRate, rangeText, rate, score, signed, whole } from "../shared/figures.js";
import { NORMAL, VERDICT_WORDS, doubtWords } from "../shared/finding_words.js";
import { term } from "../shared/glossary.js";
import { plainWords } from "./plain_words.js";

const TERMS = { Frequency: "frequency group", Unseen: "unseen score", Uncertain: "uncertain" }; // the glossary's word for a short label
// Sources of frequency groups: the short names of explorer/core/group_sources.py.
export const SOURCES = { paper: "CXR-LT 2026", padchest: "PadChest", nih: "NIH" };

function threshold({ threshold: cut, band }) {
  if (cut === null) return "none: neither positive nor negative";
  if (band && band[0] === cut) return score(cut) + "; uncertain up to " + score(band[1]);
  return score(cut) + (band ? "; uncertain " + rangeText(band.map(score)) : "");
}

/** @param {reading.finding_json.FindingAnswer} row */
function frequency({ group, positives }) {
  const parts = [];
  if (group) {
    const count = group.count === null ? "" : ", " + whole(group.count) + " of " + whole(group.films);
    parts.push(group.name + " (" + SOURCES[group.source] + count + ")");
  }
  if (positives !== null) parts.push("n+ " + whole(positives) + " behind these rates");
  return parts.join("; ") || "not known";
}

/** @param {reading.finding_json.PercentileAnswer} percentile */
function rank({ value, n }) {
  return "score above " + Math.floor(value) + " % of " + whole(n) + " films";
}

function errors(rate_, wrong, of) {
  return rate(rate_) + ", " + wrong + " " + whole(rate_.n - rate_.hits) + " of " + whole(rate_.n) + " " + of;
}

/** @param {reading.finding_json.FindingAnswer} row */
function numberLines(row, { beside: other, unseen }) {
  const lines = [["Threshold", threshold(row)]];
  if (row.state === "cannot judge") lines.unshift(["Score", score(row.score)]); // neither the list nor the sentence has it
  if (unseen !== undefined) lines.unshift(["Unseen", "score " + score(unseen) + ", by a model not trained on this film"]);
  if (row.sensitivity) lines.push(["Sensitivity", errors(row.sensitivity, "missed", "with it")]);
  if (row.specificity) lines.push(["Specificity", errors(row.specificity, "falsely called", "without")]);
  if (row.free_in_band) lines.push(["Uncertain", percentRate(row.free_in_band) + ", " + whole(row.free_in_band.hits) + " of " + whole(row.free_in_band.n) + " films without any finding score in this band"]);
  if (row.percentile) {
    lines.push(["Rank", rank(row.percentile)]);
  }
  if (other !== undefined) lines.push(["Other film", "score " + score(other) + ", " + signed(row.score - other) + " on this one"]);
  lines.push(["Frequency", frequency(row)]);
  return lines;
}

// The finding with the same verdict as in the headline and the list.
function title({ finding, verdict }) {
  const heading = make("h2", "numbers-title", finding);
  if (verdict && finding !== NORMAL) heading.append(" ", make("span", "numbers-verdict", VERDICT_WORDS[verdict]));
  return heading;
}

// Nothing is above its threshold: the visitor chooses a finding.
export function showNothingChosen(section) {
  section.replaceChildren(make("p", "caveat", "Choose a finding for its numbers and its map."));
  section.hidden = false;
}

let detailsOpen = false; // by the visitor, kept from one finding to the next

// The sentences first; `details` are parts for the fold below them.
function fold(details) {
  const box = make("details", "numbers-details");
  box.open = detailsOpen;
  box.addEventListener("toggle", () => (detailsOpen = box.open));
  box.append(make("summary", "numbers-fold", "Details"), ...details);
  return box;
}

// `others`: the finding's score on the other film, and by a model that had not seen this film, where there are such.
// `behind`: what the cohort says: `clause`, for the plain words, in sentences and in detail.
// `times`: the duration of each step of the reading.
export function showNumbers(section, row, others, behind, times) {
  keepingFocus(section, () => draw(section, row, others, behind, times)); // the cohort's answer may come while somebody reads
}

function draw(section, row, others, behind, times) {
  const list = make("dl", "number-lines");
  for (const [name, words] of numberLines(row, others)) list.append(term(make("dt", "", name), TERMS[name] ?? name), make("dd", "", words));
  const unseen = others.unseen === undefined ? "" : "A model that was not trained on this film gives it " + score(others.unseen) + (row.state === "cannot judge" ? ", which tells as little." : ".");
  const plain = [plainWords(row, behind.clause), ...behind.sentences, unseen].filter(Boolean).join(" ");
  section.replaceChildren(title(row));
  const doubt = row.warning ? [make("p", "doubt", doubtWords(row))] : [];
  const judged = row.state !== "cannot judge"; // else the first sentence says so, and the reason is statistical
  section.append(...(judged ? doubt : []), make("p", "numbers-plain", plain));
  if (row.relations?.length) section.append(make("p", "caveat", row.finding + " is " + row.relations.join("; ") + "."));
  if (behind.caution) section.append(make("p", "caveat", behind.caution));
  const counted = row.sensitivity || row.specificity ? "; 95 % intervals" : "";
  const rule = row.rule ? [make("p", "caveat", "Threshold: " + row.rule + counted + ". Expect less on other films.")] : [];
  const took = times ? [make("p", "caveat numbers-times", "Time: " + times)] : [];
  section.append(fold([...(judged ? [] : doubt), list, ...rule, ...behind.details, ...took]));
  section.hidden = false;
}
