// A learner's own sheet: how many answers were right, each film, which films to look at again, and the sheet as a file.

import { make } from "../shared/elements.js";
import { ResultTable } from "../shared/result_table.js";
import { makeHeading, makeUnsentWarning, splitParagraphs } from "./doors.js";
import { makeRevealButton, makeSection } from "./reveal_part.js";
import { correctWords } from "../shared/correct_words.js";

const JUDGED_WORDS = new Map([[true, "correct"], [false, "not correct"], [null, "not judged"]]);

/**
 * @param {any} room
 * @param {school.classroom.sheet.SheetPayload} sheet
 */
export function makeSheetScreen(room, sheet) {
  const screen = make("section", "class-sheet");
  const scrolled = make("div", "class-scrolled");
  scrolled.tabIndex = 0;
  scrolled.setAttribute("role", "region");
  scrolled.setAttribute("aria-label", "My sheet");
  const ended = room.state.stage === "ended";
  scrolled.append(
    make("p", "class-legend", sheet.title + (ended ? ". The class has ended" : "")),
    makeHeading(correctWords(sheet.right)),
    ...splitParagraphs(room.state.closing ?? ""),
    ...makeLookAgain(room, sheet.again),
    ...(ended ? makeUnsentWarning(room.unsent) : []),
    ...makeTableByFinding(sheet.table),
    makeSection("Film by film", makeFilmList(room, sheet.rows)),
  );
  screen.append(scrolled, makeRevealButton("Save my sheet", () => saveSheet(room.transport)));
  return { element: screen };
}

// The learner's answers beside the models', by finding and frequency group.
function makeTableByFinding(table) {
  const hasCounts = table.rows.some(({ sensitivity, specificity }) => sensitivity[0].n + specificity[0].n);
  return hasCounts ? [new ResultTable(table, make("h3", "class-part-title", "You and the models, by finding"), true).box] : [];
}

function makeLookAgain(room, films) {
  if (!films.length) return [];
  const row = make("div", "class-look-back");
  row.append(...films.map((film) => makeFilmButton(room, film)));
  return [makeSection("Look at again", row)];
}

function makeFilmButton(room, film) {
  const button = make("button", "class-film-button", String(film + 1));
  Object.assign(button, { type: "button", ariaLabel: "Film " + (film + 1) });
  button.addEventListener("click", () => room.goTo(film));
  return button;
}

function makeFilmList(room, rows) {
  const list = make("ol", "class-sheet-rows");
  list.append(...rows.map((row) => {
    const item = make("li", "class-sheet-row");
    const words = make("div", "class-sheet-words");
    words.append(
      make("p", "class-legend", row.question),
      make("p", "class-text", "You: " + (row.answer ? row.answer + ", " + row.sure : "no answer")),
      make("p", "class-text", "Truth: " + row.truth),
    );
    item.append(makeFilmButton(room, row.film), words, make("span", "class-hint", JUDGED_WORDS.get(row.right)));
    return item;
  }));
  return list;
}

async function saveSheet(transport) {
  const { href, name } = await transport.sheetFile();
  const link = Object.assign(document.createElement("a"), { href, download: name });
  link.click();
}
