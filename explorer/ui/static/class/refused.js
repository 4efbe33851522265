// How a class fails to answer: with a refusal in words, or not at all.

export class Refused extends Error {
  constructor(status, title, detail) {
    super(title);
    this.status = status;
    this.title = title;
    this.detail = detail;
  }
}

export class NotReached extends Error {}

// Resolves after some milliseconds, or at once when the device is online again.
/** @returns {Promise<void>} */
export function waitOrOnline(ms) {
  return new Promise((done) => {
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    function end() {
      clearTimeout(timer);
      removeEventListener("online", end);
      done();
    }
  });
}

const LONGEST_PAUSE = 5000; // ms

// The result of `ask()`, retried until the class answers. `lost(true)` is called while it does not, `lost(false)`
// after.
export async function retryUntilReached(ask, lost) {
  for (let tries = 0; ; tries++) {
    try {
      const answer = await ask();
      if (tries) lost(false);
      return answer;
    } catch (error) {
      if (!(error instanceof NotReached)) {
        if (tries) lost(false);
        throw error;
      }
      lost(true);
      await waitOrOnline(Math.min(LONGEST_PAUSE, 500 * 2 ** tries));
    }
  }
}
