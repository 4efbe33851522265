// The results of a class, film by film: how many answered, and how many of them correctly.

import { correctWords } from "../shared/correct_words.js";
import { make } from "../shared/elements.js";
import { joinWithAnd } from "../shared/figures.js";
import { ResultTable } from "../shared/result_table.js";

/**
 * @param {ui.teach.class_payload.ClassResultsPayload} results
 * @param {HTMLElement} study
 */
export function makeResults({ title, films, table: byFinding, export: command }, study) {
  const box = make("div", "class-results");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Results of the class");
  box.append(makeTable(title, films), ...(byFinding?.again.length ? [makeWorthAnotherLook(byFinding.again)] : []));
  if (byFinding?.rows.some(({ sensitivity, specificity }) => sensitivity[0].n + specificity[0].n)) box.append(new ResultTable(byFinding, make("h4", "", "Against the truth")).box);
  box.append(study, makeExportLine(command));
  return box;
}

function makeTable(title, films) {
  const table = make("table", "class-films-table");
  table.append(make("caption", "", "Correct answers, film by film; from ten answers on with 95 % intervals"));
  const head = make("tr", "");
  for (const words of ["Film", "Question", "Answered", "Correct"]) {
    const cell = make("th", "", words);
    cell.scope = "col";
    head.append(cell);
  }
  const body = make("tbody", "");
  for (const { film, question, answered, right } of films) {
    const row = make("tr", "");
    const name = make("th", "", String(film + 1));
    name.scope = "row";
    const correctText = answered ? correctWords(right) : "nobody answered";
    row.append(name, make("td", "class-question", question), make("td", "class-count", String(answered)), make("td", "", correctText));
    body.append(row);
  }
  const top = make("thead", "");
  top.append(head);
  table.append(top, body);
  return table;
}

// Films that at least half of the class got wrong, the worst first.
function makeWorthAnotherLook(films) {
  const numbers = films.map((film) => String(film + 1));
  return make("p", "class-again", "Worth another look: " + (films.length > 1 ? "films " : "film ") + joinWithAnd(numbers) + ". Half of the answers or more were wrong there.");
}

function makeExportLine(command) {
  const line = make("p", "class-export", "Every answer as a table: ");
  line.append(make("code", "", command));
  return line;
}
