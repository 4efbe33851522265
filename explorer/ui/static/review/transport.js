// The calls of the readers' page.

import { NotReached, Refused } from "../class/refused.js";

const ANSWER_WITHIN = 30_000; // ms until a call counts as unanswered; a film may wait for its turn

export class ReviewTransport {
  enter(code) {
    return this.post("/enter", { code });
  }

  me() {
    return this.ask("/me");
  }

  film(place) {
    return this.ask("/film/" + place);
  }

  vote(vote) {
    return this.post("/vote", vote);
  }

  post(path, body) {
    return this.ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }

  async ask(path, options = {}) {
    let response, answer;
    try {
      response = await fetch(path, { ...options, cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(ANSWER_WITHIN) });
      answer = await response.json();
    } catch (error) {
      throw new NotReached(path, { cause: error });
    }
    if (response.ok) return answer;
    if (response.status >= 500 || (response.status === 429 && path !== "/enter")) throw new NotReached(path); // the caller tries again
    throw new Refused(response.status, answer.title ?? "The review refused this request", answer.detail ?? "");
  }
}
