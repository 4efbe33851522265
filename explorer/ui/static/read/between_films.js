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

// `films`: the two, in the order of the panes; null while one of them has not been read. `choose(finding)`.
export function showChanged(section, films, choose) {
  section.hidden = !films;
  if (!films) return;
  const [one, other] = films;
  if (one.opinion.model.name !== other.opinion.model.name) {
    const words = one.opinion.model.name + " read " + one.name + ", " + other.opinion.model.name + " read " + other.name + ": their scores are not compared.";
    return section.replaceChildren(make("p", "between-words muted", words));
  }
  const rows = changedFindings(one.opinion.rows, other.opinion.rows);
  const between = "From " + one.name + " to " + other.name + ": ";
  if (!rows.length) return section.replaceChildren(make("p", "between-words muted", between + "no finding changes its state."));
  const fold = make("details", "between-fold");
  fold.open = section.querySelector("details")?.open ?? true;
  const list = make("ul", "between-list");
  for (const each of rows) list.append(makeLine(each, choose));
  const count = countText(rows.length, "finding") + (rows.length === 1 ? " changes its state" : " change their state");
  fold.append(make("summary", "between-head", between + count), list, make("p", "between-words muted", CAUTION));
  section.replaceChildren(fold);
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
