// The words beside a film of a class: question, live tally, and after the reveal the truth and the models.

import { correctWords } from "../shared/correct_words.js";
import { plural } from "../shared/figures.js";
import { namedModels } from "../shared/named_models.js";
import { inBrackets } from "../shared/origin_words.js";

const MOST_ROWS = 3; // of a model, and
const MOST_CHOICES = 5; // of a tally: as many as the last row of a room can read beside a film
const NO_FINDING = "no finding"; // as in the tally

// How latecomers join, in the corner.
const doorWords = ({ code, addresses }) => [code, addresses[0]];

// The argument of PresentPanel.show, from a ClassDesk's board, film and results.
/** @returns {{place?: string, corner?: string[], mark?: string, question?: any, tally?: any, lines?: string[], verdict?: object, models?: any}} */
export function saidOf({ board, film, results }) {
  if (!board) return {};
  if (board.stage === "ended") return endWords(board, results);
  if (board.stage === "waiting") return lobbyWords(board);
  const place = "Film " + (board.film + 1) + " of " + board.films;
  const corner = doorWords(board);
  if (film?.film !== board.film) return { place, corner };
  const { question, before, simulated, reveal } = film;
  const said = { place, corner, mark: simulated ? "SIMULATED" : "", question, tally: tallyOf(board, film) };
  if (!reveal) return { ...said, lines: [before].filter(Boolean) };
  return {
    ...said,
    verdict: { words: truthWords(film) },
    lines: [reveal.source && "Source: " + reveal.source + ".", reveal.note].filter(Boolean),
    models: modelsOf(film),
  };
}

// For a question about one finding, the truth need not name it.
function truthWords({ kind, finding, truth }) {
  const words = kind === "point" || kind === "present" ? finding + ": " + truth : truth;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lobbyWords({ title, about, films, learners, own_pace: ownPace }) {
  const pace = ownPace ? "You go at your own pace." : "Films come one by one.";
  return {
    place: title,
    verdict: { words: plural(learners.length, "learner") + " joined" },
    lines: [about, "Open the address or scan the code, then choose a nickname.", plural(films, "film") + ". " + pace].filter(Boolean),
  };
}

function endWords({ title, learners }, results) {
  return { place: title, verdict: { words: "The class has ended" }, lines: [results?.closing, plural(learners.length, "learner") + " joined."].filter(Boolean) };
}

// The short word for how films and training are related: the sentence is too long for a screen.
const originWord = (origin) => origin.split(":")[0];
const modelOf = ({ model, origin, rows }) => ({
  name: model + inBrackets(originWord(origin)),
  rows: rows.slice(0, MOST_ROWS).map((row) => ({ ...row, words: "no outcome" })),
  more: Math.max(0, rows.length - MOST_ROWS),
});

// For a film that names models and asks about one finding, each model has only that row.
function modelsOf({ finding, reveal: { models } }) {
  const named = models.filter(({ title }) => title !== undefined);
  if (!finding || !named.length) return models.filter(({ rows }) => rows.length).map(modelOf);
  return [namedModels(finding, named.flatMap(({ model, origin, rows }) => rows.filter((row) => row.finding === finding).map((row) => ({ ...row, model, origin: originWord(origin) }))))];
}

// Before the reveal it has no choices, because learners could copy them.
function tallyOf({ answered, asked, tally }, film) {
  const choices = tally?.choices ?? [];
  const rows = choices.slice(0, MOST_CHOICES).map(({ words, n }) => ({ words, n, right: isTrue(words, film) }));
  return { n: answered, of: asked, rows, more: choices.length - rows.length, right: film.reveal && answered ? correctWords(tally?.right) : "" };
}

// Whether a choice agrees with the truth; false, too, where the truth is unknown.
export function isTrue(words, { kind, finding, reveal }) {
  if (!reveal) return false;
  const there = (name) => reveal.present.some((each) => each.finding === name);
  if (kind === "findings") return words === NO_FINDING ? reveal.normal === true : there(words);
  if (kind === "normal") return words === (reveal.normal === null ? null : reveal.normal ? "normal" : "not normal");
  if (kind === "present") return words === "present" ? there(finding) : reveal.absent.includes(finding);
  if (kind === "pair") return words === ["first film", "second film"][reveal.pair];
  return words === "not there" && reveal.absent.includes(finding); // a point is judged by its position
}
