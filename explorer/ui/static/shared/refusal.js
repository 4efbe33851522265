// A refusal in the page's words, and texts with commands, which the server puts between backticks.

import { make } from "./elements.js";

const COMMAND = /\x60([^\s\x60](?:[^\x60]*[^\s\x60])?)\x60/; // \x60: a backtick

// What is wrong, and what to do.
export const refusalWords = ({ title, detail }) => title + ". " + detail;

export const showRefusal = (element, refusal) => showWithCommands(element, refusalWords(refusal));

// Commands are set in the code font: a double click selects one without its backticks.
export function showWithCommands(element, words) {
  element.replaceChildren(...splitCommands(words));
}

export function makeWithCommands(tag, className, words) {
  const element = make(tag, className);
  showWithCommands(element, words);
  return element;
}

export function splitCommands(words) {
  return words.split(COMMAND).map((part, at) => (at % 2 ? make("code", "command", part) : part));
}
