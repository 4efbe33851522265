// The films of the model in two dimensions: drawn with WebGL; lasso films into the slice, click one to open its case.

import { make } from "../shared/elements.js";
import { countText, percentRateText, percentText, wholeText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { openFilms } from "../shared/open_films.js";
import { areaWord, countFilmsInside } from "./map_area.js";
import { MapData, decodeBase64 } from "./map_data.js";
import { codeName, makeKey, makePalette } from "./map_key.js";
import { MapPointer } from "./map_hand.js";
import { MapPoints } from "./map_points.js";
import { makeAreaForm } from "./map_form.js";
import { ExplorePanel, makeDetails, makeNotice, makePanelChoice, makePlainWords } from "./panel_base.js";

const HOW_TO_READ = "Each mark is a film; films close together look alike to the model. The distance between groups, their size and their direction mean nothing.";
const COLOR_WORDS = { outcome: "outcome", score: "score", group: "group", center: "center" };

export class FilmMap extends ExplorePanel {
  /** @override */
  question = "film_map";

  constructor(box, explore) {
    super(box, explore);
    // Another film in Read has another position.
    openFilms.addEventListener("change", () => this.answer && this.token !== this.tokenOfActiveFilm() && this.redrawForFilm());
  }

  tokenOfActiveFilm() {
    const item = openFilms.now;
    return item?.opinion ? item.token : null;
  }

  /** @override */
  extra() {
    this.token = this.tokenOfActiveFilm();
    return this.token ? { token: this.token } : {};
  }

  /** @override */
  show() {
    const { color } = this.explore.state;
    if (color !== this.color || this.token !== this.tokenOfActiveFilm()) this.answer = null; // known films have another color
    this.color = color;
    return super.show();
  }

  redrawForFilm() {
    if (this.box.offsetParent) this.show();
    else this.answer = null;
  }

  /**
   * @override
   * @param {ui.explore.map_calls.MapPayload | ui.explore.map_calls.MakingPayload} answer
   */
  async draw(answer) {
    if (answer.stage === "making") return this.showWaiting(answer);
    const isLatest = watchLatest(() => this.turn);
    if (this.address !== answer.address) {
      const data = await MapData.load(answer.address, answer.points).catch(() => null);
      if (!isLatest()) return;
      if (!data) return this.showRefusal({ title: "The map could not be drawn", detail: "Its points did not come. Check that Tailscope is still running, then open the panel again." });
      this.data = data;
      this.address = answer.address;
    }
    this.shown = answer; // what the canvas shows, also while another answer is on its way
    this.makeFrame(answer);
    const { by: colorBy } = answer.colors;
    const choices = makePanelChoice("Color by", answer.choices.map((each) => [each, COLOR_WORDS[each]]), colorBy, (color) => this.explore.change({ color }, { keep: true }));
    const key = makeKey(answer.colors, this.explore);
    this.choices.replaceChildren(make("span", "panel-count muted small", "Color by"), choices);
    this.key.replaceChildren(key);
    this.codes = decodeBase64(answer.colors.codes);
    const flags = decodeBase64(answer.colors.flags);
    const chosen = flags.reduce((sum, flag) => sum + flag, 0);
    if (chosen >= answer.films) flags.fill(0); // if all films are in the slice, none stands out
    this.points.show({ x: this.data.x, y: this.data.y, codes: this.codes, flags, ...makePalette(answer.colors, key) });
    this.canvas.setAttribute("aria-label", "Map of " + countText(answer.points, "film") + " by " + COLOR_WORDS[colorBy] + "; the list beside it counts them.");
    this.hand.show(answer);
    this.showBeside(answer, chosen);
    this.box.dataset.drawn = answer.version; // for a visitor who is waiting
  }

  showWaiting({ done, of: total }) {
    const share = total ? Math.round((100 * done) / total) + " %" : "";
    const bar = Object.assign(make("progress", ""), { max: total || 1 });
    if (total) bar.value = done;
    bar.setAttribute("aria-label", "Computing the map");
    this.canvas = null;
    this.box.replaceChildren(makeNotice("The map is being computed", "Once for each cohort and model; it takes a minute for 2,000 films, and continues in the background. " + share, bar));
  }

  // The canvas keeps its place from one slice to the next.
  makeFrame(answer) {
    if (this.canvas && this.box.contains(this.canvas)) return;
    this.canvas = make("canvas", "map-canvas");
    this.canvas.setAttribute("role", "img");
    this.choices = make("div", "map-choices flex-row flex-wraps");
    this.key = make("div", "map-side");
    this.words = make("div", "map-words");
    this.status = make("p", "map-said panel-count muted small");
    this.status.setAttribute("role", "status");
    const place = make("div", "map-place");
    place.append(this.canvas);
    this.points = new MapPoints(this.canvas);
    this.hand = new MapPointer(place, this, answer);
    const body = make("div", "map-body");
    body.append(place, this.key);
    const howToDraw = make("p", "cells-legend muted small", "Draw around films to make them the slice; click one to open it.");
    this.box.replaceChildren(makePlainWords(HOW_TO_READ), this.choices, body, howToDraw, this.hand.drawing, this.status, this.words);
    this.resizeObserver?.disconnect();
    this.resizeObserver = new ResizeObserver(() => this.points.draw());
    this.resizeObserver.observe(this.canvas);
  }

  // Make the films inside these corners the slice; null: the whole map.
  setArea(corners) {
    if (!corners) return this.explore.change({ lasso: null });
    this.showWords(countText(countFilmsInside(corners, this.data, this.shown), "film") + " in the area");
    this.explore.change({ lasso: areaWord(this.shown.version, corners) });
  }

  showWords(words) {
    this.status.textContent = words;
  }

  openCase(at) {
    this.explore.change({ case: this.data.idOf(at) }, { keep: true });
  }

  nameOfPoint(at) {
    return codeName(this.shown.colors, this.codes[at]);
  }

  showBeside({ films, points, worth, made, own, colors, corners }, chosen) {
    const parts = [];
    if (!corners?.length) this.showWords(""); // the area may have been removed in the filter bar
    const larger = chosen < films ? " Larger and brighter: the " + countText(chosen, "film") + " of the slice, wherever they lie." : "";
    const gray = points > films ? " Dim: " + countText(points - films, "film") + " of the map outside these filters." : "";
    const group = colors.by === "group" ? " Group of the rarest finding that is present, of those with a threshold." : "";
    parts.push(make("p", "cells-legend muted small", countText(films, "film") + " of " + wholeText(points) + " on the map." + larger + gray + group));
    if (own) parts.push(this.makeOwnFilm(own));
    parts.push(makeAreaForm(corners, this.answer, (chosenCorners) => this.setArea(chosenCorners)));
    const rate = percentRateText({ value: worth.kept, low: worth.low, high: worth.high }, 0);
    const others = "with two principal components " + wholePercentText(worth.plain) + ", by chance " + wholePercentText(worth.chance);
    parts.push(make("p", "cells-legend muted small", "Of a film's " + worth.neighbors + " nearest by all features, " + rate + " are among its " + worth.neighbors + " nearest here (n = " + countText(worth.asked, "film") + "; " + others + ")."));
    parts.push(makeDetails(["95 % interval: resampling patients. Nearest by cosine distance, as nearest cases are.", made]));
    this.words.replaceChildren(...parts);
  }

  makeOwnFilm({ words, near }) {
    const box = make("div", "map-own");
    const line = make("p", "cells-legend muted small", words);
    const mark = make("span", "map-own-sign", "\u2295 ");
    mark.setAttribute("aria-hidden", "true");
    if (near.length) line.prepend(mark);
    box.append(line);
    const list = make("ul", "map-near");
    for (const { id, case: name } of near) {
      const button = make("button", "panel-link", name);
      button.type = "button";
      button.dataset.key = "map near " + id;
      button.addEventListener("click", () => this.explore.change({ case: id }, { keep: true }));
      const place = make("li", "");
      place.append(button);
      list.append(place);
    }
    if (near.length) box.append(list);
    return box;
  }

  /** @override */
  clear() {
    super.clear();
    this.canvas = null;
    delete this.box.dataset.drawn;
  }
}

const wholePercentText = (share) => percentText(share, 1, share < 0.01 ? 1 : 0);
