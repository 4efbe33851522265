// Requests of which only the newest counts: at most one is running, and only the latest of the others waits. Nothing
// queues up behind a film that is no longer wanted.

import { latest } from "../shared/latest.js";
import { call } from "../shared/server_calls.js";

export class Newest {
  // `ask(order)`: a promise; `show(answer, order, isLatest)` is called with answers that are still wanted.
  constructor(ask, show) {
    this.ask = ask;
    this.show = show;
    this.busy = false;
    this.waiting = null;
    this.wanted = null;
  }

  want(order) {
    this.wanted = order;
    this.waiting = { order };
    if (!this.busy) this.next();
  }

  // Drop everything, including the running request.
  forget() {
    this.wanted = this.waiting = null;
  }

  async next() {
    const { order } = this.waiting;
    this.waiting = null;
    this.busy = true;
    const isLatest = latest(() => this.wanted);
    const answer = await call(this.ask, order);
    this.busy = false;
    if (isLatest()) this.show(answer, order, isLatest);
    if (this.waiting) this.next();
  }
}
