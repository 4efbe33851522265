// The reveal of a film: the learner's answer judged, the truth with its source, the teacher's note, the class, models,
// nearest cases.

import { make } from "../shared/elements.js";
import { countText } from "../shared/figures.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { makeOwnAnswer, makeSecondLine } from "./answered.js";
import { makeHeading, splitParagraphs } from "./doors.js";
import { makeLookBack } from "./look_back.js";
import { makeModelParts } from "./models_say.js";
import { FilmOverlays } from "./on_film.js";
import { makeRevealButton, makeSection } from "./reveal_part.js";
import { makeTallyPart } from "./tally.js";

// "Right" is a side of the patient here.
const VERDICT_WORDS = new Map([[true, "Correct."], [false, "Not correct."], [null, "Cannot be judged: the correct answer is not known."]]);

// A film that was chosen for one finding may have others.
function verdictWords({ right, credit }) {
  if (right && credit < 1 && credit !== null) return "Correct: you found what this film was chosen for.";
  return right === false && credit > 0 ? "Partly correct." : VERDICT_WORDS.get(right);
}

/**
 * @param {any} room
 * @param {any} question
 * @param {any} side
 * @param {school.classroom.payloads.LearnerRevealPayload} revealed
 */
export function makeRevealPart(room, question, side, { reveal, judged, answer, again, tally }) {
  const panel = make("section", "class-panel class-reveal");
  const scrolled = make("div", "class-scrolled");
  Object.assign(scrolled, { tabIndex: 0 });
  scrolled.setAttribute("role", "region");
  scrolled.setAttribute("aria-label", "Reveal");
  const onFilm = new FilmOverlays(side, reveal, answer, tally);
  scrolled.append(
    makeVerdict(question, judged, answer, room.kept.refusal),
    ...makeSecondVerdict(question, again),
    makeTruth(question, reveal),
    onFilm.makeAreasPart(),
    ...makeNote(reveal.note),
    ...(room.transport.alone ? [] : [makeTallyPart(tally)]),
    ...makeModelParts(reveal.models, onFilm),
    makeNearCases(reveal.near),
    makeLookBack(room, question.film),
  );
  panel.append(scrolled, ...makeNextStep(room, question.film));
  return { element: panel };
}

function makeVerdict(question, judged, answer, refusal) {
  const section = make("section", "class-part class-verdict");
  section.append(make("p", "class-legend", question.words), makeHeading(answer ? verdictWords(judged) : "The reveal"), ...makeOwnAnswer(question, answer, refusal));
  if (!answer) return section;
  if (judged.inside !== null) {
    section.append(make("p", "class-text", judged.inside ? "Your mark is inside the finding." : "The finding is present, but your mark is outside it."));
  } else section.append(makeOutcomes(judged));
  return section;
}

// The answer after seeing the model's, where there was one.
function makeSecondVerdict(question, again) {
  return again ? [makeSection("With the model", ...makeSecondLine(question, again.answer), make("p", "class-text", verdictWords(again.judged)))] : [];
}

// The outcome of each finding; absent findings that nobody named are only counted.
function makeOutcomes({ outcomes: all, sides }) {
  const findings = Object.entries(all).filter(([finding]) => finding !== "Normal");
  const listed = findings.length === 1 ? findings : findings.filter(([, outcome]) => outcome !== "correct rejection");
  const list = make("ul", "class-outcomes");
  list.append(...listed.map(([finding, outcome]) => {
    const row = make("li", "class-outcome-row", finding);
    row.append(makeOutcomeBadge(outcome));
    if (finding in sides) row.append(make("span", "class-hint", sides[finding] ? "side correct" : "other side"));
    return row;
  }));
  const notListed = findings.length - listed.length;
  if (notListed) {
    const row = make("li", "class-outcome-row");
    row.append(makeOutcomeBadge("correct rejection", countText(notListed, "correct rejection")));
    list.append(row);
  }
  list.hidden = !findings.length;
  return list;
}

function makeTruth({ kind }, { present, absent, normal, pair, source, simulated }) {
  const lines = present.map(({ finding, side }) => finding + (side ? ", " + side : ""));
  const truthLines = lines.length ? lines : [normal ? "Normal" : normal === null ? "No finding is known" : "None of the findings in question"];
  const list = make("ul", "class-truth");
  list.append(...truthLines.map((words) => make("li", "class-truth-row", words)));
  const content = [...(kind === "normal" && normal === false ? [make("p", "class-text", "Not normal.")] : []), list];
  if (pair !== null) content.push(make("p", "class-text", ["The first", "The second"][pair] + " film has it."));
  if (absent.length) content.push(make("p", "class-text", "Absent: " + absent.join(", ")));
  content.push(make("p", "class-hint", "Labels: " + source + (simulated ? ". SIMULATED" : "")));
  return makeSection("What is there", ...content);
}

function makeNote(words) {
  return words ? [makeSection("The teacher's note", ...splitParagraphs(words))] : [];
}

function makeNearCases(films) {
  const row = make("ul", "class-near");
  row.append(...films.map(({ picture, words }) => {
    const item = make("li", "class-near-film");
    if (picture) item.append(Object.assign(make("img", "class-near-picture"), { src: picture, alt: "" }));
    item.append(make("p", "class-hint", words));
    return item;
  }));
  return films.length ? makeSection("Nearest cases", row) : make("div", "class-none");
}

// At the learner's own pace: the next film, or the sheet after the last. At the teacher's pace: back to the current
// film.
function makeNextStep(room, film) {
  const { own_pace: ownPace, films, film: currentFilm } = room.state;
  const next = ownPace ? room.firstUnansweredFilm() : film + 1;
  if (!ownPace && film !== currentFilm) return [makeRevealButton("Back to film " + (currentFilm + 1), () => room.goTo(null))];
  if (next >= films) return [makeRevealButton("My sheet", () => room.openSheet())];
  if (ownPace) return [makeRevealButton("Next film", () => room.goTo(next))];
  return [make("p", "class-wait", "The next film comes when the teacher shows it.")];
}
