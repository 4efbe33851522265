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
    this.going = null;
    document.addEventListener("tailscope-failed", () => this.going && this.takeAnswer({ request: this.asked, ...READING_FAILED }));
  }

  // `tab`: "read" or "ask"; `name`: the film's name there; `order`: the server's request; `insert`: in Read, a finding
  // is put into it.
  open(tab, name, order, insert = false) {
    this.going = { tab, name, insert };
    this.say("Opening the film");
    this.order({ ...order, request: ++this.asked });
  }

  /** @param {{request?: number, token?: string, title?: string, detail?: string}} given */
  async takeAnswer({ request, token, title, detail } = {}) {
    if (request !== this.asked || !this.going) return;
    const { tab, name, insert } = this.going;
    this.going = null;
    const refusal = token ? await openFilms.keeper.showFilm("a", name, token) : { title, detail };
    this.say(refusal ? refusalWords(refusal) : "");
    if (refusal) return;
    if (insert) openFilms.keeper.insertFinding();
    this.leaving();
    location.hash = "#" + tab;
  }
}
