// Asking again for what is being computed: soon at first, for most of it is there within a second; and only while it can
// be seen, for a question that nobody asks any more is dropped by the server.

const SOON = 200; // ms
const AT_MOST = 700; // ms

/** Milliseconds to wait before the question is asked the nth time again, from 0. */
export const waitBefore = (nth) => Math.min(AT_MOST, SOON * 1.5 ** nth);

export class AskedAgain {
  constructor(box) {
    this.box = box; // what shows the answer
    this.times = 0;
  }

  // Call `ask` after a while, or later, once the box is seen.
  later(ask) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (document.hidden || !this.box.offsetParent) this.later(ask);
      else ask();
    }, waitBefore(this.times++));
  }

  // Another question: the last one is not asked again.
  stop() {
    clearTimeout(this.timer);
    this.times = 0;
  }
}
