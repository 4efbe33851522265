// Parts of the section Reviews: fields, boxes and tables.

import { make } from "../shared/elements.js";

/** @param {HTMLInputElement | HTMLSelectElement} control */
export function makeField(words, control) {
  const label = make("label", "review-field");
  label.append(make("span", "", words), control);
  return label;
}

export function makeBox(name, checked) {
  const label = make("label", "review-box");
  label.append(Object.assign(document.createElement("input"), { type: "checkbox", value: name, checked }), make("span", "", name));
  return label;
}

export function makeTable(header, rows) {
  const table = make("table", "review-table");
  const head = make("tr", "");
  head.append(...header.map((words) => Object.assign(make("th", "", words), { scope: "col" })));
  const body = rows.map((cells) => {
    const row = make("tr", "");
    row.append(...cells.map((cell, at) => (at ? make("td", "", cell) : Object.assign(make("th", "", cell), { scope: "row" }))));
    return row;
  });
  table.createTHead().append(head);
  table.createTBody().append(...body);
  return table;
}

/** @param {ui.teach.review_payload.ReviewGridPayload[]} grids */
export function makeGrids(grids) {
  return grids.flatMap((grid) => [make("h4", "", grid.title), makeScroll(grid), ...grid.notes.map((words) => make("p", "muted", words))]);
}

// A table that scrolls within its own width.
function makeScroll({ title, header, rows }) {
  const box = make("div", "review-scroll");
  Object.assign(box, { tabIndex: 0 });
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", title);
  box.append(makeTable(header, rows));
  return box;
}
