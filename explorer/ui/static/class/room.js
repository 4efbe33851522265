// Where a learner is: outside, waiting, before a question, after it, at the reveal, at the end. One screen at a time.

import { refusalWords } from "../shared/refusal.js";
import { answeredPart } from "./answered.js";
import { endedScreen, joinScreen, waitingScreen } from "./doors.js";
import { FilmSide } from "./film_side.js";
import { filmScreen } from "./film_screen.js";
import { KeptAnswers, NOT_JOINED } from "./kept_answers.js";
import { questionPart } from "./question.js";
import { Refused, untilReached } from "./refused.js";
import { revealPart } from "./reveal.js";
import { sheetScreen } from "./sheet.js";

const LOST = "Connection lost. Your answers are kept on this device and sent again by themselves.";

export class Room {
  constructor(page, transport) {
    this.page = page;
    this.transport = transport;
    this.state = null;
    this.at = null;
    this.sheetWanted = false;
    this.key = "";
    this.screen = {};
    this.unsent = null; // answers not sent before the end
    this.side = null;
    this.status = document.querySelector(".class-status");
    this.lost = (lost) => this.say(lost ? LOST : "");
  }

  // A status line above everything; empty: none.
  say(words) {
    this.status.hidden = !words;
    this.status.textContent = words;
  }

  reached(ask) {
    return untilReached(ask, this.lost);
  }

  async begin() {
    if (!KeptAnswers.known() || !this.transport.takesCode) return this.outside();
    try {
      await this.enter(await this.reached(() => this.transport.me()), null);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      KeptAnswers.leave();
      this.outside(error.status === NOT_JOINED ? null : error);
    }
  }

  // Before the code is typed; `why` it must be typed again: a refusal or null.
  outside(why = null) {
    const join = async (code, nickname) => this.enter(await this.transport.join(code, nickname), this.transport.lesson ?? code);
    this.show("outside", joinScreen(this.transport, join, why));
  }

  async enter(who, code) {
    this.who = who;
    this.kept = new KeptAnswers(this.transport, code, (lost) => this.sent(lost));
    this.findings = await this.reached(() => this.transport.findings());
    document.title = who.title + " - Tailscope class";
    await this.follow();
  }

  // An answer is on its way, was stored or was refused: another screen is due.
  sent(lost) {
    this.lost(lost);
    if (this.kept.refusal) this.key = "";
    this.draw();
  }

  async follow() {
    try {
      while (this.state?.stage !== "ended") this.take(await this.reached(() => this.transport.state(this.state?.version)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      KeptAnswers.leave();
      this.state = null;
      this.outside(error);
    }
  }

  take(state) {
    const before = this.state;
    this.state = state;
    if (state.stage === "ended") this.end();
    const moved = !before || before.film !== state.film || before.stage !== state.stage;
    if (state.own_pace) this.at ??= this.firstOpen();
    else if (moved) this.lookAt(null);
    this.draw();
  }

  // Unsent answers can no longer be sent; the learner sees how many.
  end() {
    this.unsent ??= this.kept.count;
    this.kept.end();
  }

  firstOpen() {
    const open = this.state.answered.findIndex((answered, film) => !answered && !this.kept.of(film));
    return open < 0 ? this.state.films : open;
  }

  // A film to look back at; null: the one that the teacher shows.
  lookAt(film) {
    this.at = film;
    this.sheetWanted = false;
  }

  go(film) {
    this.lookAt(film);
    this.draw();
  }

  openSheet() {
    this.sheetWanted = true;
    this.draw();
  }

  answered(film) {
    return this.state.answered[film] || this.kept.of(film) !== undefined;
  }

  place() {
    const { stage, films, film: shown, revealed } = this.state;
    const film = this.at ?? shown;
    if (stage === "ended" && !revealed.length) return ["ended"];
    if (stage === "ended" && !revealed.includes(this.at)) return ["sheet"];
    if (this.sheetWanted || film >= films) return ["sheet"];
    if (stage === "waiting") return ["waiting"];
    if (revealed.includes(film)) return ["reveal", film];
    return [this.answered(film) ? "answered" : "question", film];
  }

  // Draw the screen that is due; a screen that already stands is only updated.
  async draw() {
    if (!this.state) return;
    const [name, film] = this.place();
    const key = name + " " + (film ?? "");
    if (key === this.key) return this.screen.update?.(this.state);
    this.key = key;
    try {
      const screen = await this.made(name, film);
      if (this.key === key) this.show(key, screen);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.key = ""; // the next state may say why
      this.say(refusalWords(error));
    }
  }

  async made(name, film) {
    if (name === "ended") return endedScreen(this.unsent);
    if (name === "waiting") return waitingScreen(this);
    if (name === "sheet") return sheetScreen(this, await this.reached(() => this.transport.sheet()));
    const part = { question: questionPart, answered: answeredPart, reveal: revealPart }[name];
    const asked = await this.reached(() => this.transport.film(film));
    const said = name === "reveal" ? await this.reached(() => this.transport.reveal(film)) : null;
    if (this.side?.film !== film) this.side = new FilmSide(asked, this.state.films);
    return filmScreen(this.side, part(this, asked, this.side, said));
  }

  // `screen`: {element, update?(state)}; the focus follows, for screen readers and the keyboard.
  show(key, screen) {
    this.key = key;
    this.screen = screen;
    this.page.dataset.screen = key.split(" ")[0];
    this.page.replaceChildren(screen.element);
    screen.update?.(this.state);
    this.page.querySelector("[data-first]")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}
