// What a cohort counts, films or studies. Scripts write their sentences about films; where the cohort counts studies, the
// same rule as on the server (explorer/cohorts/counted.py) makes them sentences about studies.

import { countText } from "./figures.js";

const FILM = /(?<![\w./-])([Ff])ilm(s?)(?!\w|[/-]|\.\w)/g; // not within a name such as my-films or films.csv
const WORDED = ["aria-label", "aria-valuetext", "title"];
const WITH_WORDS = "[aria-label], [aria-valuetext], [title]";
// Names of cases, their labels, and what the server has worded.
const LEFT_ALONE = ".small-film, .issue-labels, .what-counts";

/** @typedef {"film" | "study"} Counted */

/** @type {(text: string, counted: Counted) => string} */
export const caseWords = (text, counted) => (counted === "study" ? text.replace(FILM, (_, first, plural) => (first === "F" ? "S" : "s") + (plural ? "tudies" : "tudy")) : text);

/** @type {(count: number, counted: Counted) => string} */
export const casesText = (count, counted) => caseWords(countText(count, "film"), counted);

// Words whatever is drawn in some boxes by what the shown cohort counts.
export class CaseWords {
  /** @param {Iterable<Element>} boxes */
  constructor(boxes) {
    /** @type {Counted} */
    this.counted = "film";
    const observer = new MutationObserver((changes) => this.counted === "study" && changes.forEach((change) => this.handleChange(change)));
    for (const box of boxes) observer.observe(box, { subtree: true, childList: true, characterData: true, attributeFilter: WORDED });
  }

  handleChange({ type, target, addedNodes }) {
    if (type === "childList") addedNodes.forEach((node) => this.wordNode(node));
    else if (type === "attributes") this.wordAttributes(target);
    else this.wordText(target);
  }

  wordNode(node) {
    if (node.nodeType === Node.TEXT_NODE) return this.wordText(node);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) this.wordText(texts.currentNode);
    for (const element of [node, ...node.querySelectorAll(WITH_WORDS)]) this.wordAttributes(element);
  }

  wordText(text) {
    const worded = caseWords(text.data, this.counted);
    if (worded !== text.data && !text.parentElement?.closest(LEFT_ALONE)) text.data = worded;
  }

  wordAttributes(element) {
    if (element.closest(LEFT_ALONE)) return;
    for (const name of WORDED) {
      const value = element.getAttribute(name);
      if (value && caseWords(value, this.counted) !== value) element.setAttribute(name, caseWords(value, this.counted));
    }
  }
}
