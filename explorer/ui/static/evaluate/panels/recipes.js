// Recipes: ways to train, with their gain on the tail, their costs and their published figures.

import { make } from "../../shared/elements.js";
import { NO_FIGURE, countText, fixedText, intervalText, rangeText, wholeText } from "../../shared/figures.js";
import { findMeaning } from "../../shared/glossary.js";
import { makeWithCommands } from "../../shared/refusal.js";
import { makeChart } from "../chart.js";
import { columnName, makeMeanDifferenceParts, makeMeanParts, meanText } from "../figures.js";
import { makeButtonChoice, makeTable } from "../tables.js";


/** @param {EvaluatePanel<ui.evaluate.panels.recipes.RecipesPayload>} answer */
export function makeRecipesPanel(answer, evaluate) {
  const { content, computing, metrics } = answer;
  const { mean, metric, parts } = content;
  const heads = ["Recipe", ...parts.map(columnName), makeNotedHeading("Called on a normal film", content.normal ? "n " + wholeText(content.normal) : "none here"), makeNotedHeading("Core minutes", "of one core"), makeNotedHeading("Weights", "ms a film"), makeNotedHeading("Published by its team", "another test set")];
  const rows = content.recipes.map((recipe) => makeRow(recipe, content, computing));
  const box = make("div", "board-head flex-row flex-wraps");
  box.append(summaryText(content), makeButtonChoice("Metric", metrics, metric, (word) => evaluate.change({ metric: word }), findMeaning));
  return [box, makeTable("recipes-table", mean + " by recipe and group of findings, with costs", heads, rows), ...makeSourceNote(content), ...makeSimulatedStarts(answer)];
}

function summaryText({ mean, baseline, trained, larger_is_better }) {
  const withBaseline = mean + " of ways to train that differ from " + baseline + " in one thing, with the paired difference to it, and the price." + (larger_is_better ? "" : " Lower is better.");
  const none = "The lab trained none of these models, so no recipe can be compared. `python -m explorer lab --help` says how to train recipes on a cohort.";
  return makeWithCommands("p", "board-sentence", trained ? withBaseline : none);
}

function makeNotedHeading(title, below) {
  return [make("span", "", title), make("span", "board-count", below)];
}

function makeRow(recipe, { parts }, computing) {
  const figures = recipe.figures.map((figure) => makeFigureParts(figure, computing));
  return [makeNameParts(recipe), ...figures, makeCallsParts(recipe.called), minutesText(recipe), makeWeightParts(recipe), makePublishedParts(recipe, parts)];
}

function makeNameParts({ name: words, models, changes, team, system, seeds, baseline }) {
  const parts = [make("span", "recipe-name", words)];
  const others = models.filter((model) => !model.includes(words)); // such as phantom, which has a recipe's network
  if (others.length) parts.push(make("span", "recipe-tag muted small", others.join(", ")));
  if (baseline) parts.push(make("span", "recipe-tag muted small", "baseline"));
  if (system) parts.push(make("span", "recipe-tag muted small", "a team's whole system, small"));
  if (seeds > 1) parts.push(make("span", "recipe-tag muted small", countText(seeds, "seed")));
  if (changes && !baseline) parts.push(make("span", "recipe-changes muted small", changes + (team ? " (" + team + ")" : "")));
  return parts;
}

function makeFigureParts(figure, computing) {
  const parts = makeMeanParts(figure, computing);
  if (figure.spread) parts.push(make("span", "recipe-spread muted small", "seeds " + rangeText(figure.spread.map(meanText))));
  if (!figure.ahead || figure.value === null) return parts;
  const ahead = make("span", "recipe-ahead");
  ahead.append(...makeMeanDifferenceParts({ ...figure.ahead, p: null }, computing));
  return [...parts, ahead];
}

function makeCallsParts(figure) {
  if (!figure) return NO_FIGURE;
  const { value, low, high } = figure; // a mean over findings, not a share
  return [make("span", "board-value", fixedText(value)), make("span", "board-reach muted small", intervalText(fixedText(low), fixedText(high)))];
}

const minutesText = ({ minutes: spent }) => (spent === null ? NO_FIGURE : fixedText(spent, 1));

function makeWeightParts({ parameters, milliseconds }) {
  if (parameters === null) return NO_FIGURE;
  return [make("span", "board-value", fixedText(parameters / 1e6, 1) + " M"), make("span", "board-reach muted small", fixedText(milliseconds, 1) + " ms")];
}

// Only the mean over all findings and over the very rare ones: the leaderboard has the others.
function makePublishedParts({ printed: figures }, parts) {
  if (!figures) return NO_FIGURE;
  const first = figures.findIndex((figure) => figure);
  const tail = parts.findIndex(({ name: part }) => part === "very rare");
  const publishedColumns = [first, tail].filter((place) => place >= 0 && figures[place]);
  return publishedColumns.map((place) => make("span", "recipe-printed muted", columnName(parts[place]) + " " + meanText(figures[place].value)));
}

const makeSourceNote = ({ recipes: all, source: words }) => (all.some(({ printed: figures }) => figures) ? [make("p", "published-source", "Printed figures: " + words + ". Other films, other networks, other prevalence: not to be compared by number.")] : []);

// How networks that were first trained on simulated films perform on these real ones.
function makeSimulatedStarts({ content, title }) {
  if (!content.starts) return [];
  const { plotly, figure, said: words } = content.starts;
  const label = "Macro AUROC of linear probes on real films by how many simulated films the network saw before. " + words.join(". ");
  const head = make("h2", "published-title", "What simulated films teach about real ones");
  const sentence = makeWithCommands("p", "board-sentence", "Linear probes: a last layer fitted to films of nih-oof on the frozen features of networks that saw more or fewer simulated films before, out of fold on all 1,650. `python -m explorer lab starts` prints the figures with paired differences.");
  return [head, sentence, makeChart({ plotly, figure, label, name: "tailscope_simulated_starts", below: title + ". Linear probes, out of fold. Not for medical use" })];
}
