// "Put a finding into this film", in Read and in a case of Explore: a simulated finding in the active film, once the
// visitor asks, and what the models say of the film with it and without. The film behind it stays as it is: only its
// picture in the lightbox changes.

import { watchLatest } from "./latest.js";
import { refusalWords } from "./refusal.js";
import { callServer, explainMissingFilm } from "./server_calls.js";
import { bindBlink } from "../viewer/blink.js";
import { burnMark } from "../viewer/burned_mark.js";
import { addChange } from "../viewer/film_change.js";
import { isInFront } from "../viewer/keys.js";
import { unpackFilm } from "../viewer/packed.js";
import { ANSWERS } from "./insertion_answers.js";
import { InsertionPanel } from "./insertion_panel.js";

const FIRST = { finding: "Mass", side: "right", severity: 0.6, point: null };
const NO_FINDING = "Open \u201cPut a finding into this film\u201d first.";
const ABOVE_FILM = "SIMULATED FINDING";
/** @type {(item: any) => Promise<any>} */
const ready = async () => null; // a film of Read was read before anything can be put into it

export class Insertion {
  // `room` is what has to be in front for its keys; `button` opens `section`. `server()`: Read's calls; `now()`: the active
  // film; `filmIn(slot)`; `hidden()`: whether its opinion is hidden; `changed()`: another picture is shown. Optional:
  // `beside()`: the second model that has read it, or ""; `first()`: the finding to begin with; `prepare(item)`: resolves
  // to null once the server has the film and its reading, else to a refusal; `use`: what the panel says last.
  constructor({ room, button, section }, { server, lightbox, now, filmIn, hidden, changed, beside = () => "", first = () => null, prepare = ready, use = undefined }) {
    this.button = button;
    this.server = server;
    this.lightbox = lightbox;
    this.now = now;
    this.filmIn = filmIn;
    this.hidden = hidden;
    this.changed = changed;
    this.beside = beside;
    this.first = first;
    this.prepare = prepare;
    this.panel = new InsertionPanel(section, {
      want: (wanted) => this.want(now(), wanted),
      turn: () => this.turn(),
      ask: (name) => this.toggleAnswer(now(), name),
      use,
    });
    button.addEventListener("click", () => this.toggle(now()));
    bindBlink(() => isInFront(room) && this.isOpen(now()) && !now().insertion.shown, () => this.turn());
  }

  isOpen(item) {
    return item?.stage === "read" && !this.hidden() && Boolean(item.insertion?.open);
  }

  // The answer whose picture the film shows; undefined: it shows the film itself.
  shownOn(item) {
    return this.isOpen(item) && item.insertion.shown ? item.insertion.answer : undefined;
  }

  toggle(item) {
    const known = item.insertion;
    item.insertion = known && !known.failed ? { ...known, open: !known.open, shown: true } : this.begin();
    this.show(item);
    if (this.isOpen(item)) this.lightbox.side.scrollIntoView({ block: "nearest" }); // on a phone it was above the button
    if (!item.insertion.answer) this.ask(item);
  }

  begin() {
    return { open: true, shown: true, wanted: { ...FIRST, finding: this.first() ?? FIRST.finding } };
  }

  // With the finding or without: by key, by button.
  turn() {
    const item = this.now();
    if (!this.isOpen(item) || !item.insertion.answer) return this.lightbox.now.showReadoutWords(NO_FINDING);
    item.insertion.shown = !item.insertion.shown;
    this.show(item);
  }

  want(item, wanted) {
    if (!this.isOpen(item)) return;
    item.insertion.wanted = { ...item.insertion.wanted, ...wanted };
    item.insertion.shown = true;
    item.insertion.blind_spots = undefined; // answers about another finding
    if (!("severity" in wanted)) item.insertion.dose_response = undefined;
    this.ask(item);
  }

  // Open or fold one of the further answers, `name` of ANSWERS.
  async toggleAnswer(item, name) {
    const state = item.insertion;
    const known = state[name];
    const mine = known && !known.failed ? known : { open: false };
    state[name] = mine;
    mine.open = !mine.open;
    if (name === "blind_spots" && mine.open) state.shown = false; // its places lie over the film itself
    this.show(item);
    if (mine !== known) await this.askAnswer(item, state, name, mine);
  }

