// Differences between two films by the same model: the findings flagged on only one of them.

import { make } from "../shared/elements.js";
import { countText, scoreText } from "../shared/figures.js";
import { NORMAL, STATE_WORDS } from "../shared/finding_words.js";

const CAUTION = "Two films of one patient differ in position, exposure and depth of breath, too: a changed score does not mean changed disease.";

// {finding, first, second}: rows of both films in different states, the largest change of score first.
export function changedFindings(first, second) {
  const isJudged = (row) => ["above", "unsure", "below"].includes(row?.state);
  const secondRows = new Map(second.map((row) => [row.finding, row]));
  return first
    .filter(({ finding, state }) => finding !== NORMAL && isJudged({ state }) && isJudged(secondRows.get(finding)))
    .map((row) => ({ finding: row.finding, first: row, second: secondRows.get(row.finding) }))
    .filter((each) => each.first.state !== each.second.state)
    .sort((one, other) => scoreDistance(other) - scoreDistance(one));
}

const scoreDistance = ({ first, second }) => Math.abs(second.score - first.score);
const makeWords = (words) => make("p", "between-words muted", words);

// Films that different models read; nothing to say if one was refused.
export function makeNotCompared(films) {
  if (!films.every(({ opinion }) => opinion)) return [];
  const read = films.map(({ opinion, name }) => opinion.model.name + " read " + name);
  return [makeWords(read.join(", ") + ": their scores are not compared.")];
}

// `films`: the two, in the order of the panes; `section`: what was drawn before, whose fold stays as it was.
/** @param {ui.read.study_payload.StudyPayload} answer */
export function makeChanges({ model, headers }, films, choose, section) {
  const notes = headers ? [makeWords("Their headers name one study.")] : [];
  const unread = films.filter(({ opinion }) => !opinion).map(({ name }) => name);
  if (unread.length) return [...notes, makeWords("Two examinations: " + model + " did not read " + unread.join(" and ") + ", so nothing is compared.")];
  const [one, other] = films;
  const rows = changedFindings(one.opinion.rows, other.opinion.rows);
  const between = "From " + one.name + " to " + other.name + ": ";
  if (!rows.length) return [...notes, makeWords(between + "no finding changes its state.")];
  const fold = make("details", "between-fold");
  fold.open = section.querySelector(".between-fold")?.open ?? true;
  const list = make("ul", "between-list");
  for (const each of rows) list.append(makeLine(each, choose));
  const count = countText(rows.length, "finding") + (rows.length === 1 ? " changes its state" : " change their state");
  fold.append(make("summary", "between-head", between + count), list, makeWords(CAUTION));
  return [...notes, fold];
}

function makeLine({ finding, first, second }, choose) {
  const place = make("li", "");
  const button = make("button", "between-finding", finding);
  button.type = "button";
  button.addEventListener("click", () => choose(finding));
  place.append(button, make("span", "between-states muted", stateAndScore(first) + " \u2192 " + stateAndScore(second)));
  return place;
}

const stateAndScore = ({ state, score: value }) => STATE_WORDS[state] + " " + scoreText(value);
