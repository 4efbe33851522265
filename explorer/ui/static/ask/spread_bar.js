// The answer on one scale with its threshold and each single prompt: percentiles among the validation films, or
// margins where there are no such films. An ARIA slider, for keyboard and pointer alike: each step is one prompt, and
// its wording appears below.

import { make } from "../shared/elements.js";
import { countText, wholeText } from "../shared/figures.js";
import { percentAlong, placeText, thresholdSideWords } from "./places.js";

const NEAR_END = { percentile: 30, margin: 36 }; // % of the track: this close to an end, the threshold's label replaces that of the end

export class SpreadBar {
  constructor({ verdict, spread, percentile }) {
    this.spread = spread;
    this.prompts = [...spread.prompts].sort((a, b) => a.place - b.place);
    this.rest = this.summaryWords();
    this.marked = null;
    this.element = make("div", "spread");
    this.words = make("p", "spread-words muted small", this.rest);
    this.element.append(make("p", "spread-scale muted small", scaleWords(spread, percentile)), this.makeTrack(verdict), this.makeEnds(), this.words);
  }

  // The counts agree with the marks: a mark at the line or to the right of it counts as above.
  summaryWords() {
    const above = this.prompts.filter(({ place }) => place >= this.spread.threshold).length;
    const sides = above + " at or above the threshold, " + (this.prompts.length - above) + " below";
    return countText(this.prompts.length, "prompt") + ": " + sides + ". Each tick is one wording (blue: other words). Point at one to read it.";
  }

  makeTrack(verdict) {
    const { answer, threshold } = this.spread;
    const track = make("div", "spread-track");
    Object.assign(track.dataset, { verdict });
    Object.assign(track, { tabIndex: 0, ariaLabel: "Prompts by position", role: "slider" });
    const piece = (name, place) => {
      const part = make("span", name);
      part.style.left = percentAlong(place, this.spread) + "%";
      track.append(part);
      return part;
    };
    const fill = make("span", "spread-fill");
    fill.style.width = percentAlong(answer, this.spread) + "%";
    track.append(fill);
    const range = piece("spread-range", this.prompts[0].place);
    range.style.width = percentAlong(this.prompts.at(-1).place, this.spread) - percentAlong(this.prompts[0].place, this.spread) + "%";
    this.ticks = this.prompts.map(({ paraphrase, place }) => piece(paraphrase ? "spread-tick paraphrase" : "spread-tick", place));
    piece("spread-cut", threshold);
    track.addEventListener("pointermove", (event) => this.showNearest(event.clientX));
    track.addEventListener("pointerdown", (event) => this.showNearest(event.clientX));
    track.addEventListener("pointerleave", () => document.activeElement !== track && this.show(null));
    track.addEventListener("blur", () => this.show(null));
    track.addEventListener("keydown", (event) => this.handleKey(event));
    this.bar = track;
    this.bar.setAttribute("aria-valuemin", "1");
    this.bar.setAttribute("aria-valuemax", String(this.prompts.length));
    this.announce(0);
    return track;
  }

  makeEnds() {
    const { threshold, ends, unit } = this.spread;
    const nearEnd = NEAR_END[unit];
    const at = percentAlong(threshold, this.spread);
    const line = make("p", "spread-ends muted small");
    const [low, high] = ends.map((end) => make("span", "", placeText(end, this.spread)));
    low.classList.toggle("covered", at < nearEnd);
    high.classList.toggle("covered", at > 100 - nearEnd);
    const mark = make("span", "spread-cut-words", "threshold " + placeText(threshold, this.spread));
    mark.style.left = Math.min(Math.max(at, nearEnd / 2), 100 - nearEnd / 2) + "%";
    line.append(low, mark, high);
    return line;
  }

  showNearest(x) {
    const { left, width } = this.bar.getBoundingClientRect();
    const at = (100 * (x - left)) / width;
    const distance = ({ place }) => Math.abs(percentAlong(place, this.spread) - at);
    this.show(this.prompts.reduce((best, prompt, place) => (distance(prompt) < distance(this.prompts[best]) ? place : best), 0));
  }

  handleKey(event) {
    const [next, previous] = [this.place + 1, this.place - 1];
    const end = this.prompts.length - 1;
    const places = { Home: 0, End: end, ArrowRight: next, ArrowUp: next, ArrowLeft: previous, ArrowDown: previous };
    if (!(event.key in places) || event.shiftKey) return;
    event.preventDefault(); // the viewer uses these keys elsewhere
    const placeToShow = this.marked === null ? this.place : places[event.key];
    this.show(Math.min(this.prompts.length - 1, Math.max(0, placeToShow)));
  }

  announce(place) {
    this.place = place;
    this.bar.setAttribute("aria-valuenow", place + 1);
    this.bar.setAttribute("aria-valuetext", this.wordingText(this.prompts[place]));
  }

  wordingText({ place, above, positive, negative, paraphrase }) {
    const words = positive + " | " + negative + (paraphrase ? " (paraphrase)" : "");
    return placeText(place, this.spread) + ", " + thresholdSideWords(above) + " the threshold  " + words;
  }

  // null: no prompt is selected
  show(place) {
    this.ticks[this.marked]?.classList.remove("marked");
    this.marked = place;
    this.words.textContent = place === null ? this.rest : this.wordingText(this.prompts[place]);
    if (place === null) return;
    this.ticks[place].classList.add("marked");
    this.announce(place);
  }
}

function scaleWords({ unit }, percentile) {
  if (unit === "percentile") return "Rank among " + wholeText(percentile.n) + " test films";
  return "This model has no validation films: the scale shows margins, with one threshold for all prompts.";
}
