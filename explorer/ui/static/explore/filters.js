// The row of filters: what is shown, as chips with a menu each; and "+ filter" for the others.

import { make } from "../shared/elements.js";
import { explained } from "../shared/glossary.js";
import { pinning } from "./address.js";
import { Menu, openMenu } from "./menu.js";
import { ScoreRange, scoreRange } from "./score_range.js";

const GONE_WITH = { cohort: ["cohort", "model"], model: ["model"] }; // what a filter is bound to, by what is changed

export class Filters {
  // `every`: cohort, model and the filters as the server lists them, see `filters_payload`.
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

  // Those that can be taken away.
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
    return key === "score" && this.explore.facets?.score?.unit === "margin" ? "Margin" : title;
  }

  // The words of the value that is chosen.
  value(key) {
    const { state } = this.explore;
    if (key === "score") return scoreRange(state);
    if (key === "lasso") return "on the map";
    if (key === "relation") return this.name("relation", state.relation) + " with " + this.name("against", state.against);
    return this.name(key, state[key]);
  }

  name(key, word) {
    return this.options(key).find((option) => option.word === word)?.name ?? "\u2026";
  }

  options(key) {
    return this.explore.facets?.[key] ?? [];
  }

  chip(filter) {
    const { key } = filter;
    const title = this.title(filter);
    const chip = make("span", "chip chip-" + key);
    chip.dataset.key = key;
    const open = this.button("chip-open", "", () => this.open(open, filter));
    open.append(make("span", "chip-title", title), " ", make("span", "chip-value", this.value(key)));
    if (key !== "lasso") open.setAttribute("aria-haspopup", key === "score" ? "dialog" : "listbox");
    if (key !== "lasso") open.setAttribute("aria-expanded", "false");
    chip.append(explained(open, title));
    if (filter.needed) return chip;
    const away = this.button("chip-away", "\u00d7", () => this.explore.change(this.without(filter)));
    away.setAttribute("aria-label", "Remove " + title + ": " + this.value(key));
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
    const { key, title, needed, footer } = filter;
    if (key === "score") return new ScoreRange(anchor, this.explore);
    if (key === "lasso") return this.explore.change({ panel: "map" }, { keep: true });
    const menu = new Menu(anchor, title, this.sections(key), { counted: needed ? "" : "films", footer });
    this.explore.ask("slice_counts", { key }).then((answer) => answer?.films && menu.count(answer.films));
    return menu;
  }

  sections(key) {
    const { state } = this.explore;
    if (key !== "relation") return [{ options: this.options(key).map((option) => this.option(key, option)) }];
    return this.options("against").map((other) => ({
      title: "with " + other.name,
      options: this.options("relation").map(({ word, name }) => ({
        label: name,
        word: other.word + " " + word,
        chosen: state.against === other.word && state.relation === word,
        pick: () => this.explore.change({ against: other.word, relation: word }),
      })),
    }));
  }

  // Another cohort has other models and centers, but its films can be asked the same; a range is of one model's figures.
  option(key, { word, name, note }) {
    const bound = GONE_WITH[key] ?? [];
    const gone = this.every.filter(({ bound_to }) => bound.includes(bound_to)).map((filter) => this.without(filter));
    const away = Object.assign({}, ...gone, key === "cohort" && { model: null, ...pinning([]) });
    return {
      label: name,
      note,
      word,
      chosen: this.explore.state[key] === word,
      pick: () => this.explore.change({ ...away, [key]: word }),
    };
  }

  // The filters that are not set; one with a single value would change nothing, and says which it is.
  more(anchor, seen) {
    if (openMenu?.anchor === anchor) return openMenu.close(true);
    const options = seen.filter((filter) => !this.isSet(filter)).map((filter) => this.choice(anchor, filter));
    return new Menu(anchor, "Add a filter", [{ options }]);
  }

  choice(anchor, filter) {
    const { key } = filter;
    const values = key === "relation" ? this.options("against") : this.options(key);
    const few = key !== "score" && key !== "lasso" && values.length < (key === "relation" ? 1 : 2);
    const only = key === "relation" ? "no other model" : values.length ? "only " + values[0].name : "none";
    return { label: this.title(filter), note: few ? only : "", disabled: few, pick: () => this.open(anchor, filter) };
  }
}
