// How the class answered, counted.

import { correctWords } from "../shared/correct_words.js";
import { make } from "../shared/elements.js";
import { plural } from "../shared/figures.js";
import { SURE } from "./answer_words.js";
import { part } from "./reveal_part.js";

/** @param {teaching.tally.TallyPayload} tally */
export function tallyPart({ n, choices, sure, right }) {
  if (!n) return part("The class", make("p", "class-text", "Nobody answered."));
  const list = make("ul", "class-tally");
  list.append(...choices.map(({ words, n: many }) => bar(words, many, n)));
  const said = [make("p", "class-text", correctWords(right)), list];
  return part("The class: " + plural(n, "answer"), ...said, make("p", "class-hint", sure.map((many, at) => many + " " + SURE[at]).join(", ")));
}

function bar(words, many, n) {
  const row = make("li", "class-tally-row");
  const length = make("span", "class-bar");
  length.style.width = (100 * many) / n + "%";
  const track = make("span", "class-track");
  track.append(length);
  row.append(make("span", "class-tally-words", words), track, make("span", "class-figure", String(many)));
  return row;
}
