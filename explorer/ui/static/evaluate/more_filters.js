// The filters that few comparisons need: each is shown once it is set or was added, and "+ filter" adds one.

import { make } from "../shared/elements.js";
import { addMeaning } from "../shared/glossary.js";

const RANGE_SEPARATOR = " "; // the two state words of a range filter

export class MoreFilters {
  constructor(bar, evaluate) {
    this.bar = bar;
    this.evaluate = evaluate;
    this.added = new Set(); // keys of added filters without a value
    this.every = [];
  }

  makeParts({ more }) {
    this.every = more;
    for (const { key, shown } of more) if (shown) this.added.delete(key);
    const seen = more.filter(({ key, shown, offered }) => shown || (offered && this.added.has(key)));
    const offered = more.filter(({ key, offered: can }) => can && !this.added.has(key));
    return [...seen.map((filter) => (filter.bounds ? this.makeBounds(filter) : this.makeSelect(filter))), ...(offered.length ? [this.makeAddChoice(offered)] : [])];
  }

  makeSelect(filter) {
    const { key, title, values, chosen, needed } = filter;
    const select = make("select", "");
    for (const { word, name } of needed ? values : [{ word: "", name: "all" }, ...values]) select.append(new Option(name, word, word === chosen, word === chosen));
    select.dataset.key = "choose " + key;
    select.addEventListener("change", () => this.setFilter(filter, select.value.split(RANGE_SEPARATOR)));
    return this.makeLabeled(title, select);
  }

  // A range from one number up to, but not including, another; empty: no limit.
  makeBounds(filter) {
    const fields = filter.words.map((word, at) => {
      const field = Object.assign(make("input", "evaluate-bound"), { type: "number", step: "any", placeholder: at ? "below" : "from" });
      field.value = this.evaluate.state[word] ?? "";
      field.setAttribute("aria-label", filter.title + (at ? " below" : " from"));
      field.dataset.key = "choose " + word;
      return field;
    });
    const set = () => this.setFilter(filter, fields.map(({ value }) => value));
    for (const field of fields) field.addEventListener("change", set);
    const box = make("span", "evaluate-choice muted");
    box.append(make("span", "", filter.title), ...fields);
    return box;
  }

  makeAddChoice(offered) {
    const select = make("select", "");
    select.append(new Option("+ filter", ""));
    for (const { key, title } of offered) select.append(new Option(title, key));
    select.setAttribute("aria-label", "Add a filter");
    select.dataset.key = "add filter";
    select.addEventListener("change", () => this.addFilter(select.value));
    const label = make("span", "evaluate-choice muted evaluate-more");
    label.append(select);
    return label;
  }

  addFilter(key) {
    this.added.add(key);
    const filter = this.every.find((each) => each.key === key);
    const part = filter.bounds ? this.makeBounds(filter) : this.makeSelect(filter);
    const more = this.bar.querySelector(".evaluate-more");
    const notAdded = this.every.filter(({ key: other, offered }) => offered && !this.added.has(other));
    more.replaceWith(part, ...(notAdded.length ? [this.makeAddChoice(notAdded)] : []));
    part.querySelector("[data-key]").focus({ preventScroll: true });
  }

  setFilter({ key, words }, values) {
    if (!values.some(Boolean)) this.added.delete(key);
    this.evaluate.change(Object.fromEntries(words.map((word, at) => [word, values[at] ?? null])));
  }

  makeLabeled(title, select) {
    const label = make("label", "evaluate-choice muted");
    label.append(make("span", "", title), select);
    return addMeaning(label, title);
  }
}
