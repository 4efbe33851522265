// The row of filters: each active one as a chip with a menu, and "+ filter" for the others.

import { caseWords } from "../shared/counted.js";
import { make } from "../shared/elements.js";
import { addMeaning } from "../shared/glossary.js";
import { Menu, openMenu } from "./menu.js";
import { ScoreRange, scoreRangeText } from "./score_range.js";

// How a filter's value is shown and chosen, by the kind that its entry names. `popup` is what its chip opens; `idle`
// says why nothing can be chosen: a filter with a single value would change nothing.
const FILTER_KINDS = {
  list: {
    popup: "listbox",
    value: (filters, { key }) => filters.optionName(key, filters.explore.state[key]),
    open: (filters, anchor, filter) => filters.makeMenu(anchor, filter, [{ options: filters.optionsOf(filter.key).map((option) => filters.makeOption(filter, option)) }]),
    idle: (filters, { key }) => {
      const [first, ...others] = filters.optionsOf(key);
      return others.length ? "" : first ? "only " + first.name : "none";
    },
  },
  range: {
    popup: "dialog",
    value: (filters) => scoreRangeText(filters.explore.state),
    open: (filters, anchor, { key }) => new ScoreRange(anchor, filters.explore, filters.explore.facets[key]),
    idle: () => "",
  },
  relation: {
    popup: "listbox",
    value: (filters, { words: [other, relation] }) => [relation, other].map((word) => filters.optionName(word, filters.explore.state[word])).join(" with "),
    open: (filters, anchor, filter) => filters.makeMenu(anchor, filter, filters.relationOptions(filter)),
    idle: (filters, { words: [other] }) => (filters.optionsOf(other).length ? "" : "no other model"),
  },
  area: {
    popup: null,
    value: () => "on the map",
    open: (filters) => filters.explore.change({ panel: "map" }, { keep: true }),
    idle: () => "",
  },
};

export class Filters {
  // `every`: cohort, model and the filters, as listed by the server; see `filters_payload`.
  constructor(box, explore, every) {
    this.box = box;
    this.explore = explore;
    this.every = every;
  }

  show() {
    if (openMenu && this.box.contains(openMenu.anchor)) openMenu.close();
    if (!this.explore.facets) return;
    const focused = this.box.contains(document.activeElement) && document.activeElement.closest("[data-key]")?.dataset.key;
    const { state } = this.explore;
    const seen = this.every.filter(({ tells }) => !(state.hide && tells));
    this.box.replaceChildren(...seen.filter((filter) => this.isSet(filter)).map((filter) => this.makeChip(filter)));
    const filtered = this.explore.answer?.filtered || this.chosenFilters().some(({ tells }) => tells);
    if (state.hide && filtered) this.box.append(make("span", "chip chip-hidden muted", "hidden filters"));
    const more = make("span", "chip-more");
    more.dataset.key = "more";
    const add = this.makeButton("chip-add", "+ filter", () => this.openAddMenu(add, seen));
    more.append(add);
    this.box.append(more);
    if (!state.hide && this.chosenFilters().length) this.box.append(this.makeButton("chip-clear", "clear", () => this.clear()));
    if (focused) (this.box.querySelector("[data-key=" + focused + "] button") ?? add).focus({ preventScroll: true });
  }

  isSet({ words }) {
    return words.some((word) => word in this.explore.state);
  }

  // The filters that can be removed.
  chosenFilters() {
    return this.every.filter((filter) => !filter.needed && this.isSet(filter));
  }

  wordsWithout({ words }) {
    return Object.fromEntries(words.map((word) => [word, null]));
  }

  clear() {
    this.explore.change(Object.assign({}, ...this.chosenFilters().map((filter) => this.wordsWithout(filter))));
  }

  titleOf({ key, title }) {
    return this.explore.facets?.[key]?.title ?? title;
  }

  // The name of the chosen value.
  valueText(filter) {
    return FILTER_KINDS[filter.kind].value(this, filter);
  }

  optionName(key, word) {
    return this.optionsOf(key).find((option) => option.word === word)?.name ?? "\u2026";
  }

  optionsOf(key) {
    return this.explore.facets?.[key] ?? [];
  }

  makeChip(filter) {
    const title = this.titleOf(filter);
    const { popup } = FILTER_KINDS[filter.kind];
    const chip = make("span", "chip chip-" + filter.key + (filter.needed ? " needed" : ""));
    chip.dataset.key = filter.key;
    const open = this.makeButton("chip-open", "", () => this.openMenuOf(open, filter));
    open.append(make("span", "chip-title muted", title), " ", make("span", "chip-value", this.valueText(filter)));
    if (popup) {
      open.setAttribute("aria-haspopup", popup);
      open.setAttribute("aria-expanded", "false");
    }
    chip.append(addMeaning(open, title));
    if (filter.needed) return chip;
    const removeButton = this.makeButton("chip-away", "\u00d7", () => this.explore.change(this.wordsWithout(filter)));
    removeButton.setAttribute("aria-label", "Remove " + title + ": " + this.valueText(filter));
    chip.append(removeButton);
    chip.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.removeByKey(event, filter);
    });
    return chip;
  }

  removeByKey(event, filter) {
    if (event.target.closest(".menu")) return;
    event.preventDefault();
    this.explore.change(this.wordsWithout(filter));
  }

  makeButton(className, text, pressed) {
    const button = make("button", className, text);
    button.type = "button";
    button.addEventListener("click", pressed);
    return button;
  }

  openMenuOf(anchor, filter) {
    if (openMenu?.anchor === anchor) return openMenu.close(true);
    return FILTER_KINDS[filter.kind].open(this, anchor, filter);
  }

  makeMenu(anchor, { key, title, counted, footer }, sections) {
    const menu = new Menu(anchor, title, sections, { counted: counted ? caseWords("films", this.explore.words.counted) : "", footer });
    this.explore.ask("slice_counts", { key }).then((answer) => answer?.films && menu.showCounts(answer.films));
    return menu;
  }

  relationOptions({ words: [other, relation] }) {
    const { state } = this.explore;
    return this.optionsOf(other).map((model) => ({
      title: "with " + model.name,
      options: this.optionsOf(relation).map(({ word, name }) => ({
        label: name,
        word: model.word + " " + word,
        chosen: state[other] === model.word && state[relation] === word,
        pick: () => this.explore.change({ [other]: model.word, [relation]: word }),
      })),
    }));
  }

  makeOption({ key, clears }, { word, name, note }) {
    return {
      label: name,
      note,
      word,
      chosen: this.explore.state[key] === word,
      pick: () => this.explore.change({ ...Object.fromEntries(clears.map((each) => [each, null])), [key]: word }),
    };
  }

  // Choose an option of the filter with this key.
  chooseOption(key, option) {
    this.makeOption(this.every.find((filter) => filter.key === key), option).pick();
  }

  // The filters without a value.
  openAddMenu(anchor, seen) {
    if (openMenu?.anchor === anchor) return openMenu.close(true);
    const options = seen.filter((filter) => !this.isSet(filter)).map((filter) => this.makeChoice(anchor, filter));
    return new Menu(anchor, "Add a filter", [{ options }]);
  }

  makeChoice(anchor, filter) {
    const idle = FILTER_KINDS[filter.kind].idle(this, filter);
    return { label: this.titleOf(filter), note: idle, disabled: Boolean(idle), pick: () => this.openMenuOf(anchor, filter) };
  }
}
