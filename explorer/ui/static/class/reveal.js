// The reveal of a film: the learner's answer judged, the truth with its source, the teacher's note, the class, models,
// nearest cases.

import { make } from "../shared/elements.js";
import { plural } from "../shared/figures.js";
import { outcomeBadge } from "../shared/outcome.js";
import { said } from "./answered.js";
import { heading, paragraphs } from "./doors.js";
import { lookBack } from "./look_back.js";
import { modelParts } from "./models_say.js";
import { OnFilm } from "./on_film.js";
import { button, part } from "./reveal_part.js";
import { tallyPart } from "./tally.js";

// "Right" is a side of the patient here.
const VERDICTS = new Map([[true, "Correct."], [false, "Not correct."], [null, "Cannot be judged: it is not known."]]);

// A film that was chosen for one finding may have others.
function verdictWords({ right, credit }) {
  if (right && credit < 1 && credit !== null) return "Correct: you found what this film was chosen for.";
  return right === false && credit > 0 ? "Partly correct." : VERDICTS.get(right);
}

/**
 * @param {any} room
 * @param {any} question
 * @param {any} side
 * @param {classroom.payloads.RevealedPayload} revealed
 */
export function revealPart(room, question, side, { reveal, judged, answer, tally }) {
  const panel = make("section", "class-panel class-reveal");
  const scrolled = make("div", "class-scrolled");
  Object.assign(scrolled, { tabIndex: 0 });
  scrolled.setAttribute("role", "region");
  scrolled.setAttribute("aria-label", "Reveal");
  const onFilm = new OnFilm(side, reveal, answer, tally);
  scrolled.append(
    verdict(question, judged, answer, room.kept.refusal),
    truth(question, reveal),
    onFilm.areasPart(),
    ...note(reveal.note),
    ...(room.transport.alone ? [] : [tallyPart(tally)]),
    ...modelParts(reveal.models, onFilm),
    near(reveal.near),
    lookBack(room, question.film),
  );
  panel.append(scrolled, ...onward(room, question.film));
  return { element: panel };
}

function verdict(question, judged, answer, refusal) {
  const section = make("section", "class-part class-verdict");
  section.append(make("p", "class-legend", question.words), heading(answer ? verdictWords(judged) : "The reveal"), ...said(question, answer, refusal));
  if (!answer) return section;
  if (judged.inside !== null) {
    section.append(make("p", "class-text", judged.inside ? "Your mark lies in it." : "It is there, but your mark lies outside of it."));
  } else section.append(outcomes(judged));
  return section;
}

// The outcome of each finding; absent findings that nobody named are only counted.
function outcomes({ outcomes: all, sides }) {
  const findings = Object.entries(all).filter(([finding]) => finding !== "Normal");
  const told = findings.length === 1 ? findings : findings.filter(([, outcome]) => outcome !== "correct rejection");
  const list = make("ul", "class-outcomes");
  list.append(...told.map(([finding, outcome]) => {
    const row = make("li", "class-outcome-row", finding);
    row.append(outcomeBadge(outcome));
    if (finding in sides) row.append(make("span", "class-hint", sides[finding] ? "side correct" : "other side"));
    return row;
  }));
  const rest = findings.length - told.length;
  if (rest) {
    const row = make("li", "class-outcome-row");
    row.append(outcomeBadge("correct rejection", plural(rest, "correct rejection")));
    list.append(row);
  }
  list.hidden = !findings.length;
  return list;
}

function truth({ kind }, { present, absent, normal, pair, source, simulated }) {
  const lines = present.map(({ finding, side }) => finding + (side ? ", " + side : ""));
  const there = lines.length ? lines : [normal ? "Normal" : normal === null ? "Nothing is known to be there" : "None of the findings asked for"];
  const list = make("ul", "class-truth");
  list.append(...there.map((words) => make("li", "class-truth-row", words)));
  const said = [...(kind === "normal" && normal === false ? [make("p", "class-text", "Not normal.")] : []), list];
  if (pair !== null) said.push(make("p", "class-text", ["The first", "The second"][pair] + " film has it."));
  if (absent.length) said.push(make("p", "class-text", "Absent: " + absent.join(", ")));
  said.push(make("p", "class-hint", "Labels: " + source + (simulated ? ". SIMULATED" : "")));
  return part("What is there", ...said);
}

function note(words) {
  return words ? [part("The teacher's note", ...paragraphs(words))] : [];
}

function near(films) {
  const row = make("ul", "class-near");
  row.append(...films.map(({ picture, words }) => {
    const item = make("li", "class-near-film");
    if (picture) item.append(Object.assign(make("img", "class-near-picture"), { src: picture, alt: "" }));
    item.append(make("p", "class-hint", words));
    return item;
  }));
  return films.length ? part("Nearest cases", row) : make("div", "class-none");
}

// At the learner's own pace: the next film, or the sheet after the last. At the teacher's pace: back to the current
// film.
function onward(room, film) {
  const { own_pace: ownPace, films, film: shown } = room.state;
  const next = ownPace ? room.firstOpen() : film + 1;
  if (!ownPace && film !== shown) return [button("Back to film " + (shown + 1), () => room.go(null))];
  if (next >= films) return [button("My sheet", () => room.openSheet())];
  if (ownPace) return [button("Next film", () => room.go(next))];
  return [make("p", "class-wait", "The next film comes when the teacher shows it.")];
}
