// The calls of the learners' page, answered by the file that contains it: see transport_server.js. All films are open
// in order, and each answer unseals the reveal of its film.

import { make } from "../shared/elements.js";
import { answerWords, confidenceWords } from "./answer_words.js";
import { FileAnswers } from "./file_answers.js";
import { judgeAnswer } from "./judged.js";
import { countRight, makeCsv, makeOwnTable } from "./own_sheet.js";
import { Refused } from "./refused.js";
import { canUnseal, unseal } from "./sealed.js";

const CANNOT_UNSEAL = "This browser cannot open the sealed answers. Use a current browser, with the file on your own disk.";
const NOTHING_KEPT = "This browser stores nothing for files: save your sheet before you close the page.";
const ANSWERS_KEPT = "Your answers stay in this browser.";

export class FileTransport {
  takesCode = false;
  alone = true; // no class to compare with

  // `data`: as written by explorer/school/class_file/class_file.py.
  constructor(data) {
    this.data = data;
    this.title = data.title;
    this.lesson = data.digest;
    this.answers = new FileAnswers(data.digest);
    this.opened = new Map(); // film -> {reveal, truth, outcomes}
    this.version = 0;
  }

  // The lines above the button that begins the class.
  aboutLines() {
    const words = canUnseal() ? (this.answers.isLasting ? ANSWERS_KEPT : NOTHING_KEPT) : CANNOT_UNSEAL;
    const lines = [...this.data.about.split(/\n+/).filter(Boolean), this.data.films.length + " films."];
    return [...lines.map((line) => make("p", "class-text", line)), make("p", "class-hint", words)];
  }

  async join() {
    if (!canUnseal()) throw new Refused(403, "The class cannot be opened here", CANNOT_UNSEAL);
    const { title, about, films } = this.data;
    return { nickname: "", title, about, films: films.length, own_pace: true };
  }

  async state(since) {
    if (since === this.version) await /** @type {Promise<void>} */ (new Promise((done) => (this.news = done)));
    const { films } = this.data;
    const answered = films.map((_, film) => this.answers.find(film) !== undefined);
    const places = films.map((_, film) => film);
    const again = places.map((film) => this.secondState(film));
    const revealed = places.filter((film) => this.isFinished(film));
    const next = places.findIndex((film) => !this.isFinished(film));
    const open = places.filter((film) => answered[film] || film === next);
    const closing = next < 0 ? await unseal(this.data.closing) : "";
    const stage = "open";
    return { version: this.version, stage, film: Math.max(0, next), films: films.length, own_pace: true, answered, again, open, revealed, learners: 1, closing };
  }

  async film(film) {
    const shown = { ...this.data.films[film] };
    delete shown.sealed; // sealed until an answer is given
    delete shown.model;
    return { film, ...shown, answer: this.answers.find(film) ?? null, again: this.answers.find(film, true) ?? null };
  }

  // Whether the learner has answered again after seeing a model; null: no model answers the film.
  secondState(film) {
    return this.data.films[film].model ? this.answers.find(film, true) !== undefined : null;
  }

  isFinished(film) {
    return this.answers.find(film) !== undefined && this.secondState(film) !== false;
  }

  async model(film) {
    if (!this.answers.find(film)) throw new Refused(403, "Not yet", "Answer first.");
    return unseal(this.data.films[film].model);
  }

  async findings() {
    return this.data.findings;
  }

  async answer(film, answer, second = false) {
    this.answers.put(film, answer, second);
    this.version += 1;
    this.news?.();
    return { kept: true };
  }

  async reveal(film) {
    const [answer, second] = [this.answers.find(film), this.answers.find(film, true)];
    if (!this.isFinished(film)) throw new Refused(403, "Not yet", "Answer first.");
    if (!this.opened.has(film)) this.opened.set(film, await unseal(this.data.films[film].sealed));
    const { reveal, truth, outcomes } = this.opened.get(film);
    const judged = (given) => judgeAnswer(this.data.films[film], given, truth);
    const again = second ? { answer: second, judged: judged(second) } : null;
    return { reveal, judged: judged(answer), answer, again, tally: null, truth, outcomes };
  }

  async sheet() {
    const places = this.data.films.map((_, film) => film).filter((film) => this.isFinished(film));
    const rows = await Promise.all(places.map((film) => this.row(film)));
    const again = rows.filter(({ right }) => right === false).map(({ film }) => film);
    const table = makeOwnTable(await Promise.all(places.map(async (film) => ({ film, ...(await this.reveal(film)) }))), this.data.groups);
    return { title: this.data.title, rows, right: countRight(rows.map(({ right }) => right)), again, table };
  }

  async row(film) {
    const question = this.data.films[film];
    const { judged: { right }, answer, again, truth } = await this.reveal(film);
    const second = again && { answer: answerWords(again.answer, question), sure: confidenceWords(again.answer), right: again.judged.right };
    return { film, question: question.words, answer: answerWords(answer, question), sure: confidenceWords(answer), truth: truth.words, right, second };
  }

  async sheetFile() {
    const { rows } = await this.sheet();
    const href = URL.createObjectURL(new Blob([makeCsv(rows)], { type: "text/csv;charset=utf-8" }));
    return { href, name: "tailscope-class-sheet.csv" };
  }
}
