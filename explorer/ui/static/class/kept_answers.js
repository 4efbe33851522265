// Answers on their way: each is written down on this device, sent until the class says that it is kept, then forgotten here.
// The class takes the same answer twice as one, so one whose acknowledgment was lost is sent again without harm.

import { Refused, untilReached } from "./refused.js";

const PLACE = "tailscope-class";
export const NOT_JOINED = 401;

export class KeptAnswers {
  // `code` of the class that was joined just now; null: the one that this device was in before. Answers to another class
  // are not sent to this one. `changed(lost)` is called after each step.
  constructor(transport, code, changed) {
    this.transport = transport;
    this.changed = changed;
    this.refusal = null;
    this.sending = false;
    this.ended = false;
    const kept = read();
    this.code = code ?? kept.code;
    this.waiting = kept.code === this.code ? kept.answers : {}; // film -> answer
    this.write();
    this.send();
  }

  // Whether this device may be in a class: it joined one that has not ended since.
  static known() {
    return read().code !== null;
  }

  of(film) {
    return this.waiting[film];
  }

  get count() {
    return Object.keys(this.waiting).length;
  }

  put(film, answer) {
    this.waiting[film] = answer;
    this.refusal = null;
    this.write();
    this.send();
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    for (let film = this.first(); film !== undefined; film = this.first()) {
      if (!(await this.sendOne(film))) break;
    }
    this.sending = false;
  }

  first() {
    return Object.keys(this.waiting)[0];
  }

  // Whether it is done with: kept by the class, or refused for good.
  async sendOne(film) {
    const answer = this.waiting[film];
    try {
      await untilReached(() => this.transport.answer(Number(film), answer), this.changed);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === NOT_JOINED) return false; // it stays until this device joins again
      this.refusal = { film: Number(film), title: error.title, detail: error.detail };
    }
    delete this.waiting[film];
    this.write();
    this.changed(false);
    return true;
  }

  write() {
    try {
      localStorage.setItem(PLACE, JSON.stringify({ code: this.code, answers: this.waiting, ended: this.ended }));
    } catch {
      // A browser that keeps nothing: they are sent all the same, as long as the page is open.
    }
  }

  // The class has ended: no answer waits any more. Its code stays while what was revealed can still be looked at.
  end() {
    this.waiting = {};
    this.ended = true;
    this.write();
  }

  // The class does not know this device any more. Nothing of one that has ended stays; answers to one that goes on wait
  // until it is joined again.
  static leave() {
    try {
      if (read().ended) localStorage.removeItem(PLACE);
    } catch {
      // There was nothing.
    }
  }
}

function read() {
  try {
    const { code = null, answers = {}, ended = false } = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    return { code, answers, ended };
  } catch {
    return { code: null, answers: {}, ended: false };
  }
}
