// How the class answered, counted.

import { correctWords } from "../shared/correct_words.js";
import { make } from "../shared/elements.js";
import { countText } from "../shared/figures.js";
import { CONFIDENCE_WORDS } from "./answer_words.js";
import { makeSection } from "./reveal_part.js";

/** @param {school.judging.tally.TallyPayload} tally */
export function makeTallyPart({ n, choices, sure, right }) {
  if (!n) return makeSection("The class", make("p", "class-text", "No answers."));
  const list = make("ul", "class-tally");
  list.append(...choices.map(({ words, n: many }) => makeBar(words, many, n)));
  const content = [make("p", "class-text", correctWords(right)), list];
  return makeSection("The class: " + countText(n, "answer"), ...content, make("p", "class-hint", sure.map((many, at) => many + " " + CONFIDENCE_WORDS[at]).join(", ")));
}

function makeBar(words, many, n) {
  const row = make("li", "class-tally-row");
  const length = make("span", "class-bar");
  length.style.width = (100 * many) / n + "%";
  const track = make("span", "class-track");
  track.append(length);
  row.append(make("span", "class-tally-words", words), track, make("span", "class-figure", String(many)));
  return row;
}
