// The two open films: one study or two examinations. The server decides, unless the visitor does; the section above the
// findings then has the study's answer, or what changed between the films.

import { make, redrawKeepingFocus } from "../shared/elements.js";
import { watchLatest } from "../shared/latest.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { makeChanges, makeNotCompared } from "./between_films.js";
import { makeStudy, studySummary } from "./study_answer.js";

const CHOICES = [
  { words: "One study", one: true },
  { words: "Two examinations", one: false },
];
const SWITCH_TITLES = {
  true: "Their headers name one study",
  false: "Their headers name two examinations",
  null: "Their headers do not say whether they belong together",
};

const isSettled = (item) => Boolean(item) && (item.stage === "read" || item.stage === "refused");

export class FilmPair {
  // `films`: the open films by slot. `choose(finding)`; `changed()`: the answer has changed; `note(words)`.
  constructor(section, { server, films, choose, changed, note }) {
    this.section = section;
    this.server = server;
    this.films = films;
    this.choose = choose;
    this.changed = changed;
    this.note = note;
    this.readings = []; // what the answer is about: the opinion or refusal of each film
    this.answer = null;
    this.chosen = { films: [], one: null }; // the visitor's own answer about these two
  }

  // Ask the server if both films have been read or refused, and one of them anew.
  update() {
    const { a, b } = this.films;
    const readings = isSettled(a) && isSettled(b) ? [a.opinion ?? a.refusal, b.opinion ?? b.refusal] : [];
    if (readings.length === this.readings.length && readings.every((each, at) => each === this.readings[at])) return;
    this.readings = readings;
    this.answer = null;
    if (readings.length) this.ask();
  }

  async ask() {
    const sameReadings = watchLatest(() => this.readings);
    const sameChoice = watchLatest(() => this.chosen);
    const answer = await callServer(this.server.study, { token: this.films.a.token, ...this.besideRequest("a") });
    if (!sameReadings() || !sameChoice()) return;
    this.answer = answer?.stage === "study" ? answer : null;
    if (answer && !this.answer) this.note(refusalWords(answer));
    this.changed();
  }

  // What the server must know of the other film, for a request about the film in `slot`.
  besideRequest(slot) {
    const { a, b } = this.films;
    const other = slot === "a" ? b : a;
    if (!other) return {};
    const isChosen = this.chosen.films[0] === a.token && this.chosen.films[1] === b.token;
    const together = a.batch !== undefined && a.batch === b.batch;
    return { beside: other.token, together, chosen: isChosen ? this.chosen.one : null };
  }

  decide(one) {
    this.chosen = { films: [this.films.a.token, this.films.b.token], one };
    this.ask();
  }

  // The study in one line, for the printed report; empty if the films are no study.
  get summary() {
    return this.answer?.one ? studySummary(this.answer, [this.films.a, this.films.b]) : "";
  }

  show(hidden) {
    const parts = hidden || !this.answer ? [] : this.makeParts();
    this.section.hidden = !parts.length;
    if (parts.length) this.section.setAttribute("aria-label", this.answer.one ? "The study's answer" : "What changed between the films");
    redrawKeepingFocus(this.section, () => this.section.replaceChildren(...parts));
  }

  makeParts() {
    const { answer, choose } = this;
    const films = [this.films.a, this.films.b];
    if (!answer.model) return makeNotCompared(films);
    const parts = answer.one ? makeStudy(answer, films, choose, this.section) : makeChanges(answer, films, choose, this.section);
    return [this.makeSwitch(), ...parts];
  }

  makeSwitch() {
    const box = make("div", "pair-choice");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "The two films are");
    box.title = SWITCH_TITLES[String(this.answer.headers)];
    for (const { words, one } of CHOICES) {
      const button = make("button", "pair-way", words);
      button.type = "button";
      button.setAttribute("aria-pressed", String(one === this.answer.one));
      button.addEventListener("click", () => this.decide(one));
      box.append(button);
    }
    return box;
  }
}
