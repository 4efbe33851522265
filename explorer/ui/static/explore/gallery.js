// The films of a slice, 24 per page, each once. While labels are hidden a tile has nothing but its picture.

import { breakable, hyphenated, make } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { MARGIN_DIGITS, plural, signed, whole } from "../shared/figures.js";
import { explained } from "../shared/glossary.js";
import { outcomeBadge } from "../shared/outcome.js";
import { SIMULATED } from "../viewer/film_label.js";
import { sliceKey } from "./address.js";
import { alikeWords, apart, figure, named, percentileWords } from "./margins.js";
import { Selection } from "./selection.js";
import { Thumbnails } from "./thumbnails.js";

const PAGE = 24; // films per page, as in explorer.ui.explore.film_order
const ALIKE = "Most similar first: margin, and the share of the cohort's films that are less similar";
const UNCHOSEN = "by percentile where no threshold was chosen";
const LOG_ODDS = "By the distance of the score from its threshold, in log odds, where 0.001 is as far below a threshold of 0.01 as 0.5 is below 0.91: findings with low thresholds come first as often as others";
const ARROWS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Gallery {
  constructor(box, explore) {
    this.box = box;
    this.explore = explore;
    this.tiles = box.querySelector(".tiles");
    this.items = [];
    this.thumbnails = new Thumbnails();
    this.revealed = new Map(); // by id, while labels are hidden
    this.selection = new Selection(box, explore);
    this.tiles.addEventListener("keydown", (event) => this.arrow(event));
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
    const { held } = this;
    this.draw();
    this.box.querySelector(".reveal-all").hidden = !this.hidden || !this.items.length;
    const order = this.box.querySelector(".gallery-order");
    order.textContent = this.order(answer);
    order.title = this.hidden ? "" : LOG_ODDS;
    this.nothing(answer.nothing);
    const at = Math.max(0, this.items.findIndex(({ id }) => id === held)); // marks may have changed, with the same films
    if (held) this.rove(at);
    if (held) this.at(at)?.focus({ preventScroll: true });
  }

  // The id of the film whose tile has the focus; else nothing.
  get held() {
    return this.tiles.contains(document.activeElement) && document.activeElement.closest("li").querySelector(".tile").dataset.case;
  }

  clear() {
    this.items = [];
    this.draw();
  }

  order({ films, missing }) {
    if (!films) return "";
    const order = this.hidden ? "Shuffled" : this.items[0].alike ? ALIKE : this.worst();
    return missing ? order + ". The images are not available: start Tailscope with --images " + missing + "=DIR" : order;
  }

  // Without a label nobody knows how wrong a score is.
  worst() {
    const known = this.items.filter(({ outcome }) => outcome).length;
    const chosen = this.items.filter((item) => item.chosen).length;
    const worst = "Largest errors first" + (chosen === this.items.length ? "" : (chosen ? "; " : ", ") + UNCHOSEN);
    if (known === this.items.length) return worst;
    return (known ? worst + "; without a label, the" : "Not labeled: the") + (chosen ? " furthest above threshold" : " highest percentile") + " first";
  }

  draw() {
    this.thumbnails.forget();
    this.tiles.replaceChildren(...this.items.map((item, index) => this.tile(item, index)));
    this.rove(0);
  }

  tile(item, index) {
    const known = this.hidden ? this.revealed.get(item.id) : item;
    const place = make("li", "tile-place");
    const tile = make("button", "tile");
    Object.assign(tile, { type: "button", tabIndex: -1 });
    tile.dataset.case = item.id;
    tile.append(this.picture(item, known, index));
    if (item.starred) tile.append(make("span", "tile-star", "\u2605"));
    if (this.simulated) tile.append(make("span", "tile-simulated", SIMULATED));
    if (known) tile.append(...this.facts(known));
    if (this.hidden) tile.append(make("span", "tile-number", this.numbered(index)));
    const spoken = known ? this.named(index) + spokenTile(known) : this.numbered(index) + ", hidden";
    tile.setAttribute("aria-label", this.simulated ? SIMULATED + ", " + spoken : spoken);
    if (!this.hidden) place.append(this.selection.box(item));
    place.append(tile);
    if (!known) place.append(this.revealer(item.id, index));
    return place;
  }

  // The film's number for a class: its place among all films, in the shuffled order.
  numbered(index) {
    return "Film " + whole((this.page - 1) * PAGE + index + 1);
  }

  named(index) {
    return this.hidden ? this.numbered(index) + ", " : "";
  }

  revealer(id, index) {
    const button = make("button", "tile-reveal", "Reveal");
    button.type = "button";
    button.dataset.reveal = id;
    button.setAttribute("aria-label", "Reveal " + this.numbered(index).toLowerCase());
    return button;
  }

  picture(item, known, index) {
    const frame = make("span", "tile-film");
    if (!item.thumb) frame.append(this.placeholder(known, index));
    else {
      const image = make("img", "");
      Object.assign(image, { decoding: "async", alt: "", width: 160, height: 160 });
      this.thumbnails.load(image, item.thumb);
      image.addEventListener("error", () => frame.replaceChildren(this.placeholder(known, index)));
      frame.append(image);
    }
    return frame;
  }

  // The name of the missing film's file, unless it could reveal too much.
  placeholder(known, index) {
    const place = make("span", "tile-nothing");
    place.append(breakable("tile-file", known ? known.file ?? known.case : this.numbered(index)));
    place.append(make("span", "tile-why", "no image here"));
    return place;
  }

  facts(item) {
    const who = make("span", "tile-who", whereFrom(item));
    const labels = explained(make("span", "tile-labels", hyphenated(labelWords(item))), labelWords(item));
    const said = item.alike ? this.alike(item) : this.pair(item);
    return [...said, who, labels];
  }

  // The similarity of a film that a text ranks; with its pair where the filters are about one.
  /** @param {ui.explore.film_tiles.TilePayload} item */
  alike(item) {
    const [margin, percentile] = item.alike;
    const head = make("span", "tile-head");
    head.append(make("span", "tile-alike", signed(margin, MARGIN_DIGITS)), make("span", "tile-margin", percentileWords(percentile)));
    head.title = alikeWords(item.alike);
    return this.explore.state.finding || this.explore.state.outcome ? [head, ...this.pair(item)] : [head];
  }

  // Its worst pair in the slice.
  pair(item) {
    const head = make("span", "tile-head");
    head.append(outcomeBadge(item.outcome, pairWords(item)), make("span", "tile-margin", item.margin === null ? "" : apart(item.margin, item)));
    const against = item.threshold === null ? "no threshold" : (item.score < item.threshold ? "<" : "\u2265") + " " + figure(item.threshold, item);
    const numbers = make("span", "tile-numbers", figure(item.score, item) + " " + against);
    numbers.title = named(item.score, item) + ", " + against;
    return [head, make("span", "tile-finding", hyphenated(item.finding)), numbers];
  }

  /** @param {ui.explore.empty_slice.NothingPayload | null} nothing */
  nothing(nothing) {
    const box = this.box.querySelector(".nothing");
    box.hidden = !nothing;
    box.replaceChildren();
    if (!nothing) return;
    box.append(make("p", "nothing-title", nothing.title), make("p", "nothing-detail", nothing.detail));
    const { filters } = this.explore;
    for (const { key, films } of nothing.remedies) {
      const filter = filters.every.find((each) => each.key === key);
      const way = make("button", "nothing-way", "Without " + filters.title(filter) + " " + filters.value(filter) + ": " + plural(films, "film"));
      way.type = "button";
      way.addEventListener("click", () => this.explore.change(filters.without(filter)));
      box.append(way);
    }
  }

  async reveal(ids) {
    const asked = ids.filter((id) => !this.revealed.has(id));
    const answer = await this.explore.ask("slice_reveal", { cases: asked });
    if (!answer?.items) return;
    for (const item of answer.items) this.revealed.set(item.id, item);
    const at = this.index;
    this.draw();
    this.rove(at);
    this.at(at)?.focus({ preventScroll: true });
  }

  click(event) {
    const reveal = event.target.closest("[data-reveal]");
    const tile = event.target.closest(".tile");
    if ((!reveal && !tile) || (tile && this.selection.click(event))) return;
    this.rove([...this.tiles.children].indexOf(event.target.closest("li")));
    if (reveal) this.reveal([reveal.dataset.reveal]);
    else this.explore.change({ case: tile.dataset.case }, { keep: true });
  }

  // The tile of a film, if it is on this page.
  focus(id) {
    const index = this.items.findIndex((item) => item.id === id);
    if (index < 0) return;
    this.rove(index);
    this.at(index).focus();
  }

  // Cases were starred or unstarred.
  star(ids, on) {
    const { held } = this;
    this.items.forEach((item, index) => {
      if (!ids.includes(item.id)) return;
      item.starred = on;
      this.tiles.children[index].replaceWith(this.tile(item, index));
    });
    this.rove(this.index);
    if (held) this.focus(held);
  }

  at(index) {
    return this.tiles.children[index]?.querySelector(".tile");
  }

  // One tile is in the tab order; arrows move among them.
  rove(index) {
    this.index = Math.min(this.items.length - 1, Math.max(0, index));
    this.items.forEach((_, each) => (this.at(each).tabIndex = each === this.index ? 0 : -1));
  }

  arrow(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !event.target.closest(".tile")) return;
    const columns = getComputedStyle(this.tiles).gridTemplateColumns.split(" ").length;
    const delta = { ...ARROWS, ArrowUp: -columns, ArrowDown: columns }[event.key];
    if (delta === undefined) return;
    event.preventDefault();
    this.rove(this.index + delta);
    this.at(this.index).focus();
  }
}

// The outcome of a film and a finding, or the label where there is no threshold.
export const pairWords = ({ outcome, label }) => outcome ?? { present: "labeled present", absent: "labeled absent", uncertain: "uncertain" }[label] ?? "no label";

export function whereFrom({ center, view, sex, age }) {
  const known = (value) => value !== null && value !== "unknown";
  const person = [known(sex) ? sex : "", known(age) ? age : ""].filter((part) => part !== "").join(" ");
  return [center, known(view) ? view : "", person].filter(Boolean).join(" \u00b7 ");
}

function spokenTile(item) {
  const against = item.threshold === null ? "no threshold" : "threshold " + figure(item.threshold, item);
  const labels = (item.present.length ? "labeled " : "") + labelWords(item);
  const alike = item.alike ? [alikeWords(item.alike)] : [];
  const starred = item.starred ? ["starred"] : [];
  return [...starred, ...alike, pairWords(item), item.finding, named(item.score, item), against, whereFrom(item), labels].join(", ");
}
