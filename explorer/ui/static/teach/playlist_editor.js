// The editor of a playlist: title and texts, films in their order, saved after every change.

import { download } from "../shared/exports.js";
import { plural } from "../shared/figures.js";
import { latest } from "../shared/latest.js";
import { ABOUT_ONE, offerKinds } from "../shared/question_kinds.js";
import { refusalWords, showRefusal, showWords } from "../shared/refusal.js";
import { FilmRow } from "./playlist_film.js";
import { FilmOrder } from "./playlist_order.js";
import { Pictures } from "./playlist_pictures.js";

export class PlaylistEditor {
  constructor(room, teach) {
    this.teach = teach;
    this.section = room.querySelector(".playlist-editor");
    const find = (name) => this.section.querySelector(name);
    this.find = find;
    this.texts = { title: find(".playlist-title"), about: find(".playlist-about"), closing: find(".playlist-closing") };
    this.said = find(".editor-said");
    this.films = find(".editor-films");
    this.hidden = find(".editor-hidden");
    this.asked = 0;
    this.now = null; // {key, version}
    this.rows = [];
    this.saving = null; // a promise while a change is being saved
    this.order = new FilmOrder(this.films, (rows, words) => this.reordered(rows, words));
    this.pictures = new Pictures(teach, () => ({ rows: this.rows, version: this.now?.version }));
    for (const field of Object.values(this.texts)) field.addEventListener("change", () => this.save());
    this.hidden.addEventListener("change", () => teach.change({ hide: this.hidden.checked ? "1" : null }));
    find(".editor-back").addEventListener("click", () => teach.change({ playlist: null }));
    find(".editor-add").addEventListener("click", () => teach.change({ new: "slice", into: this.now.key }));
    find(".editor-copy").addEventListener("click", () => this.copy());
    find(".editor-export").addEventListener("click", () => this.export());
    this.deleting(find(".editor-delete"));
    find(".editor-all").addEventListener("submit", (event) => this.askAll(event));
    offerKinds(find(".all-kind"));
    find(".all-kind").addEventListener("change", () => this.showAll());
    this.showAll();
  }

  // The playlist of a key; null: none.
  show(key) {
    this.section.hidden = !key;
    const hide = Boolean(this.teach.state.hide);
    if (!key) return void (this.now = null);
    if (this.now?.key === key && this.now.hide === hide && !this.teach.said) return;
    this.open(key);
  }

  async open(key) {
    this.asked += 1;
    const isLatest = latest(() => this.asked);
    const hide = Boolean(this.teach.state.hide);
    const answer = await this.teach.ask("playlist_shown", { key, hidden: hide });
    if (!isLatest()) return;
    if (answer.stage !== "playlist") return this.refused(answer);
    this.now = { key, hide };
    this.draw(answer);
    this.say(this.teach.said);
    this.teach.said = "";
  }

  refused(refusal) {
    this.now = null;
    this.section.hidden = true;
    showRefusal(this.teach.list.said, refusal);
    this.teach.change({ playlist: null });
  }

  /** @param {ui.teach.playlist_payload.PlaylistPayload} answer */
  draw(answer) {
    this.section.hidden = false;
    this.section.dataset.hidden = String(answer.hidden);
    this.hidden.checked = answer.hidden;
    for (const [name, field] of Object.entries(this.texts)) field.value = answer[name];
    this.rows = answer.films.map((film, at) => new FilmRow(film, at, this));
    this.films.replaceChildren(...this.rows.map(({ row }) => row));
    this.keep(answer);
    this.pictures.load(answer.key);
  }

  // Take the server's version of a playlist whose films have not moved; `sent`: the request, by film.
  keep(answer, sent = []) {
    this.now.version = answer.version;
    this.rows.forEach((row, at) => row.keep(answer.films[at], at, sent[at]));
    this.find(".editor-count").textContent = plural(answer.films.length, "film");
    this.find(".editor-none").hidden = Boolean(answer.films.length);
    this.find(".editor-all").hidden = this.find(".editor-keys").hidden = !answer.films.length;
    const gone = this.find(".editor-gone");
    gone.textContent = answer.gone;
    gone.hidden = !answer.gone;
  }

