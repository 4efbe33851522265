// The field for a question with a list of suggestions: an ARIA combobox. Arrows move in the list, Enter asks, Escape
// closes the list and then goes back to the film.

import { make } from "../shared/elements.js";
import { showWithCommands } from "../shared/refusal.js";
import { suggest } from "./suggestions.js";

export class QuestionLine {
  // `callbacks`: ask(text), leave().
  constructor(form, known, callbacks) {
    this.form = form;
    this.known = known;
    this.callbacks = callbacks;
    this.input = form.querySelector(".question-text");
    this.list = form.querySelector(".suggestions");
    this.state = form.querySelector(".question-state");
    this.chosen = -1; // no suggestion: the typed text is asked
    this.input.addEventListener("input", () => this.open());
    this.input.addEventListener("keydown", (event) => this.handleKey(event));
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus in the field
    this.list.addEventListener("click", (event) => this.takeOption(event.target.closest("[role=option]")));
    form.addEventListener("submit", (event) => this.submit(event));
  }

  get text() {
    return this.input.value.trim();
  }

  set text(words) {
    this.input.value = words;
  }

  showWords(words) {
    showWithCommands(this.state, words);
  }

  focus() {
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  get isOpen() {
    return !this.list.hidden;
  }

  open() {
    const found = suggest(this.known, this.input.value);
    this.list.replaceChildren(...found.map((each, place) => this.makeOption(each, place)));
    this.list.scrollTop = 0;
    this.list.hidden = !found.length;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
    this.choose(-1);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.choose(-1);
  }

  makeOption({ finding, word }, place) {
    const option = make("li", "suggestion");
    option.id = "ask-suggestion-" + place;
    option.setAttribute("role", "option");
    option.dataset.word = word;
    option.append(make("span", "suggestion-word", word));
    if (finding !== word) option.append(make("span", "suggestion-finding muted small", finding));
    return option;
  }

  choose(place) {
    this.chosen = place;
    [...this.list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
    const option = this.list.children[place];
    if (!option) return this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-activedescendant", option.id);
    this.list.scrollTop += Math.min(0, option.offsetTop - this.list.scrollTop);
    this.list.scrollTop += Math.max(0, option.offsetTop + option.offsetHeight - this.list.scrollTop - this.list.clientHeight);
  }

  // Move in the list; the typed text comes before the first suggestion and after the last.
  step(delta) {
    if (!this.isOpen) this.open();
    const places = this.list.children.length + 1;
    this.choose(((this.chosen + 1 + delta + places) % places) - 1);
  }

  handleKey(event) {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (steps[event.key] && !event.altKey) {
      event.preventDefault();
      this.step(steps[event.key]);
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (this.isOpen) this.close();
      else this.callbacks.leave();
    }
  }

  takeOption(option) {
    if (option) this.submit(null, option.dataset.word);
  }

  submit(event, word = this.list.children[this.chosen]?.dataset.word) {
    event?.preventDefault();
    if (word) this.text = word;
    this.close();
    this.callbacks.ask(this.text);
  }
}
