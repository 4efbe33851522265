// The films of a slice, 24 per page, each once. While labels are hidden a tile has nothing but its picture.

import { hyphenate, make, makeBreakable } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { casesText } from "../shared/counted.js";
import { MARGIN_DIGITS, signedText, wholeText } from "../shared/figures.js";
import { addMeaning } from "../shared/glossary.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { SIMULATED } from "../viewer/film_label.js";
import { sliceKey } from "./address.js";
import { modelValueText, percentileText, similarityWords, thresholdDistanceText, unitValueText } from "./margins.js";
import { Selection } from "./selection.js";
import { Thumbnails } from "./thumbnails.js";

const FILMS_PER_PAGE = 24; // films per page, as in explorer.ui.explore.film_order
const SIMILARITY_ORDER = "Most similar first: margin, and the share of the cohort's films that are less similar";
const NO_THRESHOLD_ORDER = "by percentile where no threshold was chosen";
const LOG_ODDS_WORDS = "By the distance of the score from its threshold, in log odds, where 0.001 is as far below a threshold of 0.01 as 0.5 is below 0.91: findings with low thresholds come first as often as others";
const ARROW_STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Gallery {
  constructor(box, explore) {
    this.box = box;
    this.explore = explore;
    this.tiles = box.querySelector(".tiles");
    this.items = [];
    this.thumbnails = new Thumbnails();
    this.revealed = new Map(); // by id, while labels are hidden
    this.selection = new Selection(box, explore);
    this.tiles.addEventListener("keydown", (event) => this.handleArrow(event));
    this.tiles.addEventListener("click", (event) => this.click(event));
    box.querySelector(".reveal-all").addEventListener("click", () => this.reveal(this.items.map(({ id }) => id)));
  }

  /** @param {ui.explore.slice_calls.PagePayload} answer */
  show(answer) {
    const { state } = this.explore;
    if (sliceKey(state) !== this.slice) {
      this.revealed.clear();
      this.selection.clear();
    }
    this.slice = sliceKey(state);
    this.hidden = Boolean(state.hide);
    this.simulated = Boolean(answer.simulated);
    this.items = answer.items;
    this.page = answer.page;
    const { focusedId: focusedId } = this;
    this.draw();
    this.box.querySelector(".reveal-all").hidden = !this.hidden || !this.items.length;
    const order = this.box.querySelector(".gallery-order");
    order.textContent = this.orderWords(answer);
    order.title = this.hidden ? "" : LOG_ODDS_WORDS;
    this.showNothing(answer.nothing);
    const at = Math.max(0, this.items.findIndex(({ id }) => id === focusedId)); // marks may have changed, with the same films
    if (focusedId) this.makeTabStop(at);
    if (focusedId) this.tileAt(at)?.focus({ preventScroll: true });
  }

  // The id of the film whose tile has the focus; else nothing.
  get focusedId() {
    return this.tiles.contains(document.activeElement) && document.activeElement.closest("li").querySelector(".tile").dataset.case;
  }

  clear() {
    this.items = [];
    this.draw();
  }

  orderWords({ films, missing }) {
    if (!films) return "";
    const order = this.hidden ? "Shuffled" : this.items[0].alike ? SIMILARITY_ORDER : this.worstFirstWords();
    return missing ? order + ". The images are not available: start Tailscope with --images " + missing + "=DIR" : order;
  }

  // Without a label nobody knows how wrong a score is.
  worstFirstWords() {
    const labeledCount = this.items.filter(({ outcome }) => outcome).length;
    const thresholdCount = this.items.filter((item) => item.chosen).length;
    const worst = "Largest errors first" + (thresholdCount === this.items.length ? "" : (thresholdCount ? "; " : ", ") + NO_THRESHOLD_ORDER);
    if (labeledCount === this.items.length) return worst;
    return (labeledCount ? worst + "; without a label, the" : "Not labeled: the") + (thresholdCount ? " furthest above threshold" : " highest percentile") + " first";
  }

  draw() {
    this.thumbnails.forget();
    this.tiles.replaceChildren(...this.items.map((item, index) => this.makeTile(item, index)));
    this.makeTabStop(0);
  }

  makeTile(item, index) {
    const known = this.hidden ? this.revealed.get(item.id) : item;
    const place = make("li", "tile-place");
    const tile = make("button", "tile");
    Object.assign(tile, { type: "button", tabIndex: -1 });
    tile.dataset.case = item.id;
    tile.append(this.makePicture(item, known, index));
    if (item.starred) tile.append(make("span", "tile-star", "\u2605"));
    if (this.simulated) tile.append(make("span", "tile-simulated", SIMULATED));
    if (known) tile.append(...this.makeFacts(known));
    if (this.hidden) tile.append(make("span", "tile-number small", this.numberOf(index)));
    const spoken = known ? this.nameOf(index) + spokenTileText(known) : this.numberOf(index) + ", hidden";
    tile.setAttribute("aria-label", this.simulated ? SIMULATED + ", " + spoken : spoken);
    if (!this.hidden) place.append(this.selection.makeCheckBox(item));
    place.append(tile);
    if (!known) place.append(this.makeRevealButton(item.id, index));
    return place;
  }

  // The film's number for a class: its place among all films, in the shuffled order.
  numberOf(index) {
    return "Film " + wholeText((this.page - 1) * FILMS_PER_PAGE + index + 1);
  }

  nameOf(index) {
    return this.hidden ? this.numberOf(index) + ", " : "";
  }

  makeRevealButton(id, index) {
    const button = make("button", "tile-reveal", "Reveal");
    button.type = "button";
    button.dataset.reveal = id;
    button.setAttribute("aria-label", "Reveal " + this.numberOf(index).toLowerCase());
    return button;
  }

  makePicture(item, known, index) {
    const frame = make("span", "tile-film");
    if (!item.thumb) frame.append(this.makePlaceholder(known, index));
    else {
      const image = make("img", "");
      Object.assign(image, { decoding: "async", alt: "", width: 160, height: 160 });
      this.thumbnails.load(image, item.thumb);
      image.addEventListener("error", () => frame.replaceChildren(this.makePlaceholder(known, index)));
      frame.append(image);
    }
    return frame;
  }

  // The name of the missing film's file, unless it could reveal too much.
  makePlaceholder(known, index) {
    const place = make("span", "tile-nothing");
    place.append(makeBreakable("tile-file", known ? known.file ?? known.case : this.numberOf(index)));
    place.append(make("span", "tile-why muted", "no image here"));
    return place;
  }

  makeFacts(item) {
    const who = make("span", "tile-who muted", originText(item));
    const labels = addMeaning(make("span", "tile-labels muted", hyphenate(labelWords(item))), labelWords(item));
    const relation = item.alike ? this.makeSimilarity(item) : this.makePair(item);
    return [...relation, who, labels];
  }

  // The similarity of a film that a text ranks; with its pair where the filters are about one.
  /** @param {ui.explore.film_tiles.TilePayload} item */
  makeSimilarity(item) {
    const [margin, percentile] = item.alike;
    const head = make("span", "tile-head");
    head.append(make("span", "tile-alike", signedText(margin, MARGIN_DIGITS)), make("span", "tile-margin muted", percentileText(percentile)));
    head.title = similarityWords(item.alike);
    return this.explore.state.finding || this.explore.state.outcome ? [head, ...this.makePair(item)] : [head];
  }

  // Its worst pair in the slice.
  makePair(item) {
    const head = make("span", "tile-head");
    head.append(makeOutcomeBadge(item.outcome, pairWords(item)), make("span", "tile-margin muted", item.margin === null ? "" : thresholdDistanceText(item.margin, item)));
    const against = item.threshold === null ? "no threshold" : (item.score < item.threshold ? "<" : "\u2265") + " " + modelValueText(item.threshold, item);
    const numbers = make("span", "tile-numbers muted", modelValueText(item.score, item) + " " + against);
    numbers.title = unitValueText(item.score, item) + ", " + against;
    return [head, make("span", "tile-finding", hyphenate(item.finding)), numbers];
  }

  /** @param {ui.explore.empty_slice.NothingPayload | null} nothing */
  showNothing(nothing) {
    const box = this.box.querySelector(".nothing");
    box.hidden = !nothing;
    box.replaceChildren();
    if (!nothing) return;
    box.append(make("p", "nothing-title", nothing.title), make("p", "nothing-detail muted", nothing.detail));
    const { filters } = this.explore;
    for (const { key, films } of nothing.remedies) {
      const filter = filters.every.find((each) => each.key === key);
      const button = make("button", "nothing-way", "Without " + filters.titleOf(filter) + " " + filters.valueText(filter) + ": " + casesText(films, this.explore.words.counted));
      button.type = "button";
      button.addEventListener("click", () => this.explore.change(filters.wordsWithout(filter)));
      box.append(button);
    }
  }

  async reveal(ids) {
    const hiddenIds = ids.filter((id) => !this.revealed.has(id));
    const answer = await this.explore.ask("slice_reveal", { cases: hiddenIds });
    if (!answer?.items) return;
    for (const item of answer.items) this.revealed.set(item.id, item);
    const at = this.index;
    this.draw();
    this.makeTabStop(at);
    this.tileAt(at)?.focus({ preventScroll: true });
  }

  click(event) {
    const reveal = event.target.closest("[data-reveal]");
    const tile = event.target.closest(".tile");
    if ((!reveal && !tile) || (tile && this.selection.handleClick(event))) return;
    this.makeTabStop([...this.tiles.children].indexOf(event.target.closest("li")));
    if (reveal) this.reveal([reveal.dataset.reveal]);
    else this.explore.change({ case: tile.dataset.case }, { keep: true });
  }

  // The tile of a film, if it is on this page.
  focus(id) {
    const index = this.items.findIndex((item) => item.id === id);
    if (index < 0) return;
    this.makeTabStop(index);
    this.tileAt(index).focus();
  }

  // Cases were starred or unstarred.
  star(ids, on) {
    const { focusedId: held } = this;
    this.items.forEach((item, index) => {
      if (!ids.includes(item.id)) return;
      item.starred = on;
      this.tiles.children[index].replaceWith(this.makeTile(item, index));
    });
    this.makeTabStop(this.index);
    if (held) this.focus(held);
  }

  tileAt(index) {
    return this.tiles.children[index]?.querySelector(".tile");
  }

  // One tile is in the tab order; arrows move among them.
  makeTabStop(index) {
    this.index = Math.min(this.items.length - 1, Math.max(0, index));
    this.items.forEach((_, each) => (this.tileAt(each).tabIndex = each === this.index ? 0 : -1));
  }

  handleArrow(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !event.target.closest(".tile")) return;
    const columns = getComputedStyle(this.tiles).gridTemplateColumns.split(" ").length;
    const delta = { ...ARROW_STEPS, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (delta === undefined) return;
    event.preventDefault();
    this.makeTabStop(this.index + delta);
    this.tileAt(this.index).focus();
  }
}

// The outcome of a film and a finding, or the label where there is no threshold.
export const pairWords = ({ outcome, label }) => outcome ?? { present: "labeled present", absent: "labeled absent", uncertain: "uncertain" }[label] ?? "no label";

export function originText({ center, view, sex, age }) {
  const isKnown = (value) => value !== null && value !== "unknown";
  const person = [isKnown(sex) ? sex : "", isKnown(age) ? age : ""].filter((part) => part !== "").join(" ");
  return [center, isKnown(view) ? view : "", person].filter(Boolean).join(" \u00b7 ");
}

function spokenTileText(item) {
  const against = item.threshold === null ? "no threshold" : "threshold " + modelValueText(item.threshold, item);
  const labels = (item.present.length ? "labeled " : "") + labelWords(item);
  const alike = item.alike ? [similarityWords(item.alike)] : [];
  const starred = item.starred ? ["starred"] : [];
  return [...starred, ...alike, pairWords(item), item.finding, unitValueText(item.score, item), against, originText(item), labels].join(", ");
}
