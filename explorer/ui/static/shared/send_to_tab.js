// Sends a film of another tab to Read or Ask: the server opens it, and Read, which keeps the films, shows it.

import { openFilms } from "./open_films.js";
import { refusalWords } from "./refusal.js";
import { READING_FAILED } from "./server_calls.js";

export class SendToTab {
  // `order(what)`: requests a film from the server, which answers with a token; say(words), leaving().
  constructor({ order, say, leaving = () => {} }) {
    this.order = order;
    this.say = say;
    this.leaving = leaving;
    this.asked = 0;
    this.take = null; // takes the answer to the last request
    document.addEventListener("tailscope-failed", () => this.takeAnswer({ request: this.asked, ...READING_FAILED }));
  }

  // `tab`: "read" or "ask"; `name`: the film's name there; `order`: the server's request.
  open(tab, name, order) {
    this.request(order).then((answer) => answer && this.show(tab, name, answer));
    this.say("Opening the film");
  }

  // Resolves to the film's {token}, to a refusal, or to null once another film is requested.
  request(order) {
    this.take?.(null);
    this.order({ ...order, request: ++this.asked });
    return new Promise((take) => (this.take = take));
  }

  takeAnswer(given = {}) {
    if (given.request !== this.asked || !this.take) return;
    this.take(given);
    this.take = null;
  }

  async show(tab, name, { token, title, detail }) {
    const refusal = token ? await openFilms.keeper.showFilm("a", name, token) : { title, detail };
    this.say(refusal ? refusalWords(refusal) : "");
    if (refusal) return;
    this.leaving();
    location.hash = "#" + tab;
  }
}
