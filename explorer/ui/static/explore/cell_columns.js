// Which columns of the table are shown. The address names the hidden ones, so that a center added later is shown. By
// default the difference of the centers is hidden.

import { make } from "../shared/elements.js";
import { gapTitle } from "./cell_words.js";
import { MEASURES } from "./panel_base.js";

const LEAST = 3; // columns from which the chooser is offered

const AT_FIRST = "gap";
const NONE = "none";

// The keys of the columns that a state hides. The column that the table is sorted by is always shown.
export const withoutOf = ({ without, sort }) => new Set((without ?? (sort === AT_FIRST ? NONE : AT_FIRST)).split("."));

// The columns of rates, shown or not: what each shows and its center.
function everyRate({ table: { centers }, measure, several, gaps }) {
  if (!several) return MEASURES.map(([each, title]) => ({ key: each, measure: each, title, at: 0, sort: each }));
  const all = { key: "all", measure, title: "All labeled", at: null, sort: measure };
  const sort = (center) => (!gaps && center.labelled ? measure : undefined); // all labeled films are of one center
  const each = centers.map((center, at) => ({ key: center.id, measure, title: center.name, at, center, sort: sort(center) }));
  return gaps ? [all, ...each] : each;
}

// The shown ones: at least one rate.
export function rateColumns(shown) {
  const every = everyRate(shown);
  const some = every.filter(({ key }) => !shown.without.has(key));
  return some.length ? some : every;
}

export const hasGap = ({ gaps, without }) => gaps && !without.has("gap");

let open = false; // by the visitor, kept from one drawing of the table to the next

// A button that unfolds a check box for each column; null where there are few. `choose(word)` puts the choice in the
// address.
export function columnChooser(shown, choose) {
  const gap = shown.gaps ? [{ key: "gap", title: gapTitle(shown.table) }] : [];
  const every = [...gap, ...everyRate(shown)];
  if (every.length < LEAST) return null;
  const seen = new Set([...(hasGap(shown) ? ["gap"] : []), ...rateColumns(shown).map(({ key }) => key)]);
  const box = make("details", "cells-columns");
  box.open = open;
  keepFolded(box, (isOpen) => (open = isOpen));
  const summary = make("summary", "", seen.size === every.length ? "Columns" : "Columns: " + seen.size + " of " + every.length);
  summary.dataset.key = "columns";
  const list = make("div", "cells-columns-list");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", "Columns of the table");
  for (const each of every) list.append(option(each, seen, every, choose));
  box.append(summary, list);
  return box;
}

// `keep(isOpen)` is called at once when a box of choices is opened or closed, because the table may be drawn again
// before the browser's own event. Escape closes it, with the focus on its summary.
export function keepFolded(box, keep) {
  box.addEventListener("click", ({ target }) => target.closest("summary") && keep(!box.open));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    keep(false);
    box.querySelector("summary").focus();
  });
}

function option({ key, title }, seen, every, choose) {
  const label = make("label", "cells-columns-option");
  const box = make("input", "");
  const rates = [...seen].filter((each) => each !== "gap");
  const last = key !== "gap" && rates.length === 1 && seen.has(key); // without any rate the table would be empty
  Object.assign(box, { type: "checkbox", checked: seen.has(key), disabled: last });
  box.dataset.key = "column " + key;
  box.addEventListener("change", () => {
    if (box.checked) seen.add(key);
    else seen.delete(key);
    const hidden = every.map((each) => each.key).filter((each) => !seen.has(each)).join(".");
    choose(hidden === AT_FIRST ? null : hidden || NONE);
  });
  label.append(box, " " + title);
  return label;
}

// A note above the table while it can be scrolled sideways.
export function watchWidth(scroll, ways = "scroll the table, or choose columns.") {
  const note = make("p", "cells-more", "More columns to the right: " + ways);
  const look = () => (note.hidden = scroll.scrollWidth <= scroll.clientWidth);
  note.hidden = true;
  new ResizeObserver(look).observe(scroll);
  new ResizeObserver(look).observe(scroll.firstElementChild);
  return note;
}
