// The films of a folder in a table, and the files that were not read.

import { make, makeBreakable } from "../shared/elements.js";
import { NO_FIGURE, countText, scoreText, wholeText } from "../shared/figures.js";
import { FAR_FROM_TEST_FILMS, STATE_WORDS, VERDICT_WORDS } from "../shared/finding_words.js";

export const ORDERS = [
  ["arrival", "the order they came in"],
  ["above", "likely and possible findings"],
];

export class FolderTable {
  // `open(number, name)` opens a film; `sort(order)` changes the order; `pictures(numbers)` fetches thumbnails.
  constructor(section, { open, sort, pictures }) {
    this.section = section;
    this.open = open;
    this.fetchPictures = pictures;
    this.pictures = {};
    this.drawn = "";
    this.listed = "";
    this.chosen = null;
    this.table = section.querySelector(".folder-table");
    this.select = section.querySelector(".folder-sort select");
    this.select.addEventListener("change", () => sort(this.select.value));
    this.table.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-film]");
      if (row) open(Number(row.dataset.film), row.dataset.name);
    });
    section.querySelector(".folder-refused").addEventListener("click", (event) => {
      const button = event.target.closest("button[data-film]");
      if (button) open(Number(button.dataset.film), button.dataset.name);
    });
  }

  clear() {
    this.pictures = {};
    this.drawn = "";
    this.listed = "";
    this.chosen = null;
    this.table.hidden = true;
    this.table.tBodies[0].replaceChildren();
  }

  /** @param {ui.folder.payload.FolderPayload} shown */
  show(shown) {
    this.showOrders(shown);
    this.showRefused(shown);
    const drawn = JSON.stringify([shown.films, shown.order]);
    if (drawn !== this.drawn) this.showFilms(shown);
    this.drawn = drawn;
    this.showPictures(shown.films);
  }

  /** @param {ui.folder.payload.FolderPayload} shown */
  showOrders({ findings, order }) {
    if (this.select.options.length !== ORDERS.length + findings.length) {
      const options = [...ORDERS, ...findings.map((finding) => [finding, finding + "'s score"])];
      this.select.replaceChildren(...options.map(([value, words]) => new Option(words, value)));
    }
    this.select.value = order;
  }

  /** @param {ui.folder.payload.FolderPayload} shown */
  showFilms({ films, order, thresholds }) {
    const focused = document.activeElement?.closest?.("tr[data-film]")?.dataset.film;
    const sorted = films.some((film) => film.score !== null);
    const head = this.table.querySelector(".folder-score");
    const cut = thresholds[order];
    head.textContent = sorted ? order + (cut === undefined ? "" : ", threshold " + scoreText(cut)) : "";
    this.table.hidden = !films.length;
    this.table.classList.toggle("sorted", sorted);
    this.table.classList.toggle("cautious", films.some((film) => film.cautions.length));
    this.table.tBodies[0].replaceChildren(...films.map((film) => this.makeRow(film)));
    this.mark(this.chosen);
    if (focused) this.table.querySelector(`tr[data-film="${focused}"] button`)?.focus({ preventScroll: true });
  }

  /** @param {ui.folder.payload.FolderFilmPayload} film */
  makeRow(film) {
    const row = make("tr", "");
    row.dataset.film = String(film.number);
    row.dataset.name = film.name;
    const picture = make("img", "");
    Object.assign(picture, { alt: "", width: 56, height: 56 });
    if (this.pictures[film.number]) picture.src = this.pictures[film.number];
    const button = make("button", "folder-open");
    button.type = "button";
    button.append(makeBreakable("", film.name));
    const findings = film.flagged.map(({ finding, verdict }) => finding + ": " + VERDICT_WORDS[verdict]);
    const names = findings.join(", ") + (film.more ? " and " + film.more + " more" : "");
    const listed = film.far ? FAR_FROM_TEST_FILMS + (names ? " " + names : "") : "nothing with confidence" + (names ? " (" + names + ")" : "");
    row.append(makeCell("folder-picture", picture), makeCell("folder-name", button));
    row.append(makeCell("folder-above", make("strong", "", film.far ? NO_FIGURE : String(film.confident)), make("span", "", film.confident ? names : listed)));
    row.append(makeCell("folder-score", ...makeScore(film)), makeCell("folder-cautions", film.cautions.join(" ")));
    return row;
  }

  async showPictures(films) {
    const unknown = films.map(({ number }) => number).filter((number) => !(number in this.pictures));
    if (!unknown.length) return;
    for (const number of unknown) this.pictures[number] = ""; // requested once
    Object.assign(this.pictures, await this.fetchPictures(unknown));
    for (const row of this.table.tBodies[0].rows) {
      const address = this.pictures[row.dataset.film];
      const picture = row.querySelector("img");
      if (address && !picture.src) picture.src = address;
    }
  }

  mark(number) {
    this.chosen = number;
    for (const row of this.table.tBodies[0].rows) row.setAttribute("aria-current", String(Number(row.dataset.film) === number));
  }

  /** @param {ui.folder.payload.FolderPayload} shown */
  showRefused({ reasons, refused, not_read: count }) {
    const box = this.section.querySelector(".folder-refused");
    box.hidden = !count;
    const listed = JSON.stringify([reasons, refused.length]);
    if (listed === this.listed) return;
    this.listed = listed;
    box.querySelector("summary").textContent = countText(count, "file") + (count === 1 ? " was" : " were") + " not read";
    const lines = reasons.map(({ reason, files }) => makeLine(make("strong", "", wholeText(files)), make("span", "", reason)));
    box.querySelector(".folder-reasons").replaceChildren(...lines);
    const files = refused.map((file) => this.makeRefusedFile(file));
    if (count > refused.length) files.push(make("li", "", "and " + wholeText(count - refused.length) + " more, all of them in the CSV"));
    box.querySelector(".folder-files").replaceChildren(...files);
  }

  /** @param {ui.folder.payload.RefusedFilePayload} file */
  makeRefusedFile({ name, reason, detail, number }) {
    const words = make("span", "", [reason, detail].filter(Boolean).join(". "));
    if (number === null) return makeLine(makeBreakable("", name), words);
    const button = make("button", "folder-open");
    button.type = "button";
    Object.assign(button.dataset, { film: number, name });
    button.append(makeBreakable("", name));
    return makeLine(button, words);
  }
}

function makeScore({ score: value, state }) {
  if (value === null) return [];
  return [make("strong", "", scoreText(value)), make("span", "folder-state", (state === "above" ? "\u25b2 " : "") + STATE_WORDS[state])];
}

function makeCell(className, ...parts) {
  const place = make("td", className);
  place.append(...parts);
  return place;
}

function makeLine(...parts) {
  const place = make("li", "");
  place.append(...parts);
  return place;
}
