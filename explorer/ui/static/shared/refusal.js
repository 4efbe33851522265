// A refusal as the page says it, and words with the commands in them, which the server puts between backticks.

import { make } from "./elements.js";

const COMMAND = /\x60([^\s\x60](?:[^\x60]*[^\s\x60])?)\x60/; // \x60: a backtick

// What is wrong, and what to do.
export const refusalWords = ({ title, detail }) => title + ". " + detail;

export const showRefusal = (element, refusal) => showWords(element, refusalWords(refusal));

// Commands are in the type of code: whoever marks one with a double click takes no backtick along.
export function showWords(element, words) {
  element.replaceChildren(...withCommands(words));
}

export function makeWords(tag, className, words) {
  const element = make(tag, className);
  showWords(element, words);
  return element;
}

export function withCommands(words) {
  return words.split(COMMAND).map((part, at) => (at % 2 ? make("code", "command", part) : part));
}
