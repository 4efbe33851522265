// The same patient as the other center would have filmed them, beside the film: it shows what belongs to the patient,
// and what to the center.

import { score } from "../shared/figures.js";
import { call } from "../shared/server_calls.js";
import { unpackFilm } from "../viewer/packed.js";
import { Newest } from "./newest.js";

const keyOf = (order) => JSON.stringify(order);

export class OtherCenter {
  // `arrived()`: something new can be drawn.
  constructor(server, lightbox, arrived) {
    this.server = server;
    this.lightbox = lightbox;
    this.arrived = arrived;
    this.film = null; // {key, center, film, pixels, masks, said}
    this.asking = new Newest(server.simulated_elsewhere, (answered, order, isLatest) => this.take(answered, order, isLatest));
  }

  want(order) {
    if (!order || this.film?.key === keyOf(order)) return this.asking.forget();
    if (!this.asking.wanted || keyOf(this.asking.wanted) !== keyOf(order)) this.asking.want(order);
  }

  async take(answered, order, isLatest) {
    if (answered.stage !== "film") return this.lightbox.now.say("The other center's film could not be drawn. " + answered.title + ".");
    const pixels = await unpackFilm(answered.film.image, answered.film.checksum);
    if (!isLatest()) return;
    const { center, film, masks } = answered;
    const taken = (this.film = { key: keyOf(order), center, film, pixels, masks, said: null });
    this.arrived();
    taken.said = await call(this.server.simulated_elsewhere_read, order);
    if (this.film === taken) this.arrived();
  }

  // `order`: that of the film on show, or false while it stands alone.
  show(order, chosen) {
    this.want(order);
    const there = order && this.film?.key === keyOf(order) ? this.film : null;
    this.lightbox.toolbar.press("centers", Boolean(order));
    if (!there && this.lightbox.two) this.lightbox.clear("b");
    this.shown = there;
    if (!there) return this.lightbox.names({});
    if (this.drawn !== there || !this.lightbox.two) this.lightbox.put("b", there.film, there.pixels);
    this.drawn = there;
    this.lightbox.names({ a: { name: "Center " + order.center }, b: { name: "Center " + there.center + ", the same patient" } });
    this.lightbox.masks("b", there.masks, chosen);
  }

  // The classifier's reading there.
  get words() {
    if (!this.shown) return [];
    const { center, said } = this.shown;
    if (!said) return ["Center " + center + ": reading the film."];
    if (said.stage !== "said") return ["Center " + center + ": " + said.title + "."];
    return said.rows.map(({ finding, score: value, outcome }) => "The same patient at center " + center + ": " + finding + " " + score(value) + (outcome ? ", " + outcome : "") + " (" + said.model + ").");
  }
}
