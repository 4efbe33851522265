// The head of the table: the centers of its columns, and the buttons that sort the findings. `shown`: {table, measure,
// several, gaps, sort, without}, the server's answer and how it is shown.

import { make } from "../shared/elements.js";
import { NEGATIVES_HEAD, countText } from "../shared/figures.js";
import { markTerm } from "../shared/glossary.js";
import { originWords } from "../shared/origin_words.js";
import { shownRateColumns, showsDifference } from "./cell_columns.js";
import { gapHeading } from "./cell_words.js";
import { makeColumnHeading } from "./panel_base.js";

const SORT_TITLES = { gap: "Largest difference first", positives: "Most positives first", finding: "A to Z" };

export function makeCellHeader(display) {
  const { table, several, gaps } = display;
  const columns = shownRateColumns(display);
  const head = make("thead", "");
  const row = make("tr", "");
  if (!several) head.append(makeOnlyCenterRow(table, table.centers[0], columns.length));
  const [finding, positives] = [makeSortHeading(display, "Finding", "finding", "cells-finding"), makeSortHeading(display, "n+", "positives", "cells-count")];
  if (gaps) row.append(appendTo(finding, positives));
  else row.append(finding, positives, makeColumnHeading(NEGATIVES_HEAD, "cells-count"));
  if (showsDifference(display)) row.append(makeSortHeading(display, gapHeading(table), "gap", "cells-gap"));
  for (const { title, sort, center } of columns) {
    const cell = sort ? makeSortHeading(display, title, sort, "cells-rate") : makeColumnHeading(title, "cells-rate");
    if (center) cell.append(...makeCenterNote(table, center));
    else if (several && originWords(table.centers)) cell.append(make("span", "cells-tag", originWords(table.centers)));
    row.append(cell);
  }
  head.append(row);
  return head;
}

// Beside differences there is no room for a column of counts: the counts are below the names.
function appendTo(cell, other) {
  if (cell.getAttribute("aria-sort") === "none") cell.setAttribute("aria-sort", other.getAttribute("aria-sort"));
  cell.append(" ", ...other.childNodes);
  return cell;
}

// The only center of the table, over its measures.
function makeOnlyCenterRow(table, center, columns) {
  const row = make("tr", "cells-owner");
  const cell = makeColumnHeading("", "cells-rate");
  cell.colSpan = columns;
  if (center) cell.append(make("span", "cells-center", center.name), ...makeCenterNote(table, center));
  const empty = make("td", "cells-finding");
  empty.colSpan = 3;
  row.append(empty, cell);
  return row;
}

function makeCenterNote({ unit }, { films, labelled, origin, meaning }) {
  const words = [make("span", "cells-films", countText(films, "film"))];
  if (origin) words.push(Object.assign(make("span", "cells-tag", origin), { title: meaning }));
  if (!labelled) words.push(make("span", "cells-tag", "no labels: " + unit + " shift only"));
  return words;
}

function makeSortHeading(display, title, sort, className) {
  const cell = makeColumnHeading("", className);
  const button = make("button", "cells-sort", title);
  button.type = "button";
  button.dataset.sort = button.dataset.key = sort;
  const on = display.sort === sort;
  cell.setAttribute("aria-sort", !on ? "none" : ["positives", "gap"].includes(sort) ? "descending" : "ascending");
  button.classList.toggle("on", on);
  button.title = on ? "Back to head to tail" : SORT_TITLES[sort] ?? "Worst first";
  cell.append(markTerm(button, title));
  return cell;
}