  say(words) {
    showWords(this.said, words);
  }

  // One change after the other, each from the editor's contents at that time.
  save(words = "") {
    this.again = { words };
    this.saving ??= this.saveAll().finally(() => (this.saving = null));
    return this.saving;
  }

  async saveAll() {
    while (this.again && this.now) {
      const { words } = this.again;
      this.again = null;
      const { key, version, hide } = this.now;
      const rows = [...this.rows];
      const texts = Object.fromEntries(Object.entries(this.texts).map(([name, field]) => [name, field.value]));
      const films = rows.map((row) => row.value);
      const answer = await this.teach.ask("playlist_saved", { key, version, hidden: hide, ...texts, films });
      if (this.now?.key !== key) return;
      if (answer.stage !== "playlist") return this.notSaved(answer);
      const same = rows.length === this.rows.length && rows.every((row, place) => row === this.rows[place]);
      if (same) this.keep(answer, films);
      else {
        this.now.version = answer.version;
        rows.forEach((row, at) => (row.at = at));
      }
      this.say(words || answer.said);
      this.teach.list.load();
    }
  }

  // Changes made elsewhere meanwhile are shown; invalid text stays to be corrected.
  async notSaved(refusal) {
    this.again = null;
    const { key } = this.now;
    if (refusal.title.includes("another window")) {
      this.teach.said = refusalWords(refusal);
      return this.open(key);
    }
    this.say("Not saved. " + refusalWords(refusal));
  }

  reordered(rows, words) {
    this.rows = rows.map((element) => this.rows.find(({ row }) => row === element));
    this.rows.forEach((row, place) => row.number(place));
    this.save(words);
  }

  remove(row) {
    const place = this.rows.indexOf(row);
    this.rows.splice(place, 1);
    row.row.remove();
    this.rows.forEach((each, at) => each.number(at));
    (this.rows[Math.min(place, this.rows.length - 1)]?.row ?? this.find(".editor-add")).focus();
    this.save("Film " + (place + 1) + " taken out.");
  }

  move(row, by) {
    this.order.move(row.row, by);
  }

  showAll() {
    const about = ABOUT_ONE.includes(this.find(".all-kind").value);
    this.find(".all-about").hidden = !about;
    this.find(".all-finding").required = about;
  }

  askAll(event) {
    event.preventDefault();
    const [kind, finding] = [this.find(".all-kind").value, this.find(".all-finding").value];
    const rows = this.rows.filter((row) => row.mayAsk(kind, finding));
    for (const row of rows) row.ask(kind, finding);
    const left = this.rows.length - rows.length;
    this.save(plural(rows.length, "question") + " changed." + (left ? " " + plural(left, "film") + " cannot be asked that: a pair needs a simulated film with the finding." : ""));
  }

  async copy() {
    const answer = await this.teach.ask("playlist_copied", { key: this.now.key });
    if (answer.stage === "kept") this.teach.open(answer.key, answer.said);
    else this.say(refusalWords(answer));
  }

  async export() {
    await this.saving;
    const answer = await this.teach.ask("playlist_exported", { key: this.now.key });
    if (answer.stage !== "file") return this.say(refusalWords(answer));
    download(new Blob([answer.text], { type: "application/json" }), answer.name);
    this.say(answer.name + " saved.");
  }

  // Confirmed once: a deleted playlist is gone for good.
  deleting(button) {
    const settle = () => {
      delete button.dataset.sure;
      button.textContent = "Delete";
    };
    button.addEventListener("blur", settle);
    button.addEventListener("click", async () => {
      if (!button.dataset.sure) {
        button.dataset.sure = "1";
        return void (button.textContent = "Delete for good");
      }
      settle();
      const answer = await this.teach.ask("playlist_deleted", { key: this.now.key });
      if (answer.stage !== "kept") return this.say(refusalWords(answer));
      this.teach.change({ playlist: null });
      this.teach.list.said.textContent = answer.said;
    });
  }
}
