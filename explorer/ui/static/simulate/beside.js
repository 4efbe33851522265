// The same patient imaged in another way, beside the film: at the other center, or exposed again. It shows what belongs
// to the patient, and what to the picture.

import { scoreText } from "../shared/figures.js";
import { callServer } from "../shared/server_calls.js";
import { unpackFilm } from "../viewer/packed.js";
import { NewestOnly } from "./newest.js";
import { OTHER_CENTER } from "./state.js";

const keyOf = (asked) => JSON.stringify(asked);

export class FilmBeside {
  // `arrived()`: something new can be drawn.
  constructor(server, lightbox, arrived) {
    this.server = server;
    this.lightbox = lightbox;
    this.arrived = arrived;
    this.film = null; // {key, name, film, pixels, masks, said}
    this.asking = new NewestOnly(server.simulated_beside, (answered, asked, isLatest) => this.takeAnswer(answered, asked, isLatest));
  }

  request(asked) {
    if (!asked || this.film?.key === keyOf(asked)) return this.asking.forget();
    if (!this.asking.wanted || keyOf(this.asking.wanted) !== keyOf(asked)) this.asking.request(asked);
  }

  async takeAnswer(answer, asked, isLatest) {
    if (answer.stage !== "film") return this.lightbox.now.showReadoutWords("The film beside it could not be drawn. " + answer.title + ".");
    const pixels = await unpackFilm(answer.film.image, answer.film.checksum);
    if (!isLatest()) return;
    const { name, film, masks } = answer;
    const takenFilm = (this.film = { key: keyOf(asked), name, film, pixels, masks, said: null });
    this.arrived();
    takenFilm.said = await callServer(this.server.simulated_beside_read, asked);
    if (this.film === takenFilm) this.arrived();
  }

  // `order`: that of the displayed film; `how`: the way it is imaged beside, "" while the film is shown alone.
  show(order, how, chosen) {
    const asked = how ? { order, how } : null;
    this.request(asked);
    const beside = asked && this.film?.key === keyOf(asked) ? this.film : null;
    this.lightbox.toolbar.setPressed("centers", how === OTHER_CENTER);
    this.shown = beside;
    if (asked && !beside && this.lightbox.hasTwo) return; // the film before stays while a slider moves
    if (!beside && this.lightbox.hasTwo) this.lightbox.clear("b");
    if (!beside) return this.lightbox.showNames({});
    if (this.drawn !== beside || !this.lightbox.hasTwo) this.lightbox.showFilm("b", beside.film, beside.pixels);
    this.drawn = beside;
    this.lightbox.showNames({ a: { name: "Center " + order.center }, b: { name: beside.name + ", the same patient" } });
    this.lightbox.showMasks("b", beside.masks, chosen);
  }

  // The classifier's reading there.
  get descriptionLines() {
    if (!this.shown) return [];
    const { name, said: reading } = this.shown;
    if (!reading) return [name + ": reading the film."];
    if (reading.stage !== "said") return [name + ": " + reading.title + "."];
    return reading.rows.map(({ finding, score: value, outcome }) => "The same patient, " + name + ": " + finding + " " + scoreText(value) + (outcome ? ", " + outcome : "") + " (" + reading.model + ").");
  }
}
