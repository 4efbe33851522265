// The row of filters: each active one as a chip with a menu, and "+ filter" for the others.

import { make } from "../shared/elements.js";
import { explained } from "../shared/glossary.js";
import { Menu, openMenu } from "./menu.js";
import { ScoreRange, scoreRange } from "./score_range.js";

// How a filter's value is shown and chosen, by the kind that its entry names. `popup` is what its chip opens; `idle`
// says why nothing can be chosen: a filter with a single value would change nothing.
const KINDS = {
  list: {
    popup: "listbox",
    value: (filters, { key }) => filters.name(key, filters.explore.state[key]),
    open: (filters, anchor, filter) => filters.menu(anchor, filter, [{ options: filters.options(filter.key).map((option) => filters.option(filter, option)) }]),
    idle: (filters, { key }) => {
      const [first, ...others] = filters.options(key);
      return others.length ? "" : first ? "only " + first.name : "none";
    },
  },
  range: {
    popup: "dialog",
    value: (filters) => scoreRange(filters.explore.state),
    open: (filters, anchor, { key }) => new ScoreRange(anchor, filters.explore, filters.explore.facets[key]),
    idle: () => "",
  },
  relation: {
    popup: "listbox",
    value: (filters, { words: [other, relation] }) => [relation, other].map((word) => filters.name(word, filters.explore.state[word])).join(" with "),
    open: (filters, anchor, filter) => filters.menu(anchor, filter, filters.relations(filter)),
    idle: (filters, { words: [other] }) => (filters.options(other).length ? "" : "no other model"),
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
    this.box.replaceChildren(...seen.filter((filter) => this.isSet(filter)).map((filter) => this.chip(filter)));
    const filtered = this.explore.answer?.filtered || this.chosen().some(({ tells }) => tells);
    if (state.hide && filtered) this.box.append(make("span", "chip chip-hidden", "hidden filters"));
    const more = make("span", "chip-more");
    more.dataset.key = "more";
    const add = this.button("chip-add", "+ filter", () => this.more(add, seen));
    more.append(add);
    this.box.append(more);
    if (!state.hide && this.chosen().length) this.box.append(this.button("chip-clear", "clear", () => this.clear()));
    if (focused) (this.box.querySelector("[data-key=" + focused + "] button") ?? add).focus({ preventScroll: true });
  }

  isSet({ words }) {
    return words.some((word) => word in this.explore.state);
  }

  // The filters that can be removed.
  chosen() {
    return this.every.filter((filter) => !filter.needed && this.isSet(filter));
  }

  without({ words }) {
    return Object.fromEntries(words.map((word) => [word, null]));
  }

  clear() {
    this.explore.change(Object.assign({}, ...this.chosen().map((filter) => this.without(filter))));
  }

  title({ key, title }) {
    return this.explore.facets?.[key]?.title ?? title;
  }

  // The name of the chosen value.
  value(filter) {
    return KINDS[filter.kind].value(this, filter);
  }

  name(key, word) {
    return this.options(key).find((option) => option.word === word)?.name ?? "\u2026";
  }

  options(key) {
    return this.explore.facets?.[key] ?? [];
  }

  chip(filter) {
    const title = this.title(filter);
    const { popup } = KINDS[filter.kind];
    const chip = make("span", "chip chip-" + filter.key + (filter.needed ? " needed" : ""));
    chip.dataset.key = filter.key;
    const open = this.button("chip-open", "", () => this.open(open, filter));
    open.append(make("span", "chip-title", title), " ", make("span", "chip-value", this.value(filter)));
    if (popup) {
      open.setAttribute("aria-haspopup", popup);
      open.setAttribute("aria-expanded", "false");
    }
    chip.append(explained(open, title));
    if (filter.needed) return chip;
    const away = this.button("chip-away", "\u00d7", () => this.explore.change(this.without(filter)));
    away.setAttribute("aria-label", "Remove " + title + ": " + this.value(filter));
    chip.append(away);
    chip.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.takeAway(event, filter);
    });
    return chip;
  }

  takeAway(event, filter) {
    if (event.target.closest(".menu")) return;
    event.preventDefault();
    this.explore.change(this.without(filter));
  }

  button(className, text, pressed) {
    const button = make("button", className, text);
    button.type = "button";
    button.addEventListener("click", pressed);
    return button;
  }

  open(anchor, filter) {
    if (openMenu?.anchor === anchor) return openMenu.close(true);
    return KINDS[filter.kind].open(this, anchor, filter);
  }

  menu(anchor, { key, title, needed, footer }, sections) {
    const menu = new Menu(anchor, title, sections, { counted: needed ? "" : "films", footer });
    this.explore.ask("slice_counts", { key }).then((answer) => answer?.films && menu.count(answer.films));
    return menu;
  }

  relations({ words: [other, relation] }) {
    const { state } = this.explore;
    return this.options(other).map((model) => ({
      title: "with " + model.name,
      options: this.options(relation).map(({ word, name }) => ({
        label: name,
        word: model.word + " " + word,
        chosen: state[other] === model.word && state[relation] === word,
        pick: () => this.explore.change({ [other]: model.word, [relation]: word }),
      })),
    }));
  }

  option({ key, clears }, { word, name, note }) {
    return {
      label: name,
      note,
      word,
      chosen: this.explore.state[key] === word,
      pick: () => this.explore.change({ ...Object.fromEntries(clears.map((each) => [each, null])), [key]: word }),
    };
  }

  // Choose an option of the filter with this key.
  pick(key, option) {
    this.option(this.every.find((filter) => filter.key === key), option).pick();
  }

  // The filters without a value.
  more(anchor, seen) {
    if (openMenu?.anchor === anchor) return openMenu.close(true);
    const options = seen.filter((filter) => !this.isSet(filter)).map((filter) => this.choice(anchor, filter));
    return new Menu(anchor, "Add a filter", [{ options }]);
  }

  choice(anchor, filter) {
    const idle = KINDS[filter.kind].idle(this, filter);
    return { label: this.title(filter), note: idle, disabled: Boolean(idle), pick: () => this.open(anchor, filter) };
  }
}
