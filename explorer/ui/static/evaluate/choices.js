// What is compared: cohort, source of groups, filters of films, weights, and models.

import { focusedKey, make } from "../shared/elements.js";
import { countText } from "../shared/figures.js";
import { addMeaning } from "../shared/glossary.js";
import { makeWithCommands } from "../shared/refusal.js";
import { MoreFilters } from "./more_filters.js";
import { makeUncertainSwitch } from "./uncertain_switch.js";
import { UnitSwitch } from "./unit_switch.js";

// The panels, "" for the leaderboard, whose means are over findings, and those with a choice of intervals.
const MEANS_OF = ["", "tail", "glance", "ensemble", "recipes"];
const INTERVALS_OF = ["", "pair", "calibration"];
const ONE_MODEL = "A leaderboard needs two: choose another model to see which is better.";

export class Choices {
  constructor(room, evaluate) {
    this.evaluate = evaluate;
    this.bar = room.querySelector(".evaluate-choices");
    this.fold = room.querySelector(".evaluate-models");
    this.list = this.fold.querySelector("fieldset");
    this.legend = this.list.querySelector("legend");
    this.more = new MoreFilters(this.bar, evaluate);
    this.unit = new UnitSwitch(evaluate);
    this.fold.open = matchMedia("(width > 1100px)").matches;
  }

  /** @param {ui.evaluate.payload.LeaderboardPayload} answer */
  show(answer) {
    this.fold.hidden = !answer.cohorts.length;
    if (!answer.cohorts.length) return this.bar.replaceChildren();
    const focused = focusedKey(document);
    const cohort = this.makeSelect("Cohort", "cohort", answer.cohorts, answer.cohort);
    const groups = this.makeSelect("Groups by", "source", answer.sources, answer.source);
    const filters = answer.filters.map(({ key, title, values, chosen }) => this.makeSelect(title, key, [{ word: "", name: "all" }, ...values], chosen));
    this.bar.replaceChildren(cohort, ...this.unit.makeParts(answer), groups, ...filters, ...makeUncertainSwitch(this, answer), ...this.more.makeParts(answer), ...this.makeStatistics(answer), ...(answer.weighted ? [this.makeNaturalSwitch(answer)] : []));
    this.showModels(answer.models);
    if (focused) [...this.bar.querySelectorAll("[data-key]"), ...this.list.querySelectorAll("[data-key]")].find((each) => each.dataset.key === focused)?.focus({ preventScroll: true });
  }

  // another cohort has other models and centers
  makeSelect(title, word, options, chosen) {
    const label = make("label", "evaluate-choice muted");
    const select = make("select", "");
    for (const { word: value, name } of options) select.append(new Option(name, value, value === chosen, value === chosen));
    select.dataset.key = "choose " + word;
    select.addEventListener("change", () => this.evaluate.change({ ...(word === "cohort" ? this.wordsToRemove() : {}), [word]: select.value }));
    label.append(make("span", "", title), select);
    return addMeaning(label, title);
  }

  // Which findings means count, and which intervals there are, where a panel has them.
  makeStatistics({ minimums, minimum, intervals, interval }) {
    const { panel = "" } = this.evaluate.state;
    const means = MEANS_OF.includes(panel) ? [this.makeSelect("Means from", "means", minimums, minimum)] : [];
    return INTERVALS_OF.includes(panel) ? [...means, this.makeSelect("Intervals", "intervals", intervals, interval)] : means;
  }

  wordsToRemove() {
    return Object.fromEntries(Object.keys(this.evaluate.state).filter((name) => !["source", "metric"].includes(name)).map((name) => [name, null]));
  }

  makeNaturalSwitch({ natural }) {
    const label = make("label", "evaluate-check");
    const box = Object.assign(make("input", ""), { type: "checkbox", checked: natural });
    box.dataset.key = "choose natural";
    box.addEventListener("change", () => this.evaluate.change({ natural: box.checked ? 1 : null }));
    label.title = "Films are weighted by natural frequency, because rare findings were collected on purpose.";
    label.append(box, make("span", "", "natural prevalence"));
    return label;
  }

  showModels(models) {
    const chosen = models.filter((each) => each.chosen).map((each) => each.word);
    this.legend.textContent = chosen.length + " of " + countText(models.length, "model");
    this.fold.querySelector("summary").textContent = "Models: " + chosen.length + " of " + models.length;
    const hint = chosen.length < 2 ? [makeWithCommands("p", "evaluate-hint", models.length < 2 ? "Only one model has scored this cohort. `python -m explorer score --help` says how to add another." : ONE_MODEL)] : [];
    this.list.replaceChildren(this.legend, ...hint, ...this.makeAllButton(models, chosen), ...models.map((model) => this.makeModelChoice(model, chosen)));
  }

  // A few are compared at first: a leaderboard of dozens needs a minute for its intervals.
  makeAllButton(models, chosen) {
    const all = models.filter((each) => each.comparable || each.chosen).map((each) => each.word);
    if (all.length === chosen.length) return [];
    const button = Object.assign(make("button", "", "Compare all " + all.length), { type: "button" });
    button.dataset.key = "model all";
    button.addEventListener("click", () => this.chooseModels(all));
    return [button];
  }

  makeModelChoice({ word, name, title, findings, unit, chosen }, all) {
    const label = make("label", "evaluate-check");
    const box = Object.assign(make("input", ""), { type: "checkbox", checked: chosen, disabled: chosen && all.length === 1 });
    box.dataset.key = "model " + word;
    box.addEventListener("change", () => this.chooseModels(box.checked ? [...all, word] : all.filter((each) => each !== word)));
    const note = countText(findings, "finding") + (unit === "margin" ? ", image-text" : "");
    label.title = title;
    label.append(box, make("span", "evaluate-model-name", name), make("span", "evaluate-model-note muted small", note));
    return label;
  }

  chooseModels(words) {
    const { reference } = this.evaluate.state;
    this.evaluate.change({ models: words.join("."), reference: words.includes(reference) ? reference : null });
  }
}
