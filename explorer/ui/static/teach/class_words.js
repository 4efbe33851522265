// The words beside a film of a class: question, live tally, and after the reveal the truth and the models.

import { correctWords } from "../shared/correct_words.js";
import { countText } from "../shared/figures.js";
import { scoreTableOf } from "../shared/named_models.js";
import { bracketed } from "../shared/origin_words.js";

const MOST_ROWS = 3; // of a model, and
const MOST_CHOICES = 5; // of a tally: as many as the back row of a room can read beside a film
const NO_FINDING = "no finding"; // as in the tally

// How latecomers join, in the corner.
const joinLines = ({ code, addresses }) => [code, addresses[0]];

// The argument of PresentPanel.show, from a ClassDesk's board, film and results.
/** @returns {{place?: string, corner?: string[], mark?: string, question?: any, tally?: any, lines?: string[], verdict?: object, models?: any}} */
export function presentedClass({ board, film, results }) {
  if (!board) return {};
  if (board.stage === "ended") return endWords(board, results);
  if (board.stage === "waiting") return lobbyWords(board);
  const place = "Film " + (board.film + 1) + " of " + board.films;
  const corner = joinLines(board);
  if (film?.film !== board.film) return { place, corner };
  const { question, before, simulated, reveal } = film;
  const content = { place, corner, mark: simulated ? "SIMULATED" : "", question, tally: presentedTally(board, film) };
  if (!reveal) return { ...content, lines: [before, secondWords(board)].filter(Boolean) };
  return {
    ...content,
    verdict: { words: truthWords(film) },
    lines: [secondResult(board), reveal.source && "Source: " + reveal.source + ".", reveal.note].filter(Boolean),
    models: presentedModels(film),
  };
}

// If the question is about one finding, the truth need not name it.
function truthWords({ kind, finding, truth }) {
  const words = kind === "point" || kind === "present" ? finding + ": " + truth : truth;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function lobbyWords({ title, about, films, learners, own_pace: ownPace }) {
  const pace = ownPace ? "You go at your own pace." : "Films come one by one.";
  return {
    place: title,
    verdict: { words: countText(learners.length, "learner") + " joined" },
    lines: [about, "Open the address or scan the code, then choose a nickname.", countText(films, "film") + ". " + pace].filter(Boolean),
  };
}

function endWords({ title, learners }, results) {
  return { place: title, verdict: { words: "The class has ended" }, lines: [results?.closing, countText(learners.length, "learner") + " joined."].filter(Boolean) };
}

// How many have answered again after seeing the model, where it answers.
const secondWords = ({ again }) => (again === null ? "" : again + " answered again with the model.");

// How the second answers fared; the tally has the first ones.
const secondResult = ({ again_right: right }) => (right?.n ? "With the model: " + correctWords(right) + "." : "");

// The short word for how films and training are related: the sentence is too long for a screen.
const originWord = (origin) => origin.split(":")[0];
const presentedModel = ({ model, origin, rows }) => ({
  name: model + bracketed(originWord(origin)),
  rows: rows.slice(0, MOST_ROWS).map((row) => ({ ...row, words: "no outcome" })),
  more: Math.max(0, rows.length - MOST_ROWS),
});

// For a film that names models and asks about one finding, each model has only that row.
function presentedModels({ finding, reveal: { models } }) {
  const namedByPlaylist = models.filter(({ title }) => title !== undefined);
  if (!finding || !namedByPlaylist.length) return models.filter(({ rows }) => rows.length).map(presentedModel);
  return [scoreTableOf(finding, namedByPlaylist.flatMap(({ model, origin, rows }) => rows.filter((row) => row.finding === finding).map((row) => ({ ...row, model, origin: originWord(origin) }))))];
}

// Before the reveal it has no choices, because learners could copy them.
function presentedTally({ answered, asked, tally }, film) {
  const choices = tally?.choices ?? [];
  const rows = choices.slice(0, MOST_CHOICES).map(({ words, n }) => ({ words, n, right: agreesWithTruth(words, film) }));
  return { n: answered, of: asked, rows, more: choices.length - rows.length, right: film.reveal && answered ? correctWords(tally?.right) : "" };
}

// Whether a choice agrees with the truth; false, too, where the truth is unknown.
export function agreesWithTruth(words, { kind, finding, reveal }) {
  if (!reveal) return false;
  const isPresent = (name) => reveal.present.some((each) => each.finding === name);
  if (kind === "findings") return words === NO_FINDING ? reveal.normal === true : isPresent(words);
  if (kind === "normal") return words === (reveal.normal === null ? null : reveal.normal ? "normal" : "not normal");
  if (kind === "present") return words === "present" ? isPresent(finding) : reveal.absent.includes(finding);
  if (kind === "pair") return words === ["first film", "second film"][reveal.pair];
  return words === "not there" && reveal.absent.includes(finding); // a point is judged by its position
}
