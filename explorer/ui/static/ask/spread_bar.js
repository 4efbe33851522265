// The score on a line from 0 to 1: as a bar, its threshold, and where every prompt alone would put it. A slider in the
// sense of ARIA, for keyboard and pointer alike: each step is one prompt, and its wording stands below.

import { make } from "../shared/elements.js";
import { plural, score } from "../shared/figures.js";

export class SpreadBar {
  constructor({ score: value, threshold_score: cut, verdict, spread }) {
    this.prompts = [...spread.prompts].sort((a, b) => a.score - b.score);
    this.rest = plural(this.prompts.length, "prompt") + ", a tick each (blue: other words): point at one to read it.";
    this.marked = null;
    this.element = make("div", "spread");
    this.words = make("p", "spread-words", this.rest);
    this.element.append(this.track(value, cut, verdict, spread), this.ends(cut), this.words);
  }

  track(value, cut, verdict, { low, median, high }) {
    const track = make("div", "spread-track");
    Object.assign(track.dataset, { verdict });
    Object.assign(track, { tabIndex: 0, ariaLabel: "Prompts by their score", role: "slider" });
    const piece = (name, from, to) => {
      const part = make("span", name);
      part.style.left = from * 100 + "%";
      if (to !== undefined) part.style.width = (to - from) * 100 + "%";
      track.append(part);
      return part;
    };
    piece("spread-fill", 0, value);
    piece("spread-range", low, high);
    this.ticks = this.prompts.map((prompt) => piece(prompt.paraphrase ? "spread-tick paraphrase" : "spread-tick", prompt.score));
    piece("spread-median", median);
    piece("spread-cut", cut);
    track.addEventListener("pointermove", (event) => this.point(event.clientX));
    track.addEventListener("pointerdown", (event) => this.point(event.clientX));
    track.addEventListener("pointerleave", () => document.activeElement !== track && this.show(null));
    track.addEventListener("blur", () => this.show(null));
    track.addEventListener("keydown", (event) => this.key(event));
    this.bar = track;
    this.bar.setAttribute("aria-valuemin", 1);
    this.bar.setAttribute("aria-valuemax", this.prompts.length);
    this.announce(0);
    return track;
  }

  ends(cut) {
    const ends = make("p", "spread-ends");
    const mark = make("span", "spread-cut-words", "threshold " + score(cut));
    mark.style.left = cut * 100 + "%";
    ends.append(make("span", "", "0"), mark, make("span", "", "1"));
    return ends;
  }

  point(x) {
    const { left, width } = this.bar.getBoundingClientRect();
    const at = (x - left) / width;
    const distance = ({ score: value }) => Math.abs(value - at);
    this.show(this.prompts.reduce((best, prompt, place) => (distance(prompt) < distance(this.prompts[best]) ? place : best), 0));
  }

  key(event) {
    const [next, before] = [this.place + 1, this.place - 1];
    const end = this.prompts.length - 1;
    const places = { Home: 0, End: end, ArrowRight: next, ArrowUp: next, ArrowLeft: before, ArrowDown: before };
    if (!(event.key in places) || event.shiftKey) return;
    event.preventDefault(); // the viewer has these keys elsewhere
    const shown = this.marked === null ? this.place : places[event.key];
    this.show(Math.min(this.prompts.length - 1, Math.max(0, shown)));
  }

  announce(place) {
    this.place = place;
    this.bar.setAttribute("aria-valuenow", place + 1);
    this.bar.setAttribute("aria-valuetext", this.wording(this.prompts[place]));
  }

  wording({ score: value, positive, negative, paraphrase }) {
    return score(value) + "  " + positive + " | " + negative + (paraphrase ? " (paraphrase)" : "");
  }

  // null: none is looked at.
  show(place) {
    this.ticks[this.marked]?.classList.remove("marked");
    this.marked = place;
    this.words.textContent = place === null ? this.rest : this.wording(this.prompts[place]);
    if (place === null) return;
    this.ticks[place].classList.add("marked");
    this.announce(place);
  }
}
