// The same patient as the other center would have filmed them, beside the film: it shows what belongs to the patient,
// and what to the center.

import { scoreText } from "../shared/figures.js";
import { callServer } from "../shared/server_calls.js";
import { unpackFilm } from "../viewer/packed.js";
import { NewestOnly } from "./newest.js";

const orderKey = (order) => JSON.stringify(order);

export class OtherCenter {
  // `arrived()`: something new can be drawn.
  constructor(server, lightbox, arrived) {
    this.server = server;
    this.lightbox = lightbox;
    this.arrived = arrived;
    this.film = null; // {key, center, film, pixels, masks, said}
    this.asking = new NewestOnly(server.simulated_elsewhere, (answered, order, isLatest) => this.takeAnswer(answered, order, isLatest));
  }

  request(order) {
    if (!order || this.film?.key === orderKey(order)) return this.asking.forget();
    if (!this.asking.wanted || orderKey(this.asking.wanted) !== orderKey(order)) this.asking.request(order);
  }

  async takeAnswer(answer, order, isLatest) {
    if (answer.stage !== "film") return this.lightbox.now.showReadoutWords("The other center's film could not be drawn. " + answer.title + ".");
    const pixels = await unpackFilm(answer.film.image, answer.film.checksum);
    if (!isLatest()) return;
    const { center, film, masks } = answer;
    const takenFilm = (this.film = { key: orderKey(order), center, film, pixels, masks, said: null });
    this.arrived();
    takenFilm.said = await callServer(this.server.simulated_elsewhere_read, order);
    if (this.film === takenFilm) this.arrived();
  }

  // `order`: that of the displayed film, or false while it is shown alone.
  show(order, chosen) {
    this.request(order);
    const otherFilm = order && this.film?.key === orderKey(order) ? this.film : null;
    this.lightbox.toolbar.setPressed("centers", Boolean(order));
    if (!otherFilm && this.lightbox.hasTwo) this.lightbox.clear("b");
    this.shown = otherFilm;
    if (!otherFilm) return this.lightbox.showNames({});
    if (this.drawn !== otherFilm || !this.lightbox.hasTwo) this.lightbox.showFilm("b", otherFilm.film, otherFilm.pixels);
    this.drawn = otherFilm;
    this.lightbox.showNames({ a: { name: "Center " + order.center }, b: { name: "Center " + otherFilm.center + ", the same patient" } });
    this.lightbox.showMasks("b", otherFilm.masks, chosen);
  }

  // The classifier's reading there.
  get descriptionLines() {
    if (!this.shown) return [];
    const { center, said: reading } = this.shown;
    if (!reading) return ["Center " + center + ": reading the film."];
    if (reading.stage !== "said") return ["Center " + center + ": " + reading.title + "."];
    return reading.rows.map(({ finding, score: value, outcome }) => "The same patient at center " + center + ": " + finding + " " + scoreText(value) + (outcome ? ", " + outcome : "") + " (" + reading.model + ").");
  }
}
