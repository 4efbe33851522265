// A heading that sorts a table: the best first, then reversed. The address holds the column and the direction.

import { make } from "../shared/elements.js";
import { findMeaning, markTerm } from "../shared/glossary.js";

// `falls`: the best is the largest. `usual`: the table is sorted by this column unless the address names another.
export function makeSortHeading(evaluate, { word, title, className, notes, falls }, usual = false) {
  const { by: sortedBy, upside: isReversed } = evaluate.state;
  const on = sortedBy ? sortedBy === word : usual;
  const cell = make("th", className);
  cell.scope = "col";
  const descending = falls !== Boolean(isReversed);
  cell.setAttribute("aria-sort", on ? (descending ? "descending" : "ascending") : "none");
  const button = Object.assign(make("button", "board-sort small", title), { type: "button" });
  button.dataset.key = "sort " + word;
  button.addEventListener("click", () => evaluate.change({ by: word, upside: on && !isReversed ? 1 : null }));
  cell.append(findMeaning(title) ? markTerm(button, title) : button, ...notes);
  return cell;
}
