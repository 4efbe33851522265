// A film, or the two of a pair, with its line of words and tools. It stays through question, answer and reveal.

import { make } from "../shared/elements.js";
import { SIMULATED } from "../viewer/film_label.js";
import { Contrast } from "./contrast.js";
import { FilmView } from "./film_view.js";
import { bindFilmKeys, makeKeyList } from "./film_keys.js";
import { makeTool } from "./tool.js";

export const FILM_NAMES = ["First film", "Second film"];
const ZOOM_STEP = 1.5; // per press

export class FilmSide {
  // `asked` as /film/{i} answers.
  /** @param {school.classroom.payloads.LearnerFilmPayload} asked */
  constructor(asked, films) {
    this.film = asked.film;
    this.tapped = null; // called with the tapped point while a question waits for one
    this.element = make("section", "class-side");
    this.element.setAttribute("aria-label", "Film");
    this.views = asked.pictures.map((picture, place) => this.makeView(asked, picture, place));
    this.pair = this.views.length > 1;
    this.contrast = new Contrast((win) => this.setWindow(win), () => this.reset());
    const stages = make("div", "class-stages");
    stages.append(...this.views.map(({ element }) => element));
    this.element.append(this.makeLine(asked, films), ...(this.pair ? [this.makeSwitch()] : []), stages, this.contrast.element);
    if (this.pair) this.switchTo(0);
    bindFilmKeys(this);
  }

  makeView(question, picture, place) {
    const name = question.pictures.length > 1 ? FILM_NAMES[place] : "Film " + (question.film + 1);
    const view = new FilmView(question, name, {
      tapped: (point) => this.tapped?.(point),
      moved: (seen) => this.forEachOther(view, (other) => other.showPart(seen)),
      windowed: (win) => this.setWindow(win),
      swiped: (step) => this.pair && this.switchTo(this.shown + step),
      adjusts: () => this.contrast.isOpen,
    });
    view.load(picture);
    return view;
  }

  forEachOther(view, tell) {
    for (const other of this.views) if (other !== view) tell(other);
  }

  makeLine({ film, simulated }, films) {
    const line = make("div", "class-line");
    const words = make("p", "class-line-words");
    words.append(make("span", "class-number", "Film " + (film + 1) + " of " + films));
    if (simulated) words.append(make("span", "class-simulated", SIMULATED));
    const zoom = (factor) => () => this.views[this.shown ?? 0].zoomBy(factor);
    const contrast = makeTool("\u25d0", "Contrast", () => this.contrast.toggle(contrast));
    contrast.setAttribute("aria-expanded", "false");
    line.append(words, makeTool("\u2212", "Zoom out", zoom(1 / ZOOM_STEP)), makeTool("+", "Zoom in", zoom(ZOOM_STEP)), contrast);
    line.append(makeTool("?", "Keys and gestures", () => makeKeyList().showModal(), "class-tool-keys"));
    return line;
  }

  // Chooses the film of a pair on a phone; where there is room, both are shown side by side.
  makeSwitch() {
    const row = make("div", "class-switch");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "Film on show");
    this.switches = FILM_NAMES.map((words, place) => {
      const button = make("button", "class-switch-button", words);
      button.type = "button";
      button.addEventListener("click", () => this.switchTo(place));
      return button;
    });
    row.append(...this.switches);
    return row;
  }

  switchTo(place) {
    if (!this.views[place]) return;
    this.shown = place;
    this.element.dataset.shown = String(place);
    this.switches.forEach((button, at) => button.setAttribute("aria-pressed", String(at === place)));
  }

  setWindow(win) {
    for (const view of this.views) view.setWindow(win);
    this.contrast.showWindow(win);
  }

  get window() {
    return this.views[0].window;
  }

  reset() {
    for (const view of this.views) view.fit();
  }
}
