// One film: its gray values in the current window, the map over it, its place in the stage, and the lines below.

import { fixedText } from "../shared/figures.js";
import { Boxes } from "./boxes.js";
import { Camera } from "./camera.js";
import { ALTERED_PIXELS, labelFilm } from "./film_label.js";
import { Gestures } from "./gestures.js";
import { FULL_WINDOW, dragWindow, fillWindowTable, limitWindow, windowWords } from "./gray_window.js";
import { HeartLines } from "./heart_lines.js";
import { MaskKey } from "./mask_key.js";
import { Masks } from "./masks.js";
import { Overlay } from "./overlay.js";
import { TOP_LEVEL } from "./packed.js";
import { PlaceDots } from "./place_dots.js";
import { Ruler } from "./ruler.js";

const PIXELATED_ZOOM = 4; // screen pixels per shown pixel from which pixels are drawn with sharp edges

export class Viewer {
  // `windowed(viewer)` is called when the visitor changes the window, `moved(viewer)` for zoom or position, and
  // `clicked([x, y])` for a click on the film, in shares of it.
  constructor(view, { windowed, moved, clicked }) {
    this.view = view;
    this.clicked = clicked;
    this.windowed = windowed;
    this.moved = moved;
    this.part = (name) => view.querySelector("." + name);
    this.stage = this.part("stage");
    this.canvas = this.part("film-canvas");
    this.overlay = new Overlay(view);
    this.ruler = new Ruler(this.part("ruler"));
    this.boxes = new Boxes(this.part("boxes"));
    this.masks = new Masks(this.part("masks"));
    this.heartLines = new HeartLines(this.part("heart-lines"));
    this.placeDots = new PlaceDots(this.part("place-dots"));
    this.maskKey = new MaskKey(this.part("mask-key"), this.masks);
    this.camera = new Camera();
    this.window = FULL_WINDOW;
    this.table = new Uint32Array(TOP_LEVEL + 1);
    this.measuring = false;
    this.drawing = false;
    this.pointer = null;
    new Gestures(this.stage, this);
    new ResizeObserver(() => this.resized()).observe(this.stage);
  }

  // `pixels`: from unpackFilm.
  /** @param {ui.viewer.payload.FilmPayload} film */
  show(film, pixels) {
    this.film = film;
    this.pixels = pixels;
    this.canvas.width = pixels.width;
    this.canvas.height = pixels.height;
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.screen = this.context.createImageData(pixels.width, pixels.height);
    this.screenPixels = new Uint32Array(this.screen.data.buffer);
    this.scale = [film.size[0] / pixels.height, film.size[1] / pixels.width];
    this.overlay.clear();
    this.ruler.clear();
    this.boxes.clear();
    this.heartLines.clear();
    this.placeDots.clear();
    this.masks.clear();
    labelFilm(this.view, film);
    this.part("altered").hidden = pixels.intact;
    this.part("altered").textContent = pixels.intact ? "" : ALTERED_PIXELS;
    this.window = FULL_WINDOW;
    this.camera.setFilm(pixels.width, pixels.height);
    this.probe(null);
    this.paint();
    this.resized();
  }

  removeFilm() {
    this.film = this.pixels = null;
    this.canvas.width = this.canvas.height = 0;
    this.overlay.clear();
    this.ruler.clear();
    this.boxes.clear();
    this.heartLines.clear();
    this.placeDots.clear();
    this.masks.clear();
  }

  // Replace the film with one of the same size: window, zoom and position stay, so that only the difference moves.
  replaceFilm(film, pixels) {
    this.film = film;
    this.pixels = pixels;
    labelFilm(this.view, film);
    this.paint();
    this.probe(this.pointer);
  }

  // Gray values

  setWindow(win) {
    this.window = limitWindow(win);
    this.draw();
  }

  changeWindowByVisitor(win) {
    this.setWindow(win);
    this.windowed(this);
  }

