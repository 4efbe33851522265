// Polling for something that is being computed: soon at first, because most of it is ready within a second; and only
// while it is visible, because the server drops a question that nobody repeats.

const SOON = 200; // ms
const AT_MOST = 700; // ms

/** Milliseconds to wait before the question is repeated the nth time, from 0. */
export const waitBefore = (nth) => Math.min(AT_MOST, SOON * 1.5 ** nth);

export class AskedAgain {
  constructor(box) {
    this.box = box; // the element that shows the answer
    this.times = 0;
  }

  // Call `ask` after a while, or later, once the box is visible.
  later(ask) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (document.hidden || !this.box.offsetParent) this.later(ask);
      else ask();
    }, waitBefore(this.times++));
  }

  // Stop repeating the last question.
  stop() {
    clearTimeout(this.timer);
    this.times = 0;
  }
}
