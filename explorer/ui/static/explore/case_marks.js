// The marks of the open case: a star, tags, a note, its lists. They stay on this machine.

import { make } from "../shared/elements.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";

export class CaseMarks {
  // `callbacks`: mark({starred, tags or note}), list(name, "list_added" or "list_without").
  constructor(dialog, callbacks) {
    this.callbacks = callbacks;
    this.star = dialog.querySelector(".case-star");
    this.section = dialog.querySelector(".case-marks");
    this.star.addEventListener("click", () => this.toggle());
    // A field loses the focus before the case closes: typed text is kept.
    this.section.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.star.focus();
    });
    this.clear();
  }

  clear() {
    this.now = this.status = null;
    this.star.hidden = true;
    this.section.replaceChildren();
  }

  toggle() {
    if (this.now) this.callbacks.mark({ starred: !this.now.starred });
  }

  // The marks as stored by the server, or its refusal.
  /** @param {ui.explore.mark_calls.MarkPayload | (ui.shared.refusals.RefusedPayload & { stage: "refused" })} answer */
  show(answer) {
    if (answer.stage === "refused") return this.showWords(refusalWords(answer));
    const focused = this.section.contains(document.activeElement) ? document.activeElement.classList[0] : "";
    this.now = answer;
    this.star.hidden = false;
    this.star.setAttribute("aria-pressed", String(answer.starred));
    this.star.textContent = answer.starred ? "\u2605 Starred" : "\u2606 Star";
    this.status = make("p", "case-marks-said");
    this.status.setAttribute("role", "status");
    this.section.replaceChildren(make("h3", "", "Marks"), this.makeTagsField(answer), this.makeNoteField(answer), this.makeListsForm(answer), this.status);
    if (focused) this.section.querySelector("." + focused)?.focus({ preventScroll: true });
  }

  showWords(words) {
    if (this.status) showWithCommands(this.status, words);
  }

  makeTagsField({ tags, known }) {
    const field = makeTextField("case-tags", "Tags", "tag, tag", tags.join(", "));
    field.input.addEventListener("change", () => this.callbacks.mark({ tags: field.input.value.split(",") }));
    field.label.append(makeDatalist(field.input, "case-tags-known", known));
    return field.label;
  }

  makeNoteField({ note, longest }) {
    const label = make("label", "case-marks-field");
    const text = make("textarea", "case-note", note);
    Object.assign(text, { rows: 2, maxLength: longest, placeholder: "stays on this machine" });
    text.addEventListener("change", () => this.callbacks.mark({ note: text.value }));
    label.append(make("span", "case-label-word muted", "Note"), text);
    return label;
  }

  makeListsForm({ lists, every }) {
    const form = make("form", "case-marks-field");
    const field = makeTextField("case-list-name", "Lists", "name of a list", "");
    const add = make("button", "case-list-add", "Add");
    field.input.maxLength = 60;
    field.input.setAttribute("aria-label", "Add to the list");
    form.append(...field.label.childNodes, add, makeDatalist(field.input, "case-lists-known", every));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.callbacks.list(field.input.value, "list_added");
    });
    const chips = make("span", "case-lists");
    for (const name of lists) chips.append(this.makeChip(name));
    if (lists.length) form.append(chips);
    return form;
  }

  makeChip(name) {
    const chip = make("span", "case-list-chip", name);
    const removeButton = make("button", "case-list-away", "\u00d7");
    removeButton.type = "button";
    removeButton.setAttribute("aria-label", "Remove from the list " + name);
    removeButton.addEventListener("click", () => this.callbacks.list(name, "list_without"));
    chip.append(removeButton);
    return chip;
  }
}

function makeTextField(className, words, placeholder, value) {
  const label = make("label", "case-marks-field");
  const input = make("input", className);
  Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false, placeholder, value });
  label.append(make("span", "case-label-word muted", words), input);
  return { label, input };
}

// Earlier entries to choose from.
export function makeDatalist(input, id, names) {
  const list = make("datalist", "");
  list.id = id;
  list.append(...names.map((name) => Object.assign(make("option", ""), { value: name })));
  input.setAttribute("list", id);
  return list;
}
