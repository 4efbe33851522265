// Recipes: ways to train, with their gain on the tail, their costs and their published figures.

import { make } from "../../shared/elements.js";
import { NONE, fixed, intervalText, plural, rangeText, whole } from "../../shared/figures.js";
import { meaning } from "../../shared/glossary.js";
import { makeWords } from "../../shared/refusal.js";
import { chart } from "../chart.js";
import { differenceParts, meanText, figureParts, where } from "../figures.js";
import { oneOf, table } from "../tables.js";


/** @param {EvaluatePanel<ui.evaluate.panels.recipes.RecipesPayload>} answer */
export function recipes(answer, evaluate) {
  const { content, computing, metrics } = answer;
  const { mean, metric, parts } = content;
  const heads = ["Recipe", ...parts.map(where), counted("Called on a normal film", content.normal ? "n " + whole(content.normal) : "none here"), counted("Core minutes", "of one core"), counted("Weights", "ms a film"), counted("Its team printed", "another test set")];
  const rows = content.recipes.map((recipe) => row(recipe, content, computing));
  const box = make("div", "board-head");
  box.append(sentence(content), oneOf("Metric", metrics, metric, (word) => evaluate.change({ metric: word }), meaning));
  return [box, table("recipes-table", mean + " by recipe and group of findings, with costs", heads, rows), ...source(content), ...simulatedStarts(answer)];
}

function sentence({ mean, baseline, trained, larger_is_better }) {
  const known = mean + " of ways to train that differ from " + baseline + " in one thing, with the paired difference to it, and the price." + (larger_is_better ? "" : " Small is good.");
  const none = "The lab trained none of these models: each stands by itself. `python -m explorer lab --help` says how to train recipes on a cohort.";
  return makeWords("p", "board-sentence", trained ? known : none);
}

function counted(title, below) {
  return [make("span", "", title), make("span", "board-count", below)];
}

function row(recipe, { parts }, computing) {
  const figures = recipe.figures.map((figure) => cell(figure, computing));
  return [name(recipe), ...figures, called(recipe.called), minutes(recipe), weights(recipe), printed(recipe, parts)];
}

function name({ name: words, models, changes, team, seeds, baseline }) {
  const parts = [make("span", "recipe-name", words)];
  const others = models.filter((model) => !model.includes(words)); // such as phantom, whose network is that of a recipe
  if (others.length) parts.push(make("span", "recipe-tag", others.join(", ")));
  if (baseline) parts.push(make("span", "recipe-tag", "baseline"));
  if (seeds > 1) parts.push(make("span", "recipe-tag", plural(seeds, "seed")));
  if (changes && !baseline) parts.push(make("span", "recipe-changes", changes + (team ? " (" + team + ")" : "")));
  return parts;
}

function cell(figure, computing) {
  const parts = figureParts(figure, computing);
  if (figure.spread) parts.push(make("span", "recipe-spread", "seeds " + rangeText(figure.spread.map(meanText))));
  if (!figure.ahead || figure.value === null) return parts;
  const ahead = make("span", "recipe-ahead");
  ahead.append(...differenceParts({ ...figure.ahead, p: null }, computing));
  return [...parts, ahead];
}

function called(figure) {
  if (!figure) return NONE;
  const { value, low, high } = figure; // a mean over findings, not a share
  return [make("span", "board-value", fixed(value)), make("span", "board-reach", intervalText(fixed(low), fixed(high)))];
}

const minutes = ({ minutes: spent }) => (spent === null ? NONE : fixed(spent, 1));

function weights({ parameters, milliseconds }) {
  if (parameters === null) return NONE;
  return [make("span", "board-value", fixed(parameters / 1e6, 1) + " M"), make("span", "board-reach", fixed(milliseconds, 1) + " ms")];
}

// Only the mean over all findings and over the very rare ones: the leaderboard has the others.
function printed({ printed: figures }, parts) {
  if (!figures) return NONE;
  const first = figures.findIndex((figure) => figure);
  const tail = parts.findIndex(({ name: part }) => part === "very rare");
  const said = [first, tail].filter((place) => place >= 0 && figures[place]);
  return said.map((place) => make("span", "recipe-printed", where(parts[place]) + " " + meanText(figures[place].value)));
}

const source = ({ recipes: all, source: words }) => (all.some(({ printed: figures }) => figures) ? [make("p", "published-source", "Printed figures: " + words + ". Other films, other networks, other prevalence: not to be compared by number.")] : []);

// How networks that were trained on simulated films first perform on these real ones.
function simulatedStarts({ content, title }) {
  if (!content.starts) return [];
  const { plotly, figure, said } = content.starts;
  const label = "Macro AUROC of linear probes on real films by how many simulated films the network saw before. " + said.join(". ");
  const head = make("h2", "published-title", "What simulated films teach of real ones");
  const sentence = makeWords("p", "board-sentence", "Linear probes: a last layer fitted to films of nih-oof on the frozen features of networks that saw more or fewer simulated films before, out of fold on all 1,650. `python -m explorer lab starts` prints the figures with paired differences.");
  return [head, sentence, chart({ plotly, figure, label, name: "tailscope_simulated_starts", below: title + ". Linear probes, out of fold. Not for medical use" })];
}
