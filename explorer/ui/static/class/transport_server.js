// The calls of the learners' page, answered over the network; transport_file.js answers the same calls from the file
// itself. A call rejects with Refused where the class refuses, with Unreached where it does not answer.

import { NotReached, Refused } from "./refused.js";

const ANSWER_WITHIN = 15_000; // ms until a call counts as unanswered
const STATE_WITHIN = 40_000; // the same for `state`, which waits up to 20 s for news

export class ServerTransport {
  takesCode = true;

  join(code, nickname) {
    return this.post("/join", { code, nickname });
  }

  me() {
    return this.ask("/me");
  }

  // Resolves once the state differs from version `since`; undefined: at once.
  state(since) {
    return this.ask("/state" + (since === undefined ? "" : "?since=" + encodeURIComponent(since)), {}, STATE_WITHIN);
  }

  film(film) {
    return this.ask("/film/" + film);
  }

  findings() {
    return this.ask("/findings");
  }

  // `second`: after seeing the model's answer.
  answer(film, answer, second = false) {
    return this.post("/answer", second ? { film, answer, second } : { film, answer });
  }

  // A model's answer to a film that this learner has answered.
  model(film) {
    return this.ask("/model/" + film);
  }

  reveal(film) {
    return this.ask("/reveal/" + film);
  }

  sheet() {
    return this.ask("/sheet");
  }

  async sheetFile() {
    return { href: "/sheet.csv", name: "tailscope-class-sheet.csv" };
  }

  post(path, body) {
    return this.ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }

  async ask(path, options = {}, patience = ANSWER_WITHIN) {
    let response, answer;
    try {
      response = await fetch(path, { ...options, cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(patience) });
      answer = await response.json();
    } catch (error) {
      throw new NotReached(path, { cause: error });
    }
    if (response.ok) return answer;
    if (response.status >= 500 || (response.status === 429 && path !== "/join")) throw new NotReached(path); // the caller tries again
    throw new Refused(response.status, answer.title ?? "The class refused this request", answer.detail ?? "");
  }
}
