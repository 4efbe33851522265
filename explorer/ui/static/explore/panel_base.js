// What every panel does: requests its slice while it is visible, says that it is waiting, and shows nothing while
// labels are hidden.

import { Polling } from "../shared/asked_again.js";
import { focusedKey, make } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { countText, differenceTexts, estimateTexts, intervalOrReason, pText, shareTexts } from "../shared/figures.js";
import { addMeaning } from "../shared/glossary.js";
import { watchLatest } from "../shared/latest.js";
import { makeWithCommands } from "../shared/refusal.js";
import { filmsKey } from "./address.js";
import { originText } from "./gallery.js";


export class ExplorePanel {
  question = ""; // its server call
  answer = null;
  asked = "";

  constructor(box, explore) {
    this.box = box;
    this.explore = explore;
    this.turn = 0; // counts the calls of show(): an answer to an earlier one is dropped
    this.again = new Polling(box, () => this.poll());
  }

  draw(answer) {
    throw new Error(this.question + " does not draw " + answer.stage);
  }

  async show() {
    const subject = filmsKey(this.explore.state);
    if (this.answer && this.asked === subject) return this.redraw(this.answer); // another order or measure of the same
    this.stopWaiting();
    const isLatest = watchLatest(() => this.turn);
    if (this.explore.state.hide) return this.box.replaceChildren(); // not even out of sight
    this.box.setAttribute("aria-busy", "true");
    if (!this.box.firstChild) this.box.append(make("p", "panel-count muted small", "Counting"));
    const answer = await this.explore.ask(this.question, this.extra());
    if (!isLatest() || !answer) return;
    this.box.removeAttribute("aria-busy");
    if (answer.stage === "refused") return this.showRefusal(answer);
    this.asked = subject;
    this.redraw(answer);
  }

  redraw(answer) {
    this.answer = answer;
    const place = focusedKey(this.box);
    this.draw(answer);
    if (place) focusByKey(this.box, place);
    this.pollWhileComputing();
  }

  pollWhileComputing() {
    if (this.isComputing) this.again.start();
    else this.again.stop();
  }

  // Whether anything that is shown is still being computed.
  get isComputing() {
    return Boolean(this.answer.computing);
  }

  clear() {
    this.stopWaiting();
    this.box.replaceChildren();
  }

  // Stop waiting for anything.
  stopWaiting() {
    this.again.stop();
    this.answer = null;
    this.box.removeAttribute("aria-busy");
    this.turn += 1;
  }

  extra() {
    return {};
  }

  // A button; `key` identifies it in the panel, so that it keeps the focus when the panel is drawn again.
  makeButton(text, key, act) {
    const button = make("button", "panel-way control", text);
    button.type = "button";
    button.dataset.key = key;
    button.addEventListener("click", act);
    return button;
  }

  // Ask for what has been computed since the last answer.
  async poll() {
    const answer = await this.askForMore(this.question, this.extra());
    if (answer && answer.stage !== "unchanged") this.redraw(answer);
  }

  // A further answer about the same films; null where it is refused or other films were chosen.
  async askForMore(question, extra) {
    if (this.asked !== filmsKey(this.explore.state)) return this.again.stop();
    const isLatest = watchLatest(() => this.turn);
    const answer = await this.explore.ask(question, extra);
    if (!isLatest()) return null;
    if (!answer) this.again.stop();
    else if (answer.stage === "refused") this.showFailure(answer);
    else return answer;
    return null;
  }

  showFailure(refusal) {
    this.showRefusal(refusal);
  }

  showRefusal({ title, detail }) {
    this.again.stop();
    this.answer = null;
    this.explore.panels.stale.add(this.box.dataset.panel); // requested again when the panel is opened again
    this.box.replaceChildren(makeNotice(title, detail));
  }

  // Narrow the slice; a value that is already chosen is removed.
  toggle(changes) {
    const isOn = Object.entries(changes).every(([name, value]) => (this.explore.state[name] ?? null) === value);
    const changesOff = Object.fromEntries(Object.keys(changes).map((name) => [name, null]));
    this.explore.change(isOn ? changesOff : changes);
  }
}

export function makeNotice(title, detail, ...buttons) {
  const box = make("div", "panel-notice");
  box.append(make("p", "panel-notice-title", title), makeWithCommands("p", "panel-notice-detail", detail), ...buttons);
  return box;
}

