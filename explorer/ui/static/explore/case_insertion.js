// "Put a finding into it" in the case view: Read's panel about the case's film, answered by Read's own calls.

import { Insertion } from "../shared/insertion.js";
import { openFilms } from "../shared/open_films.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";

const USE = "Labels, stored scores and maps are of the film without it. Scores here are computed now, by the model as it ships: they may differ from stored ones.";
const ENDED = { title: "Another film was opened meanwhile", detail: "Press \u201cPut a finding into it\u201d again." };
const NO_MAP = "No map: maps are of the film without the finding.";

export class CaseInsertion {
  // `view`: the CaseView; `insertable`: the findings on offer; `order()` resolves to {token} of the case's film, to a
  // refusal, or to null once another film is requested.
  constructor(view, { insertable, order }) {
    this.view = view;
    this.order = order;
    this.film = null; // of the open case, as Read's: {stage, token, film, pixels, insertion}
    this.insertion = new Insertion({ room: view.dialog, button: view.panel.insertButton, section: view.find("insertion") }, {
      server: () => openFilms.keeper.server,
      lightbox: view.film.lightbox,
      now: () => this.film,
      filmIn: (slot) => (slot === "a" ? this.film : null),
      hidden: () => view.isCovered,
      changed: () => view.draw(),
      first: () => insertable.find((finding) => finding === view.item.finding),
      prepare: (item) => this.prepare(item),
      use: USE,
    });
  }

  // The answer whose picture the viewer shows; undefined: it shows the film itself.
  get shown() {
    return this.insertion.shownOn(this.film);
  }

  get whyNoMap() {
    return this.shown ? NO_MAP : "";
  }

  // The film of the case that was opened, as it arrived.
  begin(film, pixels) {
    this.film = { stage: "read", token: "", film, pixels };
    this.show();
  }

  // Another case is opened, or none: the server may drop the film.
  end() {
    if (this.film?.token) callServer(openFilms.keeper.server.put_away, this.film.token);
    this.film = null;
    this.show();
  }

  show() {
    this.insertion.show(this.film);
  }

  turn() {
    this.insertion.turn();
  }

  clicked(slot, point) {
    this.insertion.clicked(slot, point);
  }

  // Have the server open the film and read it, once.
  async prepare(item) {
    if (item.token) return null;
    const given = (await this.order()) ?? ENDED;
    if (!given.token) return given;
    const { server } = openFilms.keeper;
    if (item !== this.film) { // another case is open
      callServer(server.put_away, given.token);
      return ENDED;
    }
    item.token = given.token;
    const opinion = (await this.readFilm(item.token, this.view.item.facts.model)) ?? (await explainMissingFilm(server, item.token));
    return opinion.stage === "unscored" ? opinion : null;
  }

  // By the model of the slice where this page has it, else by the default one.
  async readFilm(token, model) {
    const { server } = openFilms.keeper;
    const opinion = await callServer(server.opinion, token);
    if (opinion?.model?.name === model || (await callServer(server.choose, { token, model })) !== true) return opinion;
    return callServer(server.opinion, token);
  }
}