  async askAnswer(item, state, name, mine) {
    const asked = { token: item.token, beside: this.beside(), ...state.wanted };
    const answer = await this.call(name, asked);
    if (item.insertion !== state || state[name] !== mine) return; // the visitor went on to another finding
    if (answer.stage === ANSWERS[name].stage) mine.answer = answer;
    else mine.failed = refusalWords(answer);
    this.show(item);
    if (mine.open && item === this.now()) this.panel.more.scrollIntoView({ block: "nearest" });
  }

  // Another model has answered beside the first, or none is shown there any more.
  besideChanged(item) {
    if (!this.isOpen(item)) return;
    item.insertion.dose_response = undefined;
    this.ask(item);
  }

  // The visitor clicked on the film in `slot`: a finding with a place of its own moves there.
  clicked(slot, point) {
    const item = this.filmIn(slot);
    if (this.isOpen(item) && item.insertion.answer?.point) this.want(item, { point });
  }

  // One question at a time: a slider that moves on meanwhile asks once more, for its last place.
  async ask(item) {
    const state = item.insertion;
    state.stale = true;
    if (state.asking) return;
    state.asking = true;
    while (state.stale) {
      state.stale = false;
      await this.askOnce(item, state);
    }
    state.asking = false;
  }

  async askOnce(item, state) {
    const sameReading = watchLatest(() => item.opinion);
    const refusal = await this.prepare(item);
    const answer = refusal ?? (await this.call("insertion", { token: item.token, beside: this.beside(), ...state.wanted }));
    if (!sameReading() || item.insertion !== state) return;
    if (answer.stage === "insertion") Object.assign(state, { answer, failed: "", pixels: await picture(item, answer) });
    else state.failed = refusalWords(answer);
    if (answer.stage === "insertion" && !state.stale) Object.assign(state.wanted, { side: answer.side });
    this.show(item);
  }

  async call(name, asked) {
    const server = this.server();
    return (await callServer(server[name], asked)) ?? (await explainMissingFilm(server, asked.token));
  }

  // Draw what is known of a film: its part of the panel if it is the active one, and its picture.
  show(item) {
    this.draw(item);
    if (item !== this.now()) return;
    const isRead = item?.stage === "read" && !this.hidden();
    const isOpen = this.isOpen(item);
    this.button.hidden = !isRead;
    this.button.setAttribute("aria-expanded", String(isOpen));
    this.panel.show(isOpen ? item.insertion : null);
    this.lightbox.showFinding(isOpen && item.insertion.answer ? item.insertion.shown : null);
  }

  draw(item) {
    const slot = item && Object.keys(this.lightbox.viewers).find((each) => this.filmIn(each) === item);
    const viewer = slot && this.lightbox.viewers[slot];
    if (!viewer?.film || !item.pixels) return;
    const answer = this.shownOn(item);
    viewer.placeDots.show(placesOf(this.placesOn(item)));
    viewer.placeDots.follow(viewer.camera);
    const pixels = answer ? item.insertion.pixels : item.pixels;
    if (viewer.pixels === pixels) return;
    if (answer) this.lightbox.showPicture(slot, { ...item.film, changes: [answer.mark, ...item.film.changes] }, pixels, ABOVE_FILM);
    else this.lightbox.showPicture(slot, item.film, pixels);
    this.changed();
  }

  // The answer whose places lie over the film; undefined: there are none.
  placesOn(item) {
    return this.isOpen(item) && !item.insertion.shown && item.insertion.blind_spots?.open ? item.insertion.blind_spots.answer : undefined;
  }

  // What `make()` returns while the lightbox shows the film itself, without places.
  withoutFinding(item, make) {
    const { insertion } = item;
    if (!this.isOpen(item)) return make();
    item.insertion = undefined;
    this.draw(item);
    const made = make();
    item.insertion = insertion;
    this.draw(item);
    return made;
  }
}

/** @param {ui.read.insertion_payload.BlindSpotsPayload} [answer] */
function placesOf(answer) {
  return answer ? answer.places.map((place, i) => ({ place, flagged: answer.flagged[i] })) : [];
}

// The film with the finding and the mark in its pixels.
/**
 * @param {any} item
 * @param {ui.read.insertion_payload.InsertionPayload} answer
 */
async function picture(item, { change, mark }) {
  const changed = addChange(item.pixels, change, await unpackFilm(change.image, change.checksum));
  burnMark(changed, mark);
  return changed;
}
