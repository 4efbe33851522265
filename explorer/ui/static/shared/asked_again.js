// Polling for something that is being computed: soon at first, because most of it is ready within a second; and only
// while it is visible, because the server drops a question that nobody repeats.

const FIRST_WAIT = 200; // ms
const LONGEST_WAIT = 700; // ms

/** Milliseconds to wait before the question is repeated the nth time, from 0. */
export const waitBeforeRepeat = (nth) => Math.min(LONGEST_WAIT, FIRST_WAIT * 1.5 ** nth);

export class Polling {
  constructor(box) {
    this.box = box; // the element that shows the answer
    this.times = 0;
  }

  // Call `ask` after a while, or later, once the box is visible.
  repeatLater(ask) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (document.hidden || !this.box.offsetParent) this.repeatLater(ask);
      else ask();
    }, waitBeforeRepeat(this.times++));
  }

  // Stop repeating the last question.
  stop() {
    clearTimeout(this.timer);
    this.times = 0;
  }
}
