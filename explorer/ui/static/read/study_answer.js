// The answer about two films of one study: who read what, the flagged findings by the study's score, and the limits.

import { make } from "../shared/elements.js";
import { NO_FIGURE, scoreText } from "../shared/figures.js";
import { VERDICT_WORDS, isBeingCompared, isFarFromTestFilms } from "../shared/finding_words.js";

const RULES = {
  maximum: {
    by: "the higher of the two scores",
    caution: "Thresholds were chosen on single films: the higher of two scores is flagged more often than one film's.",
  },
  mean: {
    by: "the mean of the two scores",
    caution: "Thresholds were chosen on single films, not on the mean of two.",
  },
};

const WEAK_VERDICTS = ["seldom correct", "unreliable"];
const ALSO_FLAGGED = "Also flagged, but seldom correct or unreliable";

// Which films count. `films`: in the order of the answer.
/** @param {ui.read.study_payload.StudyPayload} answer */
export function studyHead({ model, films: parts }, films) {
  const head = "One study, 2 films: " + model;
  const places = parts.flatMap((part, place) => (part === "read" ? [place] : []));
  if (places.length === 2) return head + " read both.";
  if (!places.length) return head + " reads neither, so the study has no score.";
  const other = 1 - places[0];
  const isLateral = films[other].film.view === "lateral";
  const name = isLateral ? "the lateral" : films[other].name;
  const why = { lateral: " is not read by this model", refused: " was refused", "read anyway": " was read anyway and does not count" };
  const read = isLateral ? "the frontal film" : films[places[0]].name;
  return head + " read " + read + "; " + name + why[parts[other]] + ". The study's scores are those of " + read + ".";
}

// `section`: what was drawn before, whose fold stays as it was.
/** @param {ui.read.study_payload.StudyPayload} answer */
export function makeStudy(answer, films, choose, section) {
  const words = (text) => make("p", "between-words muted", text);
  /** @type {HTMLElement[]} */
  const parts = [make("p", "between-head", studyHead(answer, films))];
  const read = films.filter((each, place) => answer.films[place] === "read");
  if (answer.headers === false) parts.push(words("Their headers name two examinations."));
  if (read.length < 2) return parts;
  if (read.some(isBeingCompared)) return [...parts, words("Comparing with the test films\u2026")];
  const { main, weak, far } = flaggedParts(answer, films);
  const caption = "Flagged by " + RULES[answer.rule].by + " (" + main.length + ")";
  if (main.length) parts.push(makeTable(caption, main, films, !far.length, choose));
  else parts.push(words(noneFlaggedWords(answer, weak)));
  if (weak.length) parts.push(makeFold(weak, films, choose, section));
  const uncertain = uncertainWords(answer);
  if (uncertain) parts.push(words(uncertain));
  const bold = answer.rule === "maximum" && main.length + weak.length ? " In bold: the film that decides." : "";
  return [...parts, ...far.map(words), words(RULES[answer.rule].caution + bold)];
}

// The flagged findings, apart from them those whose flags are seldom right or unreliable, and a sentence for each film
// that is unlike the test films, where no verdict holds.
function flaggedParts({ findings }, films) {
  const far = films.filter(isFarFromTestFilms).map(({ name }) => name + " is unlike the test films: error rates may not apply.");
  const flagged = findings.filter(({ state }) => state === "above");
  const weak = far.length ? [] : flagged.filter(({ verdict }) => WEAK_VERDICTS.includes(verdict));
  return { main: flagged.filter((each) => !weak.includes(each)), weak, far };
}

function noneFlaggedWords({ thresholds }, weak) {
  if (weak.length) return "No finding is flagged with confidence.";
  return thresholds ? "No finding is flagged." : "No threshold is known: compare the films' scores.";
}

function uncertainWords({ findings }) {
  const names = findings.filter(({ state }) => state === "unsure").map(({ finding }) => finding);
  return names.length ? "Uncertain: " + names.join(", ") + "." : "";
}

function makeFold(weak, films, choose, section) {
  const fold = make("details", "study-fold");
  fold.open = section.querySelector(".study-fold")?.open ?? false;
  const summary = make("summary", "between-words muted", ALSO_FLAGGED + " (" + weak.length + ")");
  fold.append(summary, makeTable("", weak, films, true, choose));
  return fold;
}

// `verdicts`: whether the verdicts on single films are shown.
function makeTable(caption, flagged, films, verdicts, choose) {
  const table = make("table", "study-findings");
  const views = films.map(({ film }) => film.view);
  const areTold = views[0] !== views[1] && !views.includes("unknown"); // the views tell the films apart
  const head = make("tr", "");
  for (const [words, title] of [["Finding", ""], ["Study", ""], ...films.map(({ name }, at) => [areTold ? views[at] : "Film " + (at + 1), name])]) {
    head.append(Object.assign(make("th", "", words), { scope: "col", title }));
  }
  const body = make("tbody", "");
  body.append(...flagged.map((each) => makeRow(each, verdicts, choose)));
  if (caption) table.append(make("caption", "", caption));
  table.append(make("thead", ""), body);
  table.tHead.append(head);
  return table;
}

/** @param {ui.read.study_payload.StudyFindingPayload} each */
function makeRow({ finding, score, verdict, scores, decided }, verdicts, choose) {
  const row = make("tr", "");
  const name = Object.assign(make("th", ""), { scope: "row" });
  const button = make("button", "between-finding", finding);
  button.type = "button";
  button.addEventListener("click", () => choose(finding));
  name.append(button);
  if (verdict && verdicts) name.append(make("span", "study-verdict muted", VERDICT_WORDS[verdict]));
  row.append(name, make("td", "", scoreText(score)));
  scores.forEach((own, place) => {
    const cell = make("td", place === decided ? "decides" : "muted", own === null ? NO_FIGURE : scoreText(own));
    if (place === decided) cell.append(make("span", "spoken", ", decides"));
    row.append(cell);
  });
  return row;
}

// One line for the printed report.
/** @param {ui.read.study_payload.StudyPayload} answer */
export function studySummary(answer, films) {
  const head = studyHead(answer, films);
  if (answer.films.filter((part) => part === "read").length < 2) return head;
  const { main, weak, far } = flaggedParts(answer, films);
  const names = (rows) => rows.map(({ finding, score }) => finding + " " + scoreText(score)).join(", ");
  const found = main.length ? "Flagged by " + RULES[answer.rule].by + ": " + names(main) + "." : noneFlaggedWords(answer, weak);
  const also = weak.length ? ALSO_FLAGGED + ": " + names(weak) + "." : "";
  return [head, found, also, uncertainWords(answer), ...far, RULES[answer.rule].caution].filter(Boolean).join(" ");
}
