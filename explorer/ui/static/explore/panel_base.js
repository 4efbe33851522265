// What every panel does: requests its slice while it is visible, says that it waits, and shows nothing while labels are
// hidden.

import { AskedAgain } from "../shared/asked_again.js";
import { focusedKey, make } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { differenceTexts, estimateTexts, pText, plural, reachText, shareTexts } from "../shared/figures.js";
import { explained } from "../shared/glossary.js";
import { latest } from "../shared/latest.js";
import { makeWords } from "../shared/refusal.js";
import { subjectOf } from "./address.js";
import { whereFrom } from "./gallery.js";


export class ExplorePanel {
  question = ""; // its server call
  partial = false; // whether results are drawn while the rest is computed
  answer = null;
  asked = "";

  constructor(box, explore) {
    this.box = box;
    this.explore = explore;
    this.turn = 0; // counts the calls of show(): an answer to an earlier one is dropped
    this.again = new AskedAgain(box);
  }

  draw(answer) {
    throw new Error(this.question + " does not draw " + answer.stage);
  }

  async show() {
    const subject = subjectOf(this.explore.state);
    if (this.answer && this.asked === subject) return this.redraw(this.answer); // another order or measure of the same
    this.begin();
    const isLatest = latest(() => this.turn);
    if (this.explore.state.hide) return this.box.replaceChildren(); // not even out of sight
    this.box.setAttribute("aria-busy", "true");
    if (!this.box.firstChild) this.box.append(make("p", "panel-count", "Counting"));
    const answer = await this.explore.ask(this.question, this.extra());
    if (!isLatest() || !answer) return;
    this.box.removeAttribute("aria-busy");
    if (answer.stage === "refused") return this.refused(answer);
    this.asked = subject;
    this.redraw(answer);
    if (answer.computing) this.later();
  }

  redraw(answer) {
    this.answer = answer;
    const place = focusedKey(this.box);
    this.draw(answer);
    if (place) focusKey(this.box, place);
  }

  clear() {
    this.begin();
    this.box.replaceChildren();
  }

  // Stop waiting for anything.
  begin() {
    this.again.stop();
    this.answer = null;
    this.box.removeAttribute("aria-busy");
    this.turn += 1;
  }

  extra() {
    return {};
  }

  // A button; `key` identifies it in the panel, so that it keeps the focus when the panel is drawn again.
  way(text, key, act) {
    const button = make("button", "panel-way", text);
    button.type = "button";
    button.dataset.key = key;
    button.addEventListener("click", act);
    return button;
  }

  // Poll while numbers are computed: request everything again.
  async more() {
    const isLatest = latest(() => this.turn);
    const answer = await this.explore.ask(this.question, this.extra());
    if (!isLatest() || !answer) return;
    if (answer.stage === "refused") return this.refused(answer);
    if (!answer.computing || this.partial) this.redraw(answer);
    if (answer.computing) this.later();
  }

  later() {
    this.again.later(() => this.more());
  }

  refused({ title, detail }) {
    this.answer = null;
    this.explore.panels.stale.add(this.box.dataset.panel); // requested again when the panel is opened again
    this.box.replaceChildren(notice(title, detail));
  }

  // Narrow the slice; a value that is already chosen is removed.
  toggle(changes) {
    const on = Object.entries(changes).every(([name, value]) => (this.explore.state[name] ?? null) === value);
    const off = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
    this.explore.change(on ? off : changes);
  }
}

export function notice(title, detail, ...ways) {
  const box = make("div", "panel-notice");
  box.append(make("p", "panel-notice-title", title), makeWords("p", "panel-notice-detail", detail), ...ways);
  return box;
}

// The sentence of what is counted, with its counts.
/** @param {{sentence?: string, pairs?: number, films?: number}} answer */
export function said({ sentence, pairs, films }) {
  const line = make("p", "panel-said", sentence);
  line.append(make("span", "panel-count", ": " + plural(pairs, "pair") + ", " + plural(films, "film")));
  return line;
}

// What a panel shows, for readers without statistics.
export const plain = (words) => make("p", "panel-plain", words);

