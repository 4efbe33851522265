// One film of a class: its gray values in the current window, its place on the stage, and the drawings over it.

import { make } from "../shared/elements.js";
import { Camera } from "../viewer/camera.js";
import { FULL_WINDOW, dragWindow, fillWindowTable, limitWindow } from "../viewer/gray_window.js";
import { SVG } from "../viewer/marks.js";
import { TOP_LEVEL } from "../viewer/packed.js";
import { Areas } from "./areas.js";
import { FilmPointer } from "./film_hand.js";
import { Points } from "./points.js";
import { waitOrOnline } from "./refused.js";

const LEVELS_PER_GRAY = TOP_LEVEL / 255; // 16-bit levels between two grays of a picture
const RETRY_AFTER = 2000; // ms until a picture that did not arrive is requested again

export class FilmView {
  static table = null; // of gray values, shared by the views
  // `tell`: {tapped([x, y] as shares of the film), moved(seen), windowed(window), swiped(step), adjusts()}.
  constructor({ width, height, simulated }, name, tell) {
    this.tell = tell;
    this.window = FULL_WINDOW;
    this.camera = new Camera();
    this.element = make("div", "class-stage");
    Object.assign(this.element, { tabIndex: 0, role: "group", ariaLabel: name + ". Keys: ? lists them" });
    this.frame = make("div", "class-film");
    this.canvas = Object.assign(make("canvas", "class-canvas"), { width, height });
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", (simulated ? "SIMULATED, " : "") + "Chest radiograph");
    this.heat = Object.assign(make("img", "class-heat"), { alt: "", hidden: true });
    this.frame.append(this.canvas, this.heat);
    this.areas = new Areas(makeLayer("masks"));
    this.points = new Points(makeLayer("class-points"));
    this.element.append(this.frame, this.areas.svg, this.points.svg);
    this.frame.style.width = width + "px";
    this.frame.style.height = height + "px";
    this.camera.setFilm(width, height);
    new FilmPointer(this.element, this);
    new ResizeObserver(() => this.resized()).observe(this.element);
  }

  // Load the picture as one gray value per pixel; retried until it arrives.
  async load(source) {
    const image = new Image();
    for (;;) {
      image.src = source;
      try {
        await image.decode();
        break;
      } catch {
        await waitOrOnline(RETRY_AFTER);
        if (!this.element.isConnected) return; // another film is displayed
      }
    }
    const { width, height } = this.canvas;
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    this.context.drawImage(image, 0, 0, width, height);
    this.shown = this.context.getImageData(0, 0, width, height);
    this.pixels = new Uint32Array(this.shown.data.buffer);
    this.grays = Uint8Array.from({ length: width * height }, (_, at) => this.shown.data[4 * at]);
    this.element.dataset.loaded = "";
    this.paint();
  }

  paint() {
    if (!this.grays) return;
    const table = fillWindowTable(this.window, (FilmView.table ??= new Uint32Array(TOP_LEVEL + 1)));
    const at = Uint32Array.from({ length: 256 }, (_, gray) => table[gray * LEVELS_PER_GRAY]);
    for (let i = 0; i < this.grays.length; i++) this.pixels[i] = at[this.grays[i]];
    this.context.putImageData(this.shown, 0, 0);
  }

  setWindow(win) {
    this.window = limitWindow(win);
    if (this.painting) return;
    this.painting = requestAnimationFrame(() => {
      this.painting = 0;
      this.paint();
    });
  }

  // Show a heat map over the film, given as a data URL; null: none.
  showHeat(picture) {
    this.heat.hidden = !picture;
    if (picture) this.heat.src = picture;
  }

  resized() {
    const { clientWidth, clientHeight } = this.element;
    if (!clientWidth || !clientHeight) return; // not on the page yet
    this.camera.setStage(clientWidth, clientHeight);
    this.place();
  }

  place() {
    const { x, y, zoom } = this.camera;
    this.frame.style.transform = "translate(" + x + "px, " + y + "px) scale(" + zoom + ")";
    this.areas.follow(this.camera);
    this.points.follow(this.camera);
  }

  // Changes by the learner: the other film of a pair follows.
  placeByLearner() {
    this.place();
    this.tell.moved(this.camera.visiblePart);
  }

  showPart(seen) {
    this.camera.showPart(seen);
    this.place();
  }

  fit() {
    this.camera.fit();
    this.placeByLearner();
  }

  zoomBy(factor, ...at) {
    this.camera.zoomBy(factor, ...at);
    if (this.camera.zoom <= this.camera.fitZoom) this.camera.fit();
    this.placeByLearner();
  }

  pan(across, down) {
    this.camera.move(across, down);
    this.placeByLearner();
  }

  // Called by film_hand.js.

  tap(x, y) {
    const [across, down] = this.camera.toFilm(x, y);
    const point = [across / this.camera.film.width, down / this.camera.film.height];
    if (point.every((share) => share >= 0 && share <= 1)) this.tell.tapped(point);
  }

  begin() {
    this.windowBefore = this.window;
  }

  adjust(across, down) {
    this.tell.windowed(dragWindow(this.windowBefore, across, down));
  }
}

function makeLayer(className) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  return svg;
}
