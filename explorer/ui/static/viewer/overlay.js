// The models' output on one film: the map, its legend, or the reason why there is none.

import { fixedText, scoreText } from "../shared/figures.js";
import { drawHeat, drawScale, heatMaximum, makeSampler } from "./heat.js";

export class Overlay {
  constructor(view) {
    this.canvas = view.querySelector(".heat-canvas");
    this.legend = view.querySelector(".legend");
    this.evidence = view.querySelector(".evidence");
    drawScale(this.legend.querySelector(".legend-scale"));
    this.clear();
    this.set(true, false);
  }

  // One map at a time: {opinion, index, value}; or none.
  showHeat(opinion, index, film) {
    this.overruledWords = null;
    drawHeat(this.canvas, opinion, index, film.width, film.height);
    this.map = { opinion, index, value: makeSampler(opinion, index) };
    this.words = null;
  }

  // Words in the map's place. Once requested, the map stays as long as the same words would replace it.
  showNoHeat(words, button, onShow) {
    const ask = () => {
      onShow();
      this.overruledWords = words;
    };
    if (button && words === this.overruledWords) return ask();
    this.map = this.overruledWords = null;
    this.words = words;
    const show = this.evidence.querySelector(".evidence-show");
    show.textContent = button || "";
    show.hidden = !button;
    show.onclick = ask;
  }

  clear() {
    this.map = this.words = this.overruledWords = null;
  }

  // Whether a map lies over the film now.
  get isShown() {
    return Boolean(this.map) && this.on && !this.hidden;
  }

  // A value of the map with its unit; `fewer` digits for a round value.
  valueText(value, fewer = 0) {
    const { unit = "logit", digits = 2 } = this.map.opinion;
    return fixedText(value, digits - fewer) + " " + unit;
  }

  // The legend in words, also for the exported picture.
  get legendWords() {
    const { opinion, index } = this.map;
    const maximum = this.valueText(heatMaximum(opinion), 1);
    return {
      finding: opinion.rows[index].finding,
      score: scoreText(opinion.rows[index].score),
      maximum: opinion.heat_maximum ? maximum : maximum + ", this film only",
      cells: [opinion.method, opinion.grid + " x " + opinion.grid + " cells"].filter(Boolean).join(", "),
      place: this.placeWords,
      worth: opinion.rows[index].map?.brief ?? "",
    };
  }

  // Where the map is hottest, and a caution; empty where the anatomy was not found.
  get placeWords() {
    const { opinion, index } = this.map;
    const { place, caution } = opinion.places?.find(({ finding }) => finding === opinion.rows[index].finding) ?? {};
    return [place, caution].filter(Boolean).join(". ");
  }

  // `on`: maps are switched on; `hidden`: the visitor reads the film alone.
  set(on, hidden) {
    this.on = on;
    this.hidden = hidden;
    if (!this.map) this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.canvas.hidden = !this.isShown;
    this.legend.hidden = !this.isShown;
    this.evidence.hidden = this.words === null || this.hidden;
    // Hidden things are not on the page either, not even out of sight.
    this.evidence.querySelector(".evidence-text").textContent = this.evidence.hidden ? "" : this.words;
    if (!this.isShown) return this.clearWords();
    const { finding, score, maximum, cells, place, worth } = this.legendWords;
    this.legend.querySelector(".legend-finding").textContent = finding;
    this.legend.querySelector(".legend-score").textContent = score; // the list is out of sight in full screen
    this.legend.querySelector(".legend-maximum").textContent = maximum;
    this.legend.querySelector(".legend-place").textContent = place;
    this.legend.querySelector(".legend-place").title = place && "The map is hottest here: " + place;
    this.legend.querySelector(".legend-worth").textContent = worth;
    this.legend.querySelector(".legend-worth").title = this.map.opinion.rows[this.map.index].map?.says ?? "";
    this.legend.querySelector(".legend-cells").textContent = cells;
  }

  clearWords() {
    for (const name of ["finding", "score", "place", "worth"]) this.legend.querySelector(".legend-" + name).textContent = "";
    for (const name of ["place", "worth"]) this.legend.querySelector(".legend-" + name).title = "";
  }
}