let detailsOpen = false; // by the visitor, kept from one slice and panel to the next

// What is behind the figures, folded.
export function details(lines) {
  const box = make("details", "panel-details");
  box.open = detailsOpen;
  box.addEventListener("toggle", () => (detailsOpen = box.open));
  box.append(make("summary", "", "Details"), make("p", "cells-legend", lines.join(" ")));
  return box;
}

// A row of buttons, one of them pressed.
export function choice(label, options, chosen, choose) {
  const group = make("div", "panel-choice");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  for (const [value, words] of options) {
    const button = make("button", "panel-option", words);
    button.type = "button";
    button.dataset.key = label + " " + value;
    button.setAttribute("aria-pressed", String(value === chosen));
    button.addEventListener("click", () => choose(value));
    group.append(explained(button, words));
  }
  return group;
}

export const percent = (fraction) => 100 * Math.min(1, Math.max(0, fraction)) + "%";

export const figure = (estimate) => estimateTexts(estimate)[0];
export const interval = (estimate) => estimateTexts(estimate)[1];
export const chanceWords = (chance) => shareTexts([chance], chance < 0.1 ? 3 : 2)[0];

// A difference with its interval, and a mark where the two sides differ by more than chance; `digits` are the column's.
export function differenceParts(difference, known, digits = 2) {
  const { marked } = difference;
  const [value, interval] = differenceTexts(difference, digits);
  const reach = reachText(interval, !known);
  const parts = [make("span", "cell-value", value), make("span", "cell-interval" + (reach === "computing" ? " computing" : ""), reach)];
  if (!marked) return parts;
  const mark = make("span", "differs-mark", "\u25c6");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", "differs by more than chance explains");
  mark.title = "adjusted p " + pText(difference.p);
  return [...parts, mark];
}

export const OTHER_PREVALENCE = "prevalence differs: not compared";

// A value with its interval on a line from 0 to 1; `chance` is a tick.
export function track({ value, low, high }, chance) {
  const line = make("span", "track");
  if (low !== null && low !== undefined) {
    const reach = make("span", "track-reach");
    Object.assign(reach.style, { left: percent(low), width: percent(high - low) });
    line.append(reach);
  }
  if (chance !== undefined && chance !== null) {
    const tick = make("span", "track-chance");
    tick.style.left = percent(chance);
    line.append(tick);
  }
  const dot = make("span", "track-dot");
  dot.style.left = percent(value);
  line.append(dot);
  return line;
}

export const MEASURES = [
  ["sensitivity", "Sensitivity"],
  ["specificity", "Specificity"],
  ["precision", "AP"],
];
export const MEASURE_WORDS = { sensitivity: "sensitivity", specificity: "specificity", precision: "average precision" };
const GROUP_WORDS = { common: "Common", medium: "Medium", rare: "Rare", "very rare": "Very rare", normal: "Normal", unseen: "Unseen (Task 2)" };
export const groupTitle = (group) => GROUP_WORDS[group] ?? "No group";

export function column(text, className) {
  const cell = make("th", className, text || undefined);
  cell.scope = "col";
  return cell;
}

function focusKey(box, key) {
  const found = [...box.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  found?.focus({ preventScroll: true });
}

// A film as a small button that opens its case.
/** @param {ui.film_line.FilmLinePayload} film */
export function filmButton(film, explore) {
  const button = make("button", "small-film");
  button.type = "button";
  button.dataset.key = "film " + film.id;
  button.setAttribute("aria-label", "Open " + film.case + ", " + whereFrom(film));
  button.title = film.case + "\n" + whereFrom(film) + "\n" + labelWords(film);
  if (!film.thumb) button.append(noFilm(film));
  else {
    const image = make("img", "");
    Object.assign(image, { loading: "lazy", decoding: "async", alt: "", src: film.thumb, width: 72, height: 72 });
    image.addEventListener("error", () => button.replaceChildren(noFilm(film)));
    button.append(image);
  }
  button.addEventListener("click", () => explore.change({ case: film.id }, { keep: true }));
  return button;
}

// The name of the missing film's file.
const noFilm = (film) => make("span", "small-nothing", film.file ?? film.case);

export const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);
