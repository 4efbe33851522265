// Requests of which only the newest counts: at most one is running, and only the latest of the others waits. Nothing
// queues up behind a film that is no longer wanted.

import { watchLatest } from "../shared/latest.js";
import { callServer } from "../shared/server_calls.js";

export class NewestOnly {
  // `ask(order)`: a promise; `show(answer, order, isLatest)` is called with answers that are still wanted.
  constructor(ask, show) {
    this.ask = ask;
    this.show = show;
    this.busy = false;
    this.waiting = null;
    this.wanted = null;
  }

  request(order) {
    this.wanted = order;
    this.waiting = { order };
    if (!this.busy) this.sendNext();
  }

  // Drop everything, including the running request.
  forget() {
    this.wanted = this.waiting = null;
  }

  async sendNext() {
    const { order } = this.waiting;
    this.waiting = null;
    this.busy = true;
    const isLatest = watchLatest(() => this.wanted);
    const answer = await callServer(this.ask, order);
    this.busy = false;
    if (isLatest()) this.show(answer, order, isLatest);
    if (this.waiting) this.sendNext();
  }
}
