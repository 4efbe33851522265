// A film in the editor: its picture, its question, the texts before it and after its reveal.

import { make, makePlaceLink } from "../shared/elements.js";
import { joinWithAnd } from "../shared/figures.js";
import { KINDS_ABOUT_ONE_FINDING, fillKinds } from "../shared/question_kinds.js";

export class FilmRow {
  /** @param {ui.teach.playlist_payload.PlaylistFilmPayload} film */
  constructor(film, at, editor) {
    this.editor = editor;
    this.film = film;
    this.row = make("li", "editor-film");
    this.row.tabIndex = -1;
    this.place = make("span", "film-place muted");
    this.place.draggable = true;
    this.place.title = "Drag to another place";
    this.picture = make("span", "film-picture muted small");
    this.row.append(this.place, this.picture, this.makeQuestion(), this.makeTexts(), this.makeButtons());
    this.showPicture(film.thumb);
    this.takeVersion(film, at);
  }

  // The editor's request: the film by its index in the displayed version.
  get value() {
    return { at: this.at, kind: this.kind.value, finding: this.finding.value, words: this.words.value, before: this.before.value, note: this.note.value };
  }

  // Take the server's version. A field with the focus keeps its text, and so does text typed since `sent`.
  takeVersion(film, at, sent = null) {
    this.at = at;
    this.film = film;
    const fields = { kind: this.kind, finding: this.finding, words: this.words, before: this.before, note: this.note };
    for (const [name, field] of Object.entries(fields)) {
      const typedSince = field === document.activeElement || (sent && field.value !== sent[name]);
      if (!typedSince && field.value !== film[name]) field.value = film[name];
    }
    this.showNumber(at);
    this.words.placeholder = film.words ? "" : film.asks;
    this.labels.textContent = [film.name, film.labels].filter(Boolean).join(": ");
    this.models.textContent = film.models.length ? "Reveal: scores of " + joinWithAnd(film.models) : "";
    this.models.hidden = !film.models.length;
    this.difficulty.textContent = film.difficulty && "Earlier classes: " + film.difficulty;
    this.difficulty.hidden = !film.difficulty;
    this.gone.textContent = film.gone || film.lacking;
    this.gone.hidden = !this.gone.textContent;
    this.mark.hidden = !film.simulated;
    for (const option of this.kind.options) option.disabled = option.value === "pair" && !film.pairs.length;
    this.showKind();
  }

  showNumber(place) {
    const number = place + 1;
    this.place.textContent = number;
    this.row.setAttribute("aria-label", "Film " + number);
    this.kind.setAttribute("aria-label", "Question of film " + number);
    this.finding.setAttribute("aria-label", "Finding that film " + number + " is asked about");
    this.words.setAttribute("aria-label", "Own words of question " + number);
    this.before.setAttribute("aria-label", "Text with film " + number);
    this.note.setAttribute("aria-label", "Note of film " + number);
    for (const [button, words] of this.buttons) button.setAttribute("aria-label", words + " film " + number);
    this.settle?.();
  }

  showPicture(address) {
    if (!address) return void this.picture.replaceChildren(make("span", "film-none", this.film.made ? "" : "no image"));
    this.picture.replaceChildren(Object.assign(make("img", ""), { src: address, alt: "", loading: "lazy", draggable: false }));
  }

  makeQuestion() {
    const box = make("div", "film-question");
    this.kind = make("select", "film-kind");
    fillKinds(this.kind);
    this.finding = makeField("film-finding", "a finding", 80);
    this.finding.setAttribute("list", "teach-findings");
    this.words = makeField("film-words", "", 300);
    this.labels = make("p", "film-labels");
    this.mark = make("span", "film-simulated", "SIMULATED");
    this.models = make("p", "film-models muted small");
    this.difficulty = make("p", "film-difficulty muted small");
    this.gone = make("p", "film-gone small");
    const about = make("p", "film-about muted small");
    about.append(this.mark, this.labels);
    const line = make("div", "film-asks");
    line.append(this.kind, this.finding);
    box.append(line, this.words, about, this.models, this.difficulty, this.gone);
    this.kind.addEventListener("change", () => this.kindChosen());
    for (const each of [this.finding, this.words]) each.addEventListener("change", () => this.editor.saveSoon());
    return box;
  }

  // A question about one finding is not saved before a finding is chosen.
  kindChosen() {
    this.showKind();
    if (this.kind.value === "pair" && !this.film.pairs.includes(this.finding.value)) this.finding.value = this.film.pairs[0];
    if (this.isAboutOne && !this.finding.value) return this.finding.focus();
    this.editor.saveSoon();
  }

  get isAboutOne() {
    return KINDS_ABOUT_ONE_FINDING.includes(this.kind.value);
  }

  showKind() {
    this.finding.hidden = !this.isAboutOne;
  }

  canAsk(kind, finding) {
    return kind !== "pair" || this.film.pairs.includes(finding);
  }

  setQuestion(kind, finding) {
    this.kind.value = kind;
    this.finding.value = KINDS_ABOUT_ONE_FINDING.includes(kind) ? finding : "";
    this.showKind();
  }

  makeTexts() {
    const box = make("div", "film-texts");
    this.before = makeTextArea("film-before", "with the film");
    this.note = makeTextArea("film-note", "your note, after the reveal");
    for (const each of [this.before, this.note]) each.addEventListener("change", () => this.editor.saveSoon());
    box.append(this.before, this.note);
    if (this.film.link) box.append(makePlaceLink("film-link", "Where the note's number is", this.film.link));
    return box;
  }

  makeButtons() {
    const box = make("div", "film-ways");
    const up = makeButton("film-up", "\u25b2", () => this.editor.move(this, -1));
    const down = makeButton("film-down", "\u25bc", () => this.editor.move(this, 1));
    const removeButton = makeButton("film-away", "\u00d7", () => this.confirmOrRemove());
    /** @type {[HTMLButtonElement, string][]} */
    this.buttons = [[up, "Move up"], [down, "Move down"], [removeButton, "Take out"]];
    this.settle = () => {
      delete removeButton.dataset.sure;
      removeButton.textContent = "\u00d7";
      removeButton.title = "Remove from the playlist";
    };
    removeButton.addEventListener("blur", this.settle);
    this.confirmOrRemove = () => {
      if (removeButton.dataset.sure) return this.editor.remove(this);
      removeButton.dataset.sure = "1";
      removeButton.textContent = "Sure?";
    };
    box.append(up, down, removeButton);
    return box;
  }
}

function makeButton(className, sign, pressed) {
  const button = make("button", className, sign);
  button.type = "button";
  button.addEventListener("click", pressed);
  return button;
}

function makeField(className, placeholder, maxLength) {
  return Object.assign(make("input", className), { type: "text", placeholder, maxLength, autocomplete: "off" });
}

function makeTextArea(className, placeholder) {
  return Object.assign(make("textarea", className), { rows: 2, placeholder, maxLength: 2000 });
}
