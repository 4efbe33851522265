// How a film gets into the lightbox: opened by the server, unpacked, put into a slot; or the reason why it cannot.

import { watchLatest } from "../shared/latest.js";
import { openFilms } from "../shared/open_films.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";
import { unpackFilm } from "../viewer/packed.js";

export class FilmArrivals {
  // `state`: {hidden, filmFirst} of the tab, whether the opinion is hidden now, and for each new film. `read(item)`
  // has a new film read.
  constructor({ room, server, panel, lightbox, state, read }) {
    this.room = room;
    this.server = server;
    this.panel = panel;
    this.lightbox = lightbox;
    this.state = state;
    this.read = read;
    this.films = openFilms.films;
    this.coming = {}; // by slot, the latest token: an older film does not take its place
  }

  // The current film stays until the new one can take its place: a file that cannot be opened must not cost the
  // visitor a film.
  showOpening(name) {
    this.panel.showNote("");
    if (this.films.a) return this.panel.showNote("Opening " + name);
    this.room.dataset.state = "opening";
    this.panel.show("Opening the film");
  }

  showFailures(refusals) {
    const [first, ...others] = refusals;
    const words = (those) => those.map(refusalWords).join(" ");
    if (this.films.a) return this.panel.showNote(words(refusals));
    this.room.dataset.state = "refused";
    this.panel.show(first.title, first.detail);
    this.panel.showNote(words(others));
  }

  // Show a film that the server has opened. Resolves to a refusal or null, without waiting for the reading.
  // `uploaded`: the visitor's own file, which is lost when the page is left. `batch`: films opened in one step share it.
  async open(wantedSlot, name, token, uploaded = false, batch = undefined) {
    const { server, films } = this;
    this.coming[wantedSlot] = token;
    const isLatest = watchLatest(() => this.coming[wantedSlot]);
    const film = (await callServer(server.film, token)) ?? (await explainMissingFilm(server, token));
    if (film.stage) return film;
    const item = { name, token, film, uploaded, batch, stage: "scoring" };
    let former;
    await this.showInLightbox(item, () => {
      if (!isLatest()) return void callServer(server.put_away, token);
      const slot = films.a ? wantedSlot : "a"; // it may have been closed meanwhile
      former = films[slot];
      films[slot] = item;
      return slot;
    });
    if (!openFilms.slotOf(item)) return null;
    if (former) callServer(server.put_away, former.token);
    this.panel.showNote("");
    this.read(item);
    return null;
  }

  // The film that comes to the front: the new one, unless it is the lateral of two films opened in one step.
  frontSlot(item, slot) {
    const { a } = this.films;
    const isBeside = item.batch !== undefined && a.batch === item.batch && a !== item;
    return isBeside && item.film.view === "lateral" && a.film.view !== "lateral" ? "a" : slot;
  }

  // `place` returns, once the film is unpacked, where it is shown now; undefined: nowhere any more.
  async showInLightbox(item, place) {
    const { lightbox, state } = this;
    const start = performance.now();
    const pixels = await unpackFilm(item.film.image, item.film.checksum);
    item.pixels = pixels;
    const slot = place();
    if (!slot) return;
    const focused = document.activeElement;
    if (state.filmFirst) state.hidden = true;
    lightbox.showFilm(slot, item.film, pixels);
    lightbox.hideOpinion(state.hidden);
    lightbox.activate(this.frontSlot(item, slot));
    if (focused === document.body || focused.closest(".drop, .ways, .stage")) lightbox.now.stage.focus({ preventScroll: true });
    item.film.draw_ms = performance.now() - start;
  }
}
