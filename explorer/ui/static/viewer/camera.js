// The film's place in its stage: zoom in screen pixels (CSS) per shown pixel, and the position of its upper left
// corner.

const LARGEST_ZOOM = 32;
const ALWAYS_VISIBLE = 64; // screen pixels of film that always stay on the stage

export class Camera {
  constructor() {
    this.film = { width: 1, height: 1 };
    this.stage = { width: 1, height: 1 };
    this.fit();
  }

  setFilm(width, height) {
    this.film = { width, height };
    this.fit();
  }

  // After a resize: a fitted film fits again, otherwise the same point stays in the middle.
  setStage(width, height) {
    const old = this.stage;
    this.stage = { width, height };
    if (this.fitted) this.fit();
    else this.move((width - old.width) / 2, (height - old.height) / 2);
  }

  get fitZoom() {
    return Math.min(this.stage.width / this.film.width, this.stage.height / this.film.height);
  }

  fit() {
    this.zoom = this.fitZoom;
    this.x = (this.stage.width - this.film.width * this.zoom) / 2;
    this.y = (this.stage.height - this.film.height * this.zoom) / 2;
    this.fitted = true;
  }

  // One shown pixel per screen pixel; whole offsets, or the browser would blend neighbors.
  oneToOne(ratio) {
    this.zoomTo(1 / ratio, this.stage.width / 2, this.stage.height / 2);
    this.x = Math.round(this.x * ratio) / ratio;
    this.y = Math.round(this.y * ratio) / ratio;
  }

  // The point of the film under (x, y) of the stage stays there.
  zoomTo(zoom, x, y) {
    const smallest = Math.min(this.fitZoom, 1) / 2;
    const next = Math.min(LARGEST_ZOOM, Math.max(smallest, zoom));
    this.x = x - ((x - this.x) * next) / this.zoom;
    this.y = y - ((y - this.y) * next) / this.zoom;
    this.zoom = next;
    this.move(0, 0);
  }

  zoomBy(factor, x = this.stage.width / 2, y = this.stage.height / 2) {
    this.zoomTo(this.zoom * factor, x, y);
  }

  move(across, down) {
    const limited = (at, film, stage) => {
      const kept = Math.min(ALWAYS_VISIBLE, film, stage);
      return Math.min(stage - kept, Math.max(kept - film, at));
    };
    this.x = limited(this.x + across, this.film.width * this.zoom, this.stage.width);
    this.y = limited(this.y + down, this.film.height * this.zoom, this.stage.height);
    this.fitted = false;
  }

  // The visible part of a film, independent of its size and its stage: the zoom as a multiple of fitting, the middle
  // of the stage as shares of the film.
  get visiblePart() {
    const [across, down] = this.toFilm(this.stage.width / 2, this.stage.height / 2);
    return { zoom: this.zoom / this.fitZoom, across: across / this.film.width, down: down / this.film.height, fitted: this.fitted };
  }

  // Show the same part of this film.
  showPart({ zoom, across, down, fitted }) {
    if (fitted) return this.fit();
    this.zoom = zoom * this.fitZoom;
    this.x = this.stage.width / 2 - across * this.film.width * this.zoom;
    this.y = this.stage.height / 2 - down * this.film.height * this.zoom;
    this.move(0, 0);
  }

  // Stage to shown pixels, and the reverse. Pixel (0, 0) covers [0, 1) x [0, 1).
  toFilm(x, y) {
    return [(x - this.x) / this.zoom, (y - this.y) / this.zoom];
  }

  toStage(across, down) {
    return [this.x + across * this.zoom, this.y + down * this.zoom];
  }
}
