// Answers on their way: each is stored on this device, sent until the class confirms it, then deleted here. The class
// ignores duplicates, so an answer whose confirmation was lost is sent again without harm.

import { Refused, retryUntilReached } from "./refused.js";

const STORAGE_KEY = "tailscope-class";
export const NOT_JOINED = 401;
const SECOND = "+"; // ends the key of a second answer: film 3 has the keys "3" and "3+"
const keyOf = (film, second) => film + (second ? SECOND : "");

export class KeptAnswers {
  // `code` of the class just joined; null: the class that this device was in before. Answers to another class are not
  // sent to this one. `changed(lost)` is called after each step.
  constructor(transport, code, changed) {
    this.transport = transport;
    this.changed = changed;
    this.refusal = null;
    this.sending = false;
    this.ended = false;
    const kept = readStored();
    this.code = code ?? kept.code;
    this.waiting = kept.code === this.code ? kept.answers : {}; // key of film -> answer
    this.write();
    this.send();
  }

  // Whether this device is in a class: it joined one that has not ended since.
  static isInClass() {
    return readStored().code !== null;
  }

  // The answer that waits; `second`: the one after seeing the model's.
  find(film, second = false) {
    return this.waiting[keyOf(film, second)];
  }

  get count() {
    return Object.keys(this.waiting).length;
  }

  put(film, answer, second = false) {
    this.waiting[keyOf(film, second)] = answer;
    this.refusal = null;
    this.write();
    this.send();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    for (let key = this.firstWaiting(); key !== undefined; key = this.firstWaiting()) {
      if (!(await this.sendOne(key))) break;
    }
    this.sending = false;
  }

  firstWaiting() {
    return Object.keys(this.waiting)[0];
  }

  // Whether nothing is left to do: the answer was stored by the class, or refused for good.
  async sendOne(key) {
    const answer = this.waiting[key];
    const film = parseInt(key, 10);
    try {
      await retryUntilReached(() => this.transport.answer(film, answer, key.endsWith(SECOND)), this.changed);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === NOT_JOINED) return false; // the answer stays until this device joins again
      this.refusal = { film, title: error.title, detail: error.detail };
    }
    delete this.waiting[key];
    this.write();
    this.changed(false);
    return true;
  }

  write() {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ code: this.code, answers: this.waiting, ended: this.ended }));
    } catch {
      // A browser without storage: answers are sent while the page is open.
    }
  }

  // The class has ended: no answer waits any longer. Its code stays as long as the reveals can be viewed.
  end() {
    this.waiting = {};
    this.ended = true;
    this.write();
  }

  // The class no longer knows this device. Everything of an ended class goes; answers to a running class wait until
  // the device joins again.
  static leave() {
    try {
      if (readStored().ended) localStorage.removeItem(STORAGE_KEY);
    } catch {
      // Nothing was stored.
    }
  }
}

function readStored() {
  try {
    const { code = null, answers = {}, ended = false } = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return { code, answers, ended };
  } catch {
    return { code: null, answers: {}, ended: false };
  }
}
