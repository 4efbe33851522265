// An answer that names findings: a search over the vocabulary, the named findings with their sides, or "no finding".

import { make } from "../shared/elements.js";
import { SIDELESS } from "../shared/sideless.js";
import { makeChoices } from "./choices.js";
import { searchFindings } from "./finding_search.js";
import { makeTool } from "./tool.js";

const MOST_FINDINGS = 12; // findings per answer
const SIDES = ["right", "left", "both"].map((side) => [side, side]);

export class FindingsAnswer {
  open = "Name a finding, or say that there is none";

  // `findings`: name -> synonyms; `changed()` after each change.
  constructor(findings, changed) {
    this.findings = findings;
    this.changed = changed;
    this.named = new Map();
    this.none = false;
    this.at = 0;
    this.found = [];
    this.element = make("div", "class-findings");
    this.rows = make("ul", "class-named");
    this.input = this.makeSearchField();
    this.list = make("ul", "class-suggestions");
    Object.assign(this.list, { id: "class-suggestions", hidden: true });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Findings");
    this.nothing = make("button", "class-quiet-button", "No finding");
    this.nothing.type = "button";
    this.nothing.addEventListener("click", () => this.setNone(!this.none));
    const line = make("div", "class-search-line");
    line.append(this.input, this.nothing, this.list);
    this.element.append(this.rows, line);
    this.show();
  }

  makeSearchField() {
    const input = make("input", "class-input");
    Object.assign(input, { type: "text", autocomplete: "off", spellcheck: false, placeholder: "Search a finding" });
    const attributes = { role: "combobox", "aria-label": "Search a finding", "aria-expanded": "false", "aria-controls": "class-suggestions", "aria-autocomplete": "list" };
    for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);
    input.addEventListener("input", () => this.suggest());
    input.addEventListener("keydown", (event) => this.handleKey(event));
    input.addEventListener("blur", () => this.close());
    return input;
  }

  suggest() {
    this.found = searchFindings(this.findings, this.input.value).filter(({ finding }) => !this.named.has(finding));
    this.at = 0;
    this.draw();
  }

  draw() {
    const open = this.input.value.trim() !== "";
    const rows = this.found.map(({ finding, by: synonym }, place) => {
      const row = make("li", "class-suggestion", finding);
      row.id = "class-suggestion-" + place;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(place === this.at));
      if (synonym) row.append(make("span", "class-synonym", synonym));
      row.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus until the click
      row.addEventListener("click", () => this.addFinding(finding));
      return row;
    });
    if (!rows.length) rows.push(makeNoMatchRow());
    this.list.replaceChildren(...rows);
    this.list.hidden = !open;
    this.input.setAttribute("aria-expanded", String(open));
    if (open && this.found.length) this.input.setAttribute("aria-activedescendant", "class-suggestion-" + this.at);
    else this.input.removeAttribute("aria-activedescendant");
  }

  handleKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found.length) {
      this.at = (this.at + step + this.found.length) % this.found.length;
      this.draw();
    } else if (event.key === "Enter" && this.input.value.trim()) {
      if (this.found[this.at]) this.addFinding(this.found[this.at].finding);
    } else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  close() {
    this.input.value = "";
    this.found = [];
    this.draw();
  }

  addFinding(finding) {
    if (this.named.size < MOST_FINDINGS) this.named.set(finding, "");
    this.none = false;
    this.close();
    this.show(finding);
    this.changed();
  }

  setNone(none) {
    this.none = none;
    if (none) this.named.clear();
    this.show();
    this.changed();
  }

  // `newest`: the finding just named, which is scrolled into view.
  show(newest) {
    this.rows.replaceChildren(...[...this.named].map(([finding, side]) => this.makeRow(finding, side)));
    this.rows.hidden = !this.named.size;
    if (newest) this.rows.lastElementChild?.scrollIntoView({ block: "nearest" });
    this.nothing.setAttribute("aria-pressed", String(this.none));
  }

  makeRow(finding, side) {
    const row = make("li", "class-named-row");
    const sided = !SIDELESS.has(finding);
    const sides = makeChoices("Side of " + finding + ", of the patient", SIDES, () => this.named.set(finding, sides.value()), false);
    sides.set(side);
    const removeButton = makeTool("\u00d7", "Remove " + finding, () => {
      this.named.delete(finding);
      this.show();
      this.changed();
      this.input.focus();
    });
    row.append(make("span", "class-named-finding", finding), ...(sided ? [sides.element] : []), removeButton);
    return row;
  }

  answer() {
    return this.named.size || this.none ? { findings: Object.fromEntries(this.named) } : undefined;
  }
}

function makeNoMatchRow() {
  const row = make("li", "class-suggestion none", "No match");
  row.setAttribute("role", "option");
  row.setAttribute("aria-disabled", "true");
  return row;
}
