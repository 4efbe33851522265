// What a class came to, film by film: how many answered, and how many of them rightly, with the interval.

import { make } from "../shared/elements.js";
import { rightWords } from "./class_words.js";

export function showResults({ title, films, export: command }) {
  const box = make("div", "class-results");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Results of the class");
  // Learners, class and models against the truth per finding stand here once they are counted.
  box.append(table(title, films), make("div", "class-by-finding"), saved(command));
  return box;
}

function table(title, films) {
  const table = make("table", "class-films-table");
  table.append(make("caption", "", "Correct answers, film by film, with 95 % intervals"));
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
    const said = answered ? rightWords(right) : "nobody answered";
    row.append(name, make("td", "class-question", question), make("td", "class-count", String(answered)), make("td", "", said));
    body.append(row);
  }
  const top = make("thead", "");
  top.append(head);
  table.append(top, body);
  return table;
}

function saved(command) {
  const line = make("p", "class-export", "Every answer as a table: ");
  line.append(make("code", "", command));
  return line;
}
