// A menu of values below a button: a listbox, navigated with arrows, first letters and the pointer.

import { make } from "../shared/elements.js";
import { wholeText } from "../shared/figures.js";

const SEARCHABLE_FROM = 12; // options from which a search field is shown

export let openMenu = null; // at most one
export const setOpenMenu = (menu) => (openMenu = menu);

export class Menu {
  // sections: [{title, options: [{label, note, chosen, disabled, pick}]}]; counted: what the notes count, or nothing;
  // footer: a line below, or nothing.
  constructor(anchor, name, sections, { counted = "", footer = "" } = {}) {
    openMenu?.close();
    openMenu = this;
    this.anchor = anchor;
    this.box = make("div", "menu");
    this.list = make("div", "menu-list");
    Object.assign(this.list, { id: "explore-menu", tabIndex: 0 });
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", name);
    this.rows = [];
    for (const section of sections) if (section.options.length) this.list.append(this.makeSection(section));
    this.focused = this.rows.length > SEARCHABLE_FROM ? this.makeSearchField(name) : this.list;
    if (counted) this.box.append(this.makeHead(name, counted));
    this.box.append(this.list);
    if (footer) this.box.append(make("p", "menu-footer", footer));
    this.open();
  }

  makeHead(...words) {
    const head = make("p", "menu-title");
    head.setAttribute("aria-hidden", "true"); // the list has the name
    head.append(...words.map((each) => make("span", "", each)));
    return head;
  }

  makeSection({ title, options }) {
    const group = make("div", "menu-section");
    if (title) {
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", title);
      group.append(this.makeHead(title));
    }
    for (const option of options) group.append(this.makeRow(option));
    return group;
  }

  makeRow(option) {
    const row = make("div", "menu-option");
    row.id = "explore-menu-" + this.rows.length;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(Boolean(option.chosen)));
    if (option.disabled) row.setAttribute("aria-disabled", "true");
    row.append(make("span", "menu-label", option.label), make("span", "menu-note small", option.note ?? ""));
    if (option.word) row.dataset.word = option.word;
    this.rows.push({ row, option });
    row.addEventListener("click", () => this.pick(option));
    row.addEventListener("pointermove", () => this.markRow(row));
    return row;
  }

  makeSearchField(name) {
    const field = make("input", "menu-search");
    Object.assign(field, { type: "text", placeholder: "Find", autocomplete: "off", spellcheck: false });
    const traits = { role: "combobox", "aria-label": name, "aria-expanded": "true", "aria-controls": this.list.id };
    for (const [trait, value] of Object.entries(traits)) field.setAttribute(trait, value);
    field.addEventListener("input", () => this.filter(field.value));
    this.list.tabIndex = -1;
    this.box.append(field);
    return field;
  }

  filter(text) {
    const sought = text.trim().toLowerCase();
    for (const { row, option } of this.rows) row.hidden = !option.label.toLowerCase().includes(sought);
    this.markRow(this.visibleRows[0]?.row);
  }

  get visibleRows() {
    return this.rows.filter(({ row, option }) => !row.hidden && !option.disabled);
  }

  open() {
    this.anchor.setAttribute("aria-expanded", "true");
    this.anchor.parentElement.append(this.box);
    // Below its button, but inside the window: on a phone a chip may be at the right edge.
    const overhang = this.box.getBoundingClientRect().right - document.documentElement.clientWidth + 8;
    if (overhang > 0) this.box.style.translate = -overhang + "px";
    this.box.addEventListener("keydown", (event) => this.handleKey(event));
    this.leave = (event) => this.box.contains(event.target) || this.anchor.contains(event.target) || this.close();
    document.addEventListener("pointerdown", this.leave);
    this.box.addEventListener("focusout", (event) => event.relatedTarget && this.leave({ target: event.relatedTarget }));
    this.focused.focus({ preventScroll: true });
    this.markRow((this.rows.find(({ option }) => option.chosen) ?? this.visibleRows[0])?.row);
  }

  close(refocus = false) {
    if (openMenu !== this) return;
    openMenu = null;
    document.removeEventListener("pointerdown", this.leave);
    this.anchor.setAttribute("aria-expanded", "false");
    this.box.remove();
    if (refocus) this.anchor.focus({ preventScroll: true });
  }

  pick(option) {
    if (option.disabled) return;
    this.close(true);
    option.pick();
  }

  markRow(row) {
    for (const each of this.rows) each.row.classList.toggle("marked", each.row === row);
    this.focused.setAttribute("aria-activedescendant", row?.id ?? "");
    this.marked = row;
    row?.scrollIntoView({ block: "nearest" });
  }

  handleKey(event) {
    const rows = this.visibleRows.map(({ row }) => row);
    const at = rows.indexOf(this.marked);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (event.key === "Escape") this.close(true);
    else if (target !== undefined) this.markRow(rows[Math.min(rows.length - 1, Math.max(0, target))]);
    else if (event.key === "Enter" || (event.key === " " && this.focused === this.list)) {
      const chosen = this.rows.find(({ row }) => row === this.marked);
      if (chosen) this.pick(chosen.option);
    } else if (this.focused === this.list && event.key.length === 1) this.jump(event.key.toLowerCase());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  jump(letter) {
    const rows = this.visibleRows;
    const at = rows.findIndex(({ row }) => row === this.marked);
    const starting = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ option }) => option.label.toLowerCase().startsWith(letter));
    if (starting) this.markRow(starting.row);
  }

  // Show how many films each value would leave, once known.
  showCounts(films) {
    for (const { row, option } of this.rows) {
      if (!(option.word in films)) continue;
      const count = films[option.word];
      row.querySelector(".menu-note").textContent = wholeText(count);
      row.classList.toggle("none", count === 0);
    }
  }
}