// The sentence on what is counted, with its counts.
/** @param {{sentence?: string, pairs?: number, films?: number}} answer */
export function makeCountedSentence({ sentence, pairs, films }) {
  const line = make("p", "panel-said", sentence);
  line.append(make("span", "panel-count muted small", ": " + countText(pairs, "pair") + ", " + countText(films, "film")));
  return line;
}

// What a panel shows, for readers without statistics.
export const makePlainWords = (words) => make("p", "panel-plain", words);

let detailsOpen = false; // by the visitor, kept from one slice and panel to the next

// What is behind the figures, folded.
export function makeDetails(lines) {
  const box = make("details", "panel-details muted small");
  box.open = detailsOpen;
  box.addEventListener("toggle", () => (detailsOpen = box.open));
  box.append(make("summary", "", "Details"), make("p", "cells-legend muted small", lines.join(" ")));
  return box;
}

// A row of buttons, one of them pressed.
export function makePanelChoice(label, options, chosen, choose) {
  const group = make("div", "panel-choice");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  for (const [value, words] of options) {
    const button = make("button", "panel-option", words);
    button.type = "button";
    button.dataset.key = label + " " + value;
    button.setAttribute("aria-pressed", String(value === chosen));
    button.addEventListener("click", () => choose(value));
    group.append(addMeaning(button, words));
  }
  return group;
}

export const cssPercent = (fraction) => 100 * Math.min(1, Math.max(0, fraction)) + "%";

export const estimateFigureText = (estimate) => estimateTexts(estimate)[0];
export const estimateIntervalText = (estimate) => estimateTexts(estimate)[1];
export const chanceText = (chance) => shareTexts([chance], chance < 0.1 ? 3 : 2)[0];

// A difference with its interval, and a mark where the two sides differ by more than chance; `digits` are the column's.
export function makeDifferenceParts(difference, known, digits = 2) {
  const { marked } = difference;
  const [value, interval] = differenceTexts(difference, digits);
  const intervalText = intervalOrReason(interval, !known);
  const parts = [make("span", "cell-value", value), make("span", "cell-interval muted small" + (intervalText === "computing" ? " computing" : ""), intervalText)];
  if (!marked) return parts;
  const mark = make("span", "differs-mark small", "\u25c6");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", "differs by more than chance explains");
  mark.title = "adjusted p " + pText(difference.p);
  return [...parts, mark];
}

export const PREVALENCE_DIFFERS = "prevalence differs: not compared";

// A value with its interval on a line from 0 to 1; `chance` is a tick.
export function makeTrack({ value, low, high }, chance) {
  const line = make("span", "track");
  if (low !== null && low !== undefined) {
    const reach = make("span", "track-reach");
    Object.assign(reach.style, { left: cssPercent(low), width: cssPercent(high - low) });
    line.append(reach);
  }
  if (chance !== undefined && chance !== null) {
    const tick = make("span", "track-chance");
    tick.style.left = cssPercent(chance);
    line.append(tick);
  }
  const dot = make("span", "track-dot");
  dot.style.left = cssPercent(value);
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

export function makeColumnHeading(text, className) {
  const cell = make("th", className, text || undefined);
  cell.scope = "col";
  return cell;
}

function focusByKey(box, key) {
  const found = [...box.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  found?.focus({ preventScroll: true });
}

// A film as a small button that opens its case.
/** @param {ui.shared.film_line.FilmLinePayload} film */
export function makeFilmButton(film, explore) {
  const button = make("button", "small-film");
  button.type = "button";
  button.dataset.key = "film " + film.id;
  button.setAttribute("aria-label", "Open " + film.case + ", " + originText(film));
  button.title = film.case + "\n" + originText(film) + "\n" + labelWords(film);
  if (!film.thumb) button.append(makeMissingFilm(film));
  else {
    const image = make("img", "");
    Object.assign(image, { loading: "lazy", decoding: "async", alt: "", src: film.thumb, width: 72, height: 72 });
    image.addEventListener("error", () => button.replaceChildren(makeMissingFilm(film)));
    button.append(image);
  }
  button.addEventListener("click", () => explore.change({ case: film.id }, { keep: true }));
  return button;
}

// The name of the missing film's file.
const makeMissingFilm = (film) => make("span", "small-nothing muted", film.file ?? film.case);

export const upperFirst = (text) => text.charAt(0).toUpperCase() + text.slice(1);
