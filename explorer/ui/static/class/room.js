// Where a learner is: outside, waiting, before a question, after it, at the reveal, at the end. One screen at a time.

import { refusalWords } from "../shared/refusal.js";
import { makeAnsweredPart } from "./answered.js";
import { makeEndedScreen, makeJoinScreen, makeWaitingScreen } from "./doors.js";
import { FilmSide } from "./film_side.js";
import { makeFilmScreen } from "./film_screen.js";
import { KeptAnswers, NOT_JOINED } from "./kept_answers.js";
import { makeQuestionPart } from "./question.js";
import { Refused, retryUntilReached } from "./refused.js";
import { makeRevealPart } from "./reveal.js";
import { makeSecondPart } from "./second_answer.js";
import { makeSheetScreen } from "./sheet.js";

const CONNECTION_LOST = "Connection lost. Your answers are kept on this device and sent automatically.";

export class ClassRoom {
  constructor(page, transport) {
    this.page = page;
    this.transport = transport;
    this.state = null;
    this.at = null;
    this.isSheetOpen = false;
    this.key = "";
    this.screen = {};
    this.unsent = null; // answers not sent before the end
    this.side = null;
    this.status = document.querySelector(".class-status");
    this.lost = (lost) => this.showStatus(lost ? CONNECTION_LOST : "");
  }

  // A status line above everything; empty: none.
  showStatus(words) {
    this.status.hidden = !words;
    this.status.textContent = words;
  }

  callClass(ask) {
    return retryUntilReached(ask, this.lost);
  }

  async begin() {
    if (!KeptAnswers.isInClass() || !this.transport.takesCode) return this.showJoinScreen();
    try {
      await this.enter(await this.callClass(() => this.transport.me()), null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      KeptAnswers.leave();
      this.showJoinScreen(error.status === NOT_JOINED ? null : error);
    }
  }

  // Before the code is typed; `why` it must be typed again: a refusal or null.
  showJoinScreen(why = null) {
    const join = async (code, nickname) => this.enter(await this.transport.join(code, nickname), this.transport.lesson ?? code);
    this.showScreen("outside", makeJoinScreen(this.transport, join, why));
  }

  async enter(who, code) {
    this.who = who;
    this.kept = new KeptAnswers(this.transport, code, (lost) => this.answersChanged(lost));
    this.findings = await this.callClass(() => this.transport.findings());
    document.title = who.title + " - Tailscope class";
    await this.follow();
  }

  // An answer is on its way, was stored or was refused: another screen is due.
  answersChanged(lost) {
    this.lost(lost);
    if (this.kept.refusal) this.key = "";
    this.draw();
  }

  async follow() {
    try {
      while (this.state?.stage !== "ended") this.takeState(await this.callClass(() => this.transport.state(this.state?.version)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      KeptAnswers.leave();
      this.state = null;
      this.showJoinScreen(error);
    }
  }

  takeState(state) {
    const previous = this.state;
    this.state = state;
    if (state.stage === "ended") this.end();
    const moved = !previous || previous.film !== state.film || previous.stage !== state.stage;
    if (state.own_pace) this.at ??= this.firstUnansweredFilm();
    else if (moved) this.lookAt(null);
    this.draw();
  }

  // Unsent answers can no longer be sent; the learner sees how many.
  end() {
    this.unsent ??= this.kept.count;
    this.kept.end();
  }

  firstUnansweredFilm() {
    const open = this.state.answered.findIndex((_, film) => !this.isAnswered(film) || this.isSecondDue(film));
    return open < 0 ? this.state.films : open;
  }

  // A film to look back at; null: the one that the teacher shows.
  lookAt(film) {
    this.at = film;
    this.isSheetOpen = false;
  }

  goTo(film) {
    this.lookAt(film);
    this.draw();
  }

  openSheet() {
    this.isSheetOpen = true;
    this.draw();
  }

  isAnswered(film) {
    return this.state.answered[film] || this.kept.find(film) !== undefined;
  }

  // Whether the learner may now see the model's answer and answer a second time.
  isSecondDue(film) {
    return this.state.answered[film] && this.state.again?.[film] === false && !this.kept.find(film, true);
  }

  currentScreen() {
    const { stage, films, film: currentFilm, revealed } = this.state;
    const film = this.at ?? currentFilm;
    if (stage === "ended" && !revealed.length) return ["ended"];
    if (stage === "ended" && !revealed.includes(this.at)) return ["sheet"];
    if (this.isSheetOpen || film >= films) return ["sheet"];
    if (stage === "waiting") return ["waiting"];
    if (revealed.includes(film)) return ["reveal", film];
    if (this.isSecondDue(film) && stage !== "ended") return ["second", film];
    return [this.isAnswered(film) ? "answered" : "question", film];
  }

  // Draw the screen that is due; a screen that is already shown is only updated.
  async draw() {
    if (!this.state) return;
    const [name, film] = this.currentScreen();
    const key = name + " " + (film ?? "");
    if (key === this.key) return this.screen.update?.(this.state);
    this.key = key;
    try {
      const screen = await this.makeScreen(name, film);
      if (this.key === key) this.showScreen(key, screen);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.key = ""; // the next state may say why
      this.showStatus(refusalWords(error));
    }
  }

  async makeScreen(name, film) {
    if (name === "ended") return makeEndedScreen(this.unsent);
    if (name === "waiting") return makeWaitingScreen(this);
    if (name === "sheet") return makeSheetScreen(this, await this.callClass(() => this.transport.sheet()));
    const part = { question: makeQuestionPart, second: makeSecondPart, answered: makeAnsweredPart, reveal: makeRevealPart }[name];
    const question = await this.callClass(() => this.transport.film(film));
    const more = { second: () => this.transport.model(film), reveal: () => this.transport.reveal(film) }[name];
    const found = more ? await this.callClass(more) : null;
    if (this.side?.film !== film) this.side = new FilmSide(question, this.state.films);
    return makeFilmScreen(this.side, part(this, question, this.side, found));
  }

  // `screen`: {element, update?(state)}; the focus follows, for screen readers and the keyboard.
  showScreen(key, screen) {
    this.key = key;
    this.screen = screen;
    this.page.dataset.screen = key.split(" ")[0];
    this.page.replaceChildren(screen.element);
    screen.update?.(this.state);
    this.page.querySelector("[data-first]")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}
