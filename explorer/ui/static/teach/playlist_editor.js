// The editor of a playlist: title and texts, films in their order, saved after every change.

import { download } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { KINDS_ABOUT_ONE_FINDING, fillKinds } from "../shared/question_kinds.js";
import { refusalWords, showRefusal, showWithCommands } from "../shared/refusal.js";
import { FilmRow } from "./playlist_film.js";
import { FilmOrder } from "./playlist_order.js";
import { PlaylistPictures } from "./playlist_pictures.js";

export class PlaylistEditor {
  constructor(room, teach) {
    this.teach = teach;
    this.section = room.querySelector(".playlist-editor");
    const find = (name) => this.section.querySelector(name);
    this.find = find;
    this.texts = { title: find(".playlist-title"), about: find(".playlist-about"), closing: find(".playlist-closing") };
    this.status = find(".editor-said");
    this.films = find(".editor-films");
    this.hidden = find(".editor-hidden");
    this.asked = 0;
    this.now = null; // {key, version}
    this.rows = [];
    this.saving = null; // a promise while a change is being saved
    this.order = new FilmOrder(this.films, (rows, words) => this.takeOrder(rows, words));
    this.pictures = new PlaylistPictures(teach, () => ({ rows: this.rows, version: this.now?.version }));
    for (const field of Object.values(this.texts)) field.addEventListener("change", () => this.saveSoon());
    this.hidden.addEventListener("change", () => teach.change({ hide: this.hidden.checked ? "1" : null }));
    find(".editor-back").addEventListener("click", () => teach.change({ playlist: null }));
    find(".editor-add").addEventListener("click", () => teach.change({ new: "slice", into: this.now.key }));
    find(".editor-copy").addEventListener("click", () => this.copy());
    find(".editor-export").addEventListener("click", () => this.exportFile());
    this.bindDelete(find(".editor-delete"));
    find(".editor-all").addEventListener("submit", (event) => this.setAllQuestions(event));
    fillKinds(find(".all-kind"));
    find(".all-kind").addEventListener("change", () => this.showAll());
    this.showAll();
  }

  // The playlist of a key; null: none.
  show(key) {
    this.section.hidden = !key;
    const hide = Boolean(this.teach.state.hide);
    if (!key) return void (this.now = null);
    if (this.now?.key === key && this.now.hide === hide && !this.teach.message) return;
    this.open(key);
  }

  async open(key) {
    this.asked += 1;
    const isLatest = watchLatest(() => this.asked);
    const hide = Boolean(this.teach.state.hide);
    const answer = await this.teach.ask("playlist_shown", { key, hidden: hide });
    if (!isLatest()) return;
    if (answer.stage !== "playlist") return this.showRefusal(answer);
    this.now = { key, hide };
    this.draw(answer);
    this.showWords(this.teach.message);
    this.teach.message = "";
  }

  showRefusal(refusal) {
    this.now = null;
    this.section.hidden = true;
    showRefusal(this.teach.list.status, refusal);
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
    this.takeVersion(answer);
    this.pictures.load(answer.key);
  }

  // Take the server's version of a playlist whose films have not moved; `sent`: the request, by film.
  takeVersion(answer, sent = []) {
    this.now.version = answer.version;
    this.rows.forEach((row, at) => row.takeVersion(answer.films[at], at, sent[at]));
    this.find(".editor-count").textContent = countText(answer.films.length, "film");
    this.find(".editor-none").hidden = Boolean(answer.films.length);
    this.find(".editor-all").hidden = this.find(".editor-keys").hidden = !answer.films.length;
    const removedNote = this.find(".editor-gone");
    removedNote.textContent = answer.gone;
    removedNote.hidden = !answer.gone;
  }

  showWords(words) {
    showWithCommands(this.status, words);
  }

  // One change after the other, each from the editor's contents at that time.
  saveSoon(words = "") {
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
      if (answer.stage !== "playlist") return this.showNotSaved(answer);
      const same = rows.length === this.rows.length && rows.every((row, place) => row === this.rows[place]);
      if (same) this.takeVersion(answer, films);
      else {
        this.now.version = answer.version;
        rows.forEach((row, at) => (row.at = at));
      }
      this.showWords(words || answer.said);
      this.teach.list.load();
    }
  }

  // Changes made elsewhere meanwhile are shown; invalid text stays to be corrected.
  async showNotSaved(refusal) {
    this.again = null;
    const { key } = this.now;
    if (refusal.title.includes("another window")) {
      this.teach.message = refusalWords(refusal);
      return this.open(key);
    }
    this.showWords("Not saved. " + refusalWords(refusal));
  }

  takeOrder(rows, words) {
    this.rows = rows.map((element) => this.rows.find(({ row }) => row === element));
    this.rows.forEach((row, place) => row.showNumber(place));
    this.saveSoon(words);
  }

  remove(row) {
    const place = this.rows.indexOf(row);
    this.rows.splice(place, 1);
    row.row.remove();
    this.rows.forEach((each, at) => each.showNumber(at));
    (this.rows[Math.min(place, this.rows.length - 1)]?.row ?? this.find(".editor-add")).focus();
    this.saveSoon("Film " + (place + 1) + " removed.");
  }

  move(row, by) {
    this.order.move(row.row, by);
  }

  showAll() {
    const about = KINDS_ABOUT_ONE_FINDING.includes(this.find(".all-kind").value);
    this.find(".all-about").hidden = !about;
    this.find(".all-finding").required = about;
  }

  setAllQuestions(event) {
    event.preventDefault();
    const [kind, finding] = [this.find(".all-kind").value, this.find(".all-finding").value];
    const rows = this.rows.filter((row) => row.canAsk(kind, finding));
    for (const row of rows) row.setQuestion(kind, finding);
    const left = this.rows.length - rows.length;
    this.saveSoon(countText(rows.length, "question") + " changed." + (left ? " " + countText(left, "film") + " cannot have this question: a pair needs a simulated film with the finding." : ""));
  }

  async copy() {
    const answer = await this.teach.ask("playlist_copied", { key: this.now.key });
    if (answer.stage === "kept") this.teach.open(answer.key, answer.said);
    else this.showWords(refusalWords(answer));
  }

  async exportFile() {
    await this.saving;
    const answer = await this.teach.ask("playlist_exported", { key: this.now.key });
    if (answer.stage !== "file") return this.showWords(refusalWords(answer));
    download(new Blob([answer.text], { type: "application/json" }), answer.name);
    this.showWords(answer.name + " saved.");
  }

  // Confirmed once: a deleted playlist is gone for good.
  bindDelete(button) {
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
      if (answer.stage !== "kept") return this.showWords(refusalWords(answer));
      this.teach.change({ playlist: null });
      this.teach.list.status.textContent = answer.said;
    });
  }
}
