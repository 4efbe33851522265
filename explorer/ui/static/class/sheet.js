// A learner's own sheet: how many answers were right, each film, which films to look at again, and the sheet as a file.

import { make } from "../shared/elements.js";
import { ResultTable } from "../shared/result_table.js";
import { heading, paragraphs, unsentWords } from "./doors.js";
import { button, part } from "./reveal_part.js";
import { correctWords } from "../shared/correct_words.js";

const WORDS = new Map([[true, "correct"], [false, "not correct"], [null, "not judged"]]);

/**
 * @param {any} room
 * @param {classroom.sheet.SheetPayload} sheet
 */
export function sheetScreen(room, sheet) {
  const screen = make("section", "class-sheet");
  const scrolled = make("div", "class-scrolled");
  scrolled.tabIndex = 0;
  scrolled.setAttribute("role", "region");
  scrolled.setAttribute("aria-label", "My sheet");
  const ended = room.state.stage === "ended";
  scrolled.append(
    make("p", "class-legend", sheet.title + (ended ? ". The class has ended" : "")),
    heading(correctWords(sheet.right)),
    ...paragraphs(room.state.closing ?? ""),
    ...again(room, sheet.again),
    ...(ended ? unsentWords(room.unsent) : []),
    ...byFinding(sheet.table),
    part("Film by film", list(room, sheet.rows)),
  );
  screen.append(scrolled, button("Save my sheet", () => save(room.transport)));
  return { element: screen };
}

// The learner's answers beside the models', by finding and frequency group.
function byFinding(table) {
  const counted = table.rows.some(({ sensitivity, specificity }) => sensitivity[0].n + specificity[0].n);
  return counted ? [new ResultTable(table, make("h3", "class-part-title", "You and the models, by finding"), true).box] : [];
}

function again(room, films) {
  if (!films.length) return [];
  const row = make("div", "class-look-back");
  row.append(...films.map((film) => filmButton(room, film)));
  return [part("Look at again", row)];
}

function filmButton(room, film) {
  const made = make("button", "class-film-button", String(film + 1));
  Object.assign(made, { type: "button", ariaLabel: "Film " + (film + 1) });
  made.addEventListener("click", () => room.go(film));
  return made;
}

function list(room, rows) {
  const made = make("ol", "class-sheet-rows");
  made.append(...rows.map((row) => {
    const item = make("li", "class-sheet-row");
    const said = make("div", "class-sheet-words");
    said.append(
      make("p", "class-legend", row.question),
      make("p", "class-text", "You: " + (row.answer ? row.answer + ", " + row.sure : "no answer")),
      make("p", "class-text", "Truth: " + row.truth),
    );
    item.append(filmButton(room, row.film), said, make("span", "class-hint", WORDS.get(row.right)));
    return item;
  }));
  return made;
}

async function save(transport) {
  const { href, name } = await transport.sheetFile();
  const link = Object.assign(document.createElement("a"), { href, download: name });
  link.click();
}
