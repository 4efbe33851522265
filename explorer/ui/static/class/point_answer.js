// An answer that points: a mark on the film, by a tap or by the arrow keys; or "not there".

import { make } from "../shared/elements.js";
import { pointWords } from "./answer_words.js";

const ARROW_MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STEP = 0.01; // as shares of the film's sides

export class PointAnswer {
  open = "Tap the film, or say that it is not there";

  // `side` is the film, `places` its places in words or null; `changed()` after each change.
  constructor(side, places, changed) {
    this.side = side;
    this.places = places;
    this.changed = changed;
    this.point = null;
    this.absent = false;
    this.view = side.views[0];
    this.element = make("div", "class-point-answer");
    this.absence = make("button", "class-quiet-button", "Not there");
    this.absence.type = "button";
    this.absence.addEventListener("click", () => this.set(null, !this.absent));
    this.words = make("p", "class-hint");
    this.words.setAttribute("role", "status");
    this.element.append(this.words, this.absence);
    side.tapped = (point) => this.set(point, false);
    this.arrows = (event) => this.move(event);
    this.view.element.addEventListener("keydown", this.arrows);
    this.view.element.dataset.pointing = "";
    this.show();
  }

  set(point, absent) {
    this.point = point;
    this.absent = absent;
    this.show();
    this.changed();
  }

  show() {
    this.absence.setAttribute("aria-pressed", String(this.absent));
    this.view.points.show(this.point ? [{ at: this.point, own: true }] : []);
    this.view.points.follow(this.view.camera);
    this.words.textContent = this.point
      ? "Your mark: " + pointWords(this.point, this.places) + "."
      : this.absent ? "You say that it is not there." : "Tap the film, or use the arrow keys on it.";
  }

  // The first press puts the mark in the middle of the visible part.
  move(event) {
    const step = ARROW_MOVES[event.key];
    if (!step || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const { across, down, zoom } = this.view.camera.visiblePart;
    const start = this.point ?? [across, down];
    const size = this.point ? STEP / Math.max(1, zoom) : 0;
    this.set(start.map((share, at) => Math.min(1, Math.max(0, share + size * step[at]))), false);
  }

  answer() {
    return this.point || this.absent ? { point: this.point } : undefined;
  }

  // The answer has been given: the film accepts no more marks.
  leave() {
    this.side.tapped = null;
    this.view.element.removeEventListener("keydown", this.arrows);
    delete this.view.element.dataset.pointing;
  }
}
