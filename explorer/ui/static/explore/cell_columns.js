// Which columns of the table are shown. The address names the hidden ones, so that a center added later is shown. By
// default the difference of the centers is hidden.

import { make } from "../shared/elements.js";
import { gapHeading } from "./cell_words.js";
import { MEASURES } from "./panel_base.js";

const FEWEST_COLUMNS = 3; // columns from which the chooser is offered

const HIDDEN_BY_DEFAULT = "gap";
const NONE_HIDDEN = "none";

// The keys of the columns that a state hides. The column that the table is sorted by is always shown.
export const hiddenColumns = ({ without, sort }) => new Set((without ?? (sort === HIDDEN_BY_DEFAULT ? NONE_HIDDEN : HIDDEN_BY_DEFAULT)).split("."));

// The columns of rates, shown or not: what each shows and its center.
function allRateColumns({ table: { centers }, measure, several, gaps }) {
  if (!several) return MEASURES.map(([each, title]) => ({ key: each, measure: each, title, at: 0, sort: each }));
  const all = { key: "all", measure, title: "All labeled", at: null, sort: measure };
  const sort = (center) => (!gaps && center.labelled ? measure : undefined); // all labeled films are from one center
  const each = centers.map((center, at) => ({ key: center.id, measure, title: center.name, at, center, sort: sort(center) }));
  return gaps ? [all, ...each] : each;
}

// The shown ones: at least one rate.
export function shownRateColumns(display) {
  const every = allRateColumns(display);
  const notHidden = every.filter(({ key }) => !display.without.has(key));
  return notHidden.length ? notHidden : every;
}

export const showsDifference = ({ gaps, without }) => gaps && !without.has("gap");

let chooserOpen = false; // by the visitor, kept from one drawing of the table to the next

// A button that unfolds a check box for each column; null where there are few. `choose(word)` puts the choice in the
// address.
export function makeColumnChooser(display, choose) {
  const gap = display.gaps ? [{ key: "gap", title: gapHeading(display.table) }] : [];
  const every = [...gap, ...allRateColumns(display)];
  if (every.length < FEWEST_COLUMNS) return null;
  const seen = new Set([...(showsDifference(display) ? ["gap"] : []), ...shownRateColumns(display).map(({ key }) => key)]);
  const box = make("details", "cells-columns");
  box.open = chooserOpen;
  bindFold(box, (isOpen) => (chooserOpen = isOpen));
  const summary = make("summary", "", seen.size === every.length ? "Columns" : "Columns: " + seen.size + " of " + every.length);
  summary.dataset.key = "columns";
  const list = make("div", "cells-columns-list");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", "Columns of the table");
  for (const each of every) list.append(makeOption(each, seen, every, choose));
  box.append(summary, list);
  return box;
}

// `keep(isOpen)` is called at once when a box of choices opens or closes, because the table may be drawn again
// before the browser's own event. Escape closes it, with the focus on its summary.
export function bindFold(box, keep) {
  box.addEventListener("click", ({ target }) => target.closest("summary") && keep(!box.open));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    keep(false);
    box.querySelector("summary").focus();
  });
}

function makeOption({ key, title }, seen, every, choose) {
  const label = make("label", "cells-columns-option flex-row");
  const box = make("input", "");
  const rates = [...seen].filter((each) => each !== "gap");
  const last = key !== "gap" && rates.length === 1 && seen.has(key); // without any rate the table would be empty
  Object.assign(box, { type: "checkbox", checked: seen.has(key), disabled: last });
  box.dataset.key = "column " + key;
  box.addEventListener("change", () => {
    if (box.checked) seen.add(key);
    else seen.delete(key);
    const hidden = every.map((each) => each.key).filter((each) => !seen.has(each)).join(".");
    choose(hidden === HIDDEN_BY_DEFAULT ? null : hidden || NONE_HIDDEN);
  });
  label.append(box, " " + title);
  return label;
}

// A note above the table while it can be scrolled sideways.
export function makeScrollNote(scroll, advice = "scroll the table, or choose columns.") {
  const note = make("p", "cells-more", "More columns to the right: " + advice);
  const look = () => (note.hidden = scroll.scrollWidth <= scroll.clientWidth);
  note.hidden = true;
  new ResizeObserver(look).observe(scroll);
  new ResizeObserver(look).observe(scroll.firstElementChild);
  return note;
}