  // Once per frame, however often the pointer moves.
  draw() {
    this.showReadout();
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      if (this.film) this.paint();
    });
  }

  paint() {
    const table = fillWindowTable(this.window, this.table);
    const { levels } = this.pixels;
    const out = this.screenPixels;
    for (let i = 0; i < levels.length; i++) out[i] = table[levels[i]];
    this.context.putImageData(this.screen, 0, 0);
  }

  // Place

  resized() {
    const { clientWidth, clientHeight } = this.stage;
    if (!clientWidth || !clientHeight) return; // another tab is in front
    this.camera.setStage(clientWidth, clientHeight);
    if (this.film) this.place();
  }

  place() {
    const { x, y, zoom } = this.camera;
    const frame = this.part("film");
    frame.style.width = this.pixels.width + "px";
    frame.style.height = this.pixels.height + "px";
    frame.style.transform = "translate(" + x + "px, " + y + "px) scale(" + zoom + ")";
    this.canvas.classList.toggle("pixelated", zoom * devicePixelRatio >= PIXELATED_ZOOM);
    this.ruler.follow(this.camera);
    this.boxes.follow(this.camera);
    this.heartLines.follow(this.camera);
    this.placeDots.follow(this.camera);
    this.masks.follow(this.camera);
    this.showReadout();
    this.probe(this.pointer);
  }

  // Changes by the visitor.
  placeByVisitor() {
    this.place();
    this.moved(this);
  }

  // The same place and zoom as another film.
  showPart(seen) {
    this.camera.showPart(seen);
    this.place();
  }

  fit() {
    this.camera.fit();
    this.placeByVisitor();
  }

  oneToOne() {
    this.camera.oneToOne(devicePixelRatio);
    this.placeByVisitor();
  }

  zoom(factor, x, y) {
    this.camera.zoomBy(factor, x, y);
    this.placeByVisitor();
  }

  // In stages: (1, 0) moves the film one stage width to the right.
  move(across, down) {
    this.camera.move(across * this.stage.clientWidth, down * this.stage.clientHeight);
    this.placeByVisitor();
  }

  reset() {
    this.fit();
    this.changeWindowByVisitor(FULL_WINDOW);
  }

  // Gestures

  begin(kind, from) {
    this.before = { window: this.window, at: from, ends: this.ruler.ends };
    if (kind === "ruler") this.ruler.clear();
  }

  drag(kind, from, [x, y]) {
    if (kind === "window") this.changeWindowByVisitor(dragWindow(this.before.window, x - from[0], y - from[1]));
    else if (kind === "ruler") this.measure(from, [x, y]);
    else {
      this.camera.move(x - this.before.at[0], y - this.before.at[1]);
      this.before.at = [x, y];
      this.placeByVisitor();
    }
  }

  click(at) {
    if (!this.film || this.measuring) return;
    const [x, y] = this.camera.toFilm(...at);
    const place = [x / this.pixels.width, y / this.pixels.height];
    if (place.every((share) => share >= 0 && share < 1)) this.clicked(place);
  }

  cancel(kind) {
    if (kind === "window") this.changeWindowByVisitor(this.before.window);
    if (kind === "ruler") this.restoreRuler(this.before.ends);
  }

  pinchBy(across, down, factor, x, y) {
    this.camera.move(across, down);
    this.zoom(factor, x, y);
  }

  // Boxes and masks

  setBoxes(on) {
    this.boxes.switchTo(on);
    if (this.film) this.boxes.follow(this.camera);
  }

  setMasks(on) {
    this.masks.switchTo(on);
    this.maskKey.show(on);
    if (this.film) this.masks.follow(this.camera);
  }

  // Ruler

  setMeasuring(on) {
    this.measuring = on && Boolean(this.film && this.film.spacing);
    this.stage.classList.toggle("measuring", this.measuring);
    if (!on) this.restoreRuler(null);
  }

  restoreRuler(ends) {
    this.ruler.clear();
    if (ends) this.ruler.draw(ends, this.camera);
    this.showReadout();
  }

  measure(from, to) {
    /** @param {number[]} place */
    const inside = ([x, y]) => [
      Math.min(this.pixels.width, Math.max(0, x)),
      Math.min(this.pixels.height, Math.max(0, y)),
    ];
    this.ruler.draw([from, to].map((end) => inside(this.camera.toFilm(...end))), this.camera);
    this.showReadout();
  }

  // Words

  showReadout() {
    const words = [windowWords(this.window), "zoom " + fixedText(this.camera.zoom * devicePixelRatio)];
    if (this.ruler.ends) words.push(this.ruler.lengthText(this.film.spacing, this.scale));
    this.part("readout").textContent = words.join("  \u00b7  ");
  }

  // Show the values at a point of the stage; null: the pointer left. Words shown before are replaced at the next
  // movement.
  probe(at) {
    if (at !== this.pointer) this.showReadoutWords("");
    this.pointer = at;
    this.part("probe").textContent = at && this.film ? this.probeWords(...this.camera.toFilm(...at)) : "";
  }

  probeWords(across, down) {
    const { width, height, levels } = this.pixels;
    const [column, row] = [Math.floor(across), Math.floor(down)];
    if (column < 0 || row < 0 || column >= width || row >= height) return "";
    const value = (levels[row * width + column] / TOP_LEVEL) * 100;
    const words = ["x " + Math.floor(across * this.scale[1]) + " y " + Math.floor(down * this.scale[0])];
    words.push(fixedText(value) + " %");
    if (this.overlay.isShown) words.push(this.overlay.valueText(this.overlay.map.value(down / height, across / width)));
    return words.join("  \u00b7  ");
  }

  showReadoutWords(words) {
    this.part("said").textContent = words;
  }
}
