// The head of the table: the centers of its columns, and the buttons that sort the findings. `shown`: {table, measure,
// several, gaps, sort, without}, the server's answer and how it is shown.

import { make } from "../shared/elements.js";
import { NEGATIVES, plural } from "../shared/figures.js";
import { term } from "../shared/glossary.js";
import { originsOf } from "../shared/origin_words.js";
import { hasGap, rateColumns } from "./cell_columns.js";
import { gapTitle } from "./cell_words.js";
import { column } from "./panel_base.js";

const ORDER_WORDS = { gap: "Largest difference first", positives: "Most positives first", finding: "A to Z" };

export function cellHeader(shown) {
  const { table, several, gaps } = shown;
  const columns = rateColumns(shown);
  const head = make("thead", "");
  const row = make("tr", "");
  if (!several) head.append(owner(table, table.centers[0], columns.length));
  const [finding, positives] = [sorting(shown, "Finding", "finding", "cells-finding"), sorting(shown, "n+", "positives", "cells-count")];
  if (gaps) row.append(together(finding, positives));
  else row.append(finding, positives, column(NEGATIVES, "cells-count"));
  if (hasGap(shown)) row.append(sorting(shown, gapTitle(table), "gap", "cells-gap"));
  for (const { title, sort, center } of columns) {
    const cell = sort ? sorting(shown, title, sort, "cells-rate") : column(title, "cells-rate");
    if (center) cell.append(...about(table, center));
    else if (several && originsOf(table.centers)) cell.append(make("span", "cells-tag", originsOf(table.centers)));
    row.append(cell);
  }
  head.append(row);
  return head;
}

// Beside differences there is no room for a column of counts: they stand below the names.
function together(cell, other) {
  if (cell.getAttribute("aria-sort") === "none") cell.setAttribute("aria-sort", other.getAttribute("aria-sort"));
  cell.append(" ", ...other.childNodes);
  return cell;
}

// The only center of the table, over its measures.
function owner(table, center, columns) {
  const row = make("tr", "cells-owner");
  const cell = column("", "cells-rate");
  cell.colSpan = columns;
  if (center) cell.append(make("span", "cells-center", center.name), ...about(table, center));
  const empty = make("td", "cells-finding");
  empty.colSpan = 3;
  row.append(empty, cell);
  return row;
}

function about({ unit }, { films, labelled, origin, meaning }) {
  const words = [make("span", "cells-films", plural(films, "film"))];
  if (origin) words.push(Object.assign(make("span", "cells-tag", origin), { title: meaning }));
  if (!labelled) words.push(make("span", "cells-tag", "no labels: " + unit + " shift only"));
  return words;
}

function sorting(shown, title, sort, className) {
  const cell = column("", className);
  const button = make("button", "cells-sort", title);
  button.type = "button";
  button.dataset.sort = button.dataset.key = sort;
  const on = shown.sort === sort;
  cell.setAttribute("aria-sort", !on ? "none" : ["positives", "gap"].includes(sort) ? "descending" : "ascending");
  button.classList.toggle("on", on);
  button.title = on ? "Back to head to tail" : ORDER_WORDS[sort] ?? "Worst first";
  cell.append(term(button, title));
  return cell;
}
