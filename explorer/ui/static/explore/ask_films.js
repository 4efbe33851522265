// Films ranked by a typed finding: the field in the bar, and one line on how reliable the order is.

import { make } from "../shared/elements.js";
import { watchLatest } from "../shared/latest.js";
import { splitCommands } from "../shared/refusal.js";
import { sliceKey } from "./address.js";

// Filters by a model's results are removed when the ranking begins, because it covers all films; they can be added
// later.
const NO_MODEL_FILTERS = { outcome: null, low: null, high: null, relation: null, against: null, called: null };

const SLOW_START = "Ranking the films. The first text takes longer: the model that reads it is being loaded.";

export class FilmRanking {
  constructor(room, explore) {
    this.explore = explore;
    this.form = room.querySelector(".ask-films");
    this.field = room.querySelector(".ask-films-text");
    this.away = room.querySelector(".ask-films-clear");
    this.line = room.querySelector(".asked-line");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.rank(this.field.value.trim());
    });
    this.field.addEventListener("keydown", (event) => event.key === "Escape" && this.show());
    this.away.addEventListener("click", () => this.rank(""));
  }

  rank(text) {
    const { ask } = this.explore.state;
    if (text) this.explore.change({ ask: text, ...(ask ? {} : NO_MODEL_FILTERS) });
    else if (ask) this.explore.change({ ask: null });
    this.field.focus({ preventScroll: true });
  }

  // Show the state. While labels are hidden, films are shuffled and the text, which may name a finding, is not shown.
  show() {
    const { ask, hide } = this.explore.state;
    this.form.hidden = Boolean(hide);
    this.field.value = hide ? "" : ask ?? "";
    this.away.hidden = !ask || Boolean(hide);
  }

  // The slice and the text that the line is about.
  get requestKey() {
    const { ask, hide } = this.explore.state;
    return hide || !ask ? null : sliceKey(this.explore.state) + ask;
  }

  // Explain a wait of many seconds for the page.
  showWaiting(busy) {
    clearTimeout(this.timer);
    const anew = busy && this.requestKey && this.requestKey !== this.about;
    if (anew) this.timer = setTimeout(() => this.forget([SLOW_START]), 1000);
  }

  // Counted after the films are shown: intervals take longer than the order.
  async showReliability() {
    const about = this.requestKey;
    if (about === this.about) return;
    this.forget();
    this.about = about;
    if (!about) return;
    const isLatest = watchLatest(() => this.about);
    const answer = await this.explore.call("slice_asked");
    if (isLatest()) this.showWords(answer.lines ?? [], answer.cautions);
  }

  // Remove lines about a text that no longer ranks the films.
  forget(lines = []) {
    this.about = undefined;
    this.showWords(lines);
  }

  showWords(lines, cautions = []) {
    this.line.hidden = !lines.length;
    this.line.replaceChildren(...cautions.map((words) => make("span", "caution", words + " ")), ...splitCommands(lines.join(" ")));
  }
}
