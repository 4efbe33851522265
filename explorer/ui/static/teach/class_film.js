// A film of a class, or the two of a pair: the picture, and after the reveal outlines, a heat map and the learners'
// marks.

import { make } from "../shared/elements.js";
import { setAttributes } from "../viewer/ruler.js";
import { SVG } from "../viewer/marks.js";
import { maskColor } from "../viewer/masks.js";

const FILM_NAMES = ["First film", "Second film"];
const [NONE, ONE] = [0, 1]; // displayed outlines: of the finding in question, which comes first; or of all

export class ClassFilm {
  constructor(place) {
    this.place = place;
    this.areasOn = ONE;
    this.map = -1; // the index of the displayed heat map; NONE without one
    this.maps = [];
  }

  // Show something else in the film's place, once; `key` identifies it.
  replaceFilm(element, key) {
    if (this.key === key) return;
    this.key = key;
    this.film = null;
    this.place.replaceChildren(element);
  }

  // `film`: from the server. The same film again has been revealed.
  /** @param {ui.teach.class_payload.ClassFilmPayload} film */
  show(film) {
    if (this.film?.film !== film.film) {
      this.map = -1;
      this.areasOn = ONE;
    }
    this.film = film;
    this.key = null;
    this.maps = (film.reveal?.models ?? []).flatMap(({ model, overlays }) => overlays.map((each) => ({ ...each, model })));
    // the lesson is about this map
    if (film.mark && film.reveal) this.map = this.maps.findIndex(({ finding }) => finding === film.finding);
    this.dots = film.pictures.map(() => make("span", "class-points"));
    const films = make("div", "class-films");
    films.style.setProperty("--ratio", String(film.width / film.height));
    films.dataset.films = String(film.pictures.length);
    films.append(...film.pictures.map((picture, at) => this.makeFilm(picture, at)));
    const words = make("div", "class-words");
    words.append(...[make("p", "class-map-words"), this.makeLegend()].filter(Boolean));
    this.place.replaceChildren(films, words);
    this.draw();
  }

  makeFilm(picture, at) {
    const { film } = this;
    const figure = make("figure", "class-film");
    const frame = make("div", "class-frame");
    const image = make("img", "class-picture");
    image.src = picture;
    image.alt = (film.simulated ? "SIMULATED, " : "") + "Radiograph" + (film.pictures.length > 1 ? ", " + FILM_NAMES[at].toLowerCase() : "") + ", patient's right on the left";
    frame.append(image, this.dots[at]);
    // In a pair, one of the two films has the finding.
    if (film.reveal && (film.pictures.length === 1 || at === film.reveal.pair)) frame.append(make("span", "class-heat"), makeOutlines(film.reveal.areas));
    const marks = [make("span", "class-mark", "R"), make("span", "class-mark", "L")];
    if (film.simulated) marks[0].append(make("span", "class-simulated", "SIMULATED"));
    if (film.pictures.length > 1) figure.append(make("figcaption", "", FILM_NAMES[at]));
    figure.append(marks[0], frame, marks[1]);
    return figure;
  }

  // The legend of the outlines: each in its color, with its source.
  makeLegend() {
    const areas = this.film.reveal?.areas ?? [];
    if (!areas.length) return null;
    const line = make("p", "class-key");
    for (const [at, { finding }] of areas.entries()) {
      const name = make("span", "class-key-name", finding);
      name.style.setProperty("--mask", maskColor(at));
      name.dataset.area = String(at);
      line.append(name);
    }
    if (areas.length > ONE) line.append(make("span", "class-key-more", "+" + (areas.length - ONE) + " more (M)"));
    line.append(make("span", "class-key-source muted", [...new Set(areas.map(({ source }) => source))].join("; ")));
    return line;
  }

  showPoints(points) {
    const pointsKey = JSON.stringify(points);
    const [box] = this.dots ?? [];
    if (!box || box.dataset.shown === pointsKey) return;
    box.dataset.shown = pointsKey;
    box.replaceChildren(
      ...points.map(([x, y]) => {
        const dot = make("span", "class-point");
        Object.assign(dot.style, { left: 100 * x + "%", top: 100 * y + "%" });
        return dot;
      }),
    );
  }

  // none, the first, the next, ..., none
  nextMap() {
    this.map = this.map + 1 < this.maps.length ? this.map + 1 : -1;
    this.draw();
  }

  // one, all, none, one, ...
  toggleAreas() {
    const all = this.film?.reveal?.areas.length ?? NONE;
    this.areasOn = this.areasOn === ONE && all > ONE ? all : this.areasOn === NONE ? ONE : NONE;
    this.draw();
  }

  draw() {
    const map = this.maps[this.map];
    const mapWords = this.place.querySelector(".class-map-words");
    if (mapWords) mapWords.textContent = map ? "Heat map of " + map.finding + " by " + map.model + ". " + map.worth + " " + map.strength : "";
    for (const part of this.place.querySelectorAll(".class-areas, .class-key")) part.classList.toggle("off", this.areasOn === NONE);
    for (const part of this.place.querySelectorAll("[data-area]")) part.classList.toggle("off", Number(part.dataset.area) >= this.areasOn);
    const more = this.place.querySelector(".class-key-more");
    if (more) more.hidden = this.areasOn !== ONE;
    for (const heat of this.place.querySelectorAll(".class-heat")) {
      heat.style.backgroundImage = map ? "url(" + JSON.stringify(map.picture) + ")" : "";
    }
  }
}

function makeOutlines(areas) {
  const svg = document.createElementNS(SVG, "svg");
  setAttributes(svg, { class: "class-areas", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  for (const [at, area] of areas.entries()) {
    const path = area.outlines.map((points) => "M" + points.map(([x, y]) => x + " " + y).join("L") + "Z").join("");
    for (const name of ["class-halo", "class-outline"]) {
      const line = document.createElementNS(SVG, "path");
      setAttributes(line, { class: name, d: path });
      line.dataset.area = at;
      if (name === "class-outline") line.style.color = maskColor(at);
      svg.append(line);
    }
  }
  return svg;
}
