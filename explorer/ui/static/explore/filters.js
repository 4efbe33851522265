// The row of filters: what is shown, as chips with a menu each; and "+ filter" for the others.

const FIXED = ["cohort", "model", "source"]; // always chosen, never taken away
const FILTERS = [
  { key: "cohort", title: "Cohort" },
  { key: "model", title: "Model" },
  { key: "source", title: "Groups by" },
  { key: "group", title: "Frequency group" },
  { key: "center", title: "Center" },
  { key: "finding", title: "Finding" },
  { key: "outcome", title: "Outcome" },
  { key: "labels", title: "Labels from" },
  { key: "view", title: "View" },
  { key: "sex", title: "Sex" },
  { key: "age", title: "Age" },
  { key: "score", title: "Score" },
  { key: "relation", title: "Other model" },
  { key: "called", title: "Also called" },
];
const TELLING = ["source", "group", "finding", "outcome", "labels", "score", "relation", "called"]; // of labels and scores
const FOOTERS = {
  cohort: "python -m explorer ingest --help tells how to bring your own.",
  model: "python -m explorer score --help tells how to add another.",
};
const SCORE = { low: null, high: null };

class Filters {
  constructor(box, explore) {
    this.box = box;
    this.explore = explore;
  }

  show() {
    if (openMenu && this.box.contains(openMenu.anchor)) openMenu.close();
    if (!this.explore.facets) return;
    const focused = this.box.contains(document.activeElement) && document.activeElement.closest("[data-key]")?.dataset.key;
    const { state } = this.explore;
    const seen = FILTERS.filter(({ key }) => !(state.hide && TELLING.includes(key)));
    this.box.replaceChildren(...seen.filter(({ key }) => this.isSet(key)).map((filter) => this.chip(filter)));
    if (state.hide && TELLING.some((key) => key !== "source" && this.isSet(key))) this.box.append(make("span", "chip chip-hidden", "hidden filters"));
    const more = make("span", "chip-more");
    more.dataset.key = "more";
    const add = this.button("chip-add", "+ filter", () => this.more(add, seen));
    more.append(add);
    this.box.append(more);
    if (!state.hide && this.chosen().length) this.box.append(this.button("chip-clear", "clear", () => this.clear()));
    if (focused) (this.box.querySelector("[data-key=" + focused + "] button") ?? add).focus({ preventScroll: true });
  }

  isSet(key) {
    const { state } = this.explore;
    if (key === "score") return "low" in state || "high" in state;
    return key in state;
  }

  chosen() {
    return FILTERS.map(({ key }) => key).filter((key) => !FIXED.includes(key) && this.isSet(key));
  }

  without(key) {
    if (key === "score") return SCORE;
    return key === "relation" ? { relation: null, against: null } : { [key]: null };
  }

  clear() {
    this.explore.change(Object.assign({}, ...this.chosen().map((key) => this.without(key))));
  }

  title(key) {
    if (key === "score" && this.explore.facets?.score?.unit === "margin") return "Margin";
    return FILTERS.find((filter) => filter.key === key).title;
  }

  // The words of the value that is chosen.
  value(key) {
    const { state } = this.explore;
    if (key === "score") return scoreRange(state);
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
    const title = this.title(key);
    const chip = make("span", "chip chip-" + key);
    chip.dataset.key = key;
    const open = this.button("chip-open", "", () => this.open(open, filter));
    open.append(make("span", "chip-title", title), " ", make("span", "chip-value", this.value(key)));
    open.setAttribute("aria-haspopup", key === "score" ? "dialog" : "listbox");
    open.setAttribute("aria-expanded", "false");
    chip.append(open);
    if (FIXED.includes(key)) return chip;
    const away = this.button("chip-away", "\u00d7", () => this.explore.change(this.without(key)));
    away.setAttribute("aria-label", "Remove " + title + ": " + this.value(key));
    chip.append(away);
    chip.addEventListener("keydown", (event) => {
      if (event.key === "Delete" || event.key === "Backspace") this.takeAway(event, key);
    });
    return chip;
  }

  takeAway(event, key) {
    if (event.target.closest(".menu")) return;
    event.preventDefault();
    this.explore.change(this.without(key));
  }

  button(className, text, pressed) {
    const button = make("button", className, text);
    button.type = "button";
    button.addEventListener("click", pressed);
    return button;
  }

  open(anchor, filter) {
    if (openMenu?.anchor === anchor) return openMenu.close(true);
    const { key, title } = filter;
    if (key === "score") return new ScoreRange(anchor, this.explore);
    const menu = new Menu(anchor, title, this.sections(key), { counted: FIXED.includes(key) ? "" : "films", footer: FOOTERS[key] });
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
    const model = ["low", "high", "against", "relation", "beside"];
    const gone = { cohort: ["model", "center", "labels", ...model], model };
    const away = Object.fromEntries((gone[key] ?? []).map((each) => [each, null]));
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
    const options = seen.filter(({ key }) => !this.isSet(key)).map((filter) => this.choice(anchor, filter));
    return new Menu(anchor, "Add a filter", [{ options }]);
  }

  choice(anchor, filter) {
    const { key } = filter;
    const values = key === "relation" ? this.options("against") : this.options(key);
    const few = key !== "score" && values.length < (key === "relation" ? 1 : 2);
    const only = key === "relation" ? "no other model" : values.length ? "only " + values[0].name : "none";
    return { label: this.title(key), note: few ? only : "", disabled: few, pick: () => this.open(anchor, filter) };
  }
}
