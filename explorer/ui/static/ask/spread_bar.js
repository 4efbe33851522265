// The answer on one scale with its threshold and each prompt by itself: percentiles among the validation films, or
// margins where there are no such films. An ARIA slider, for keyboard and pointer alike: each step is one prompt, and
// its wording stands below.

import { make } from "../shared/elements.js";
import { plural, whole } from "../shared/figures.js";
import { along, placeWords, sideWords } from "./places.js";

const NEAR_END = { percentile: 30, margin: 36 }; // % of the track: this close to an end, the threshold's label replaces that of the end

export class SpreadBar {
  constructor({ verdict, spread, percentile }) {
    this.spread = spread;
    this.prompts = [...spread.prompts].sort((a, b) => a.place - b.place);
    this.rest = this.restWords();
    this.marked = null;
    this.element = make("div", "spread");
    this.words = make("p", "spread-words", this.rest);
    this.element.append(make("p", "spread-scale", scaleWords(spread, percentile)), this.track(verdict), this.ends(), this.words);
  }

  // The counts agree with the marks: a mark at the line or to the right of it counts as above.
  restWords() {
    const above = this.prompts.filter(({ place }) => place >= this.spread.threshold).length;
    const sides = above + " at or above the threshold, " + (this.prompts.length - above) + " below";
    return plural(this.prompts.length, "prompt") + ": " + sides + ". Each tick is one wording (blue: other words). Point at one to read it.";
  }

  track(verdict) {
    const { answer, threshold } = this.spread;
    const track = make("div", "spread-track");
    Object.assign(track.dataset, { verdict });
    Object.assign(track, { tabIndex: 0, ariaLabel: "Prompts by their place", role: "slider" });
    const piece = (name, place) => {
      const part = make("span", name);
      part.style.left = along(place, this.spread) + "%";
      track.append(part);
      return part;
    };
    const fill = make("span", "spread-fill");
    fill.style.width = along(answer, this.spread) + "%";
    track.append(fill);
    const range = piece("spread-range", this.prompts[0].place);
    range.style.width = along(this.prompts.at(-1).place, this.spread) - along(this.prompts[0].place, this.spread) + "%";
    this.ticks = this.prompts.map(({ paraphrase, place }) => piece(paraphrase ? "spread-tick paraphrase" : "spread-tick", place));
    piece("spread-cut", threshold);
    track.addEventListener("pointermove", (event) => this.point(event.clientX));
    track.addEventListener("pointerdown", (event) => this.point(event.clientX));
    track.addEventListener("pointerleave", () => document.activeElement !== track && this.show(null));
    track.addEventListener("blur", () => this.show(null));
    track.addEventListener("keydown", (event) => this.key(event));
    this.bar = track;
    this.bar.setAttribute("aria-valuemin", "1");
    this.bar.setAttribute("aria-valuemax", String(this.prompts.length));
    this.announce(0);
    return track;
  }

  ends() {
    const { threshold, ends, unit } = this.spread;
    const near = NEAR_END[unit];
    const at = along(threshold, this.spread);
    const line = make("p", "spread-ends");
    const [low, high] = ends.map((end) => make("span", "", placeWords(end, this.spread)));
    low.classList.toggle("covered", at < near);
    high.classList.toggle("covered", at > 100 - near);
    const mark = make("span", "spread-cut-words", "threshold " + placeWords(threshold, this.spread));
    mark.style.left = Math.min(Math.max(at, near / 2), 100 - near / 2) + "%";
    line.append(low, mark, high);
    return line;
  }

  point(x) {
    const { left, width } = this.bar.getBoundingClientRect();
    const at = (100 * (x - left)) / width;
    const distance = ({ place }) => Math.abs(along(place, this.spread) - at);
    this.show(this.prompts.reduce((best, prompt, place) => (distance(prompt) < distance(this.prompts[best]) ? place : best), 0));
  }

  key(event) {
    const [next, before] = [this.place + 1, this.place - 1];
    const end = this.prompts.length - 1;
    const places = { Home: 0, End: end, ArrowRight: next, ArrowUp: next, ArrowLeft: before, ArrowDown: before };
    if (!(event.key in places) || event.shiftKey) return;
    event.preventDefault(); // the viewer uses these keys elsewhere
    const shown = this.marked === null ? this.place : places[event.key];
    this.show(Math.min(this.prompts.length - 1, Math.max(0, shown)));
  }

  announce(place) {
    this.place = place;
    this.bar.setAttribute("aria-valuenow", place + 1);
    this.bar.setAttribute("aria-valuetext", this.wording(this.prompts[place]));
  }

  wording({ place, above, positive, negative, paraphrase }) {
    const words = positive + " | " + negative + (paraphrase ? " (paraphrase)" : "");
    return placeWords(place, this.spread) + ", " + sideWords(above) + " the threshold  " + words;
  }

  // null: no prompt is selected
  show(place) {
    this.ticks[this.marked]?.classList.remove("marked");
    this.marked = place;
    this.words.textContent = place === null ? this.rest : this.wording(this.prompts[place]);
    if (place === null) return;
    this.ticks[place].classList.add("marked");
    this.announce(place);
  }
}

function scaleWords({ unit }, percentile) {
  if (unit === "percentile") return "Rank among " + whole(percentile.n) + " test films";
  return "This model has no validation films: shown are margins, and one threshold for all prompts.";
}
