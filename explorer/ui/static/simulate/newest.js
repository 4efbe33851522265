// Questions to the server of which only the newest counts: at most one is on its way, and what was asked meanwhile
// waits alone. Nothing queues up behind a film that nobody wants any more.

import { latest } from "../shared/latest.js";
import { call } from "../shared/server_calls.js";

export class Newest {
  // `ask(order)`: a promise; `show(answer, order, isLatest)` is called with the answers that are still wanted.
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

  // Nothing is wanted any more, not even what is on its way.
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
