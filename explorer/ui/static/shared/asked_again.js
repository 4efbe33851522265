// Polling for something that is being computed: soon at first, because most of it is ready within a second; and only
// while it can be seen, because the server drops a question that nobody repeats.

import { isInFront } from "../viewer/keys.js";
import { watchLatest } from "./latest.js";

const FIRST_WAIT = 200; // ms
const LONGEST_WAIT = 700; // ms

/** Milliseconds to wait before the question is repeated the nth time, from 0. */
export const waitBeforeRepeat = (nth) => Math.min(LONGEST_WAIT, FIRST_WAIT * 1.5 ** nth);

export class Polling {
  // `box` shows the answer, and has `data-computing` until it is complete; `ask` asks once, one question at a time.
  constructor(box, ask) {
    this.box = box;
    this.ask = ask;
    this.turn = 0; // counts the stops
  }

  // Ask again and again, until `stop`.
  async start() {
    if ("computing" in this.box.dataset) return;
    this.box.dataset.computing = "";
    const isLatest = watchLatest(() => this.turn);
    for (let nth = 0; isLatest(); ) {
      await new Promise((done) => setTimeout(done, waitBeforeRepeat(nth)));
      if (!isLatest() || document.hidden || !isInFront(this.box)) continue;
      nth += 1;
      await this.ask();
    }
  }

  stop() {
    this.turn += 1;
    delete this.box.dataset.computing;
  }
}
