// The dialog that adds a film to a playlist, from Explore and from Simulate; made at its first use.

import { make } from "./elements.js";
import { countText } from "./figures.js";
import { KINDS_ABOUT_ONE_FINDING, fillKinds } from "./question_kinds.js";
import { showRefusal } from "./refusal.js";

const NO_ANSWER = { title: "Tailscope is not responding", detail: "Check that it is still running, then try again." };

export class AddFilm {
  // `call(question, sent)` asks the server; `question` names the call that accepts the films.
  constructor({ call, question }) {
    this.call = call;
    this.question = question;
    this.dialog = null;
  }

  // `films`: {words, sent(finding), findings, each, pairs}: the films in words, their request, the findings that a
  // question can be about (`each`: each film about its own), and those that a pair can be about.
  async open(films) {
    this.films = films;
    this.dialog ??= this.makeDialog();
    this.status.textContent = "";
    this.link.hidden = true;
    this.head.textContent = "Add " + films.words + " to a playlist";
    this.about.replaceChildren(...films.findings.map((finding) => make("option", "", finding)));
    for (const option of this.kind.options) {
      const none = KINDS_ABOUT_ONE_FINDING.includes(option.value) && films.findings.length === 0 && !films.each;
      option.disabled = none || (option.value === "pair" && !films.pairs?.length);
    }
    if (this.kind.selectedOptions[0].disabled) this.kind.value = "findings";
    this.showAbout();
    if (!this.dialog.open) this.dialog.showModal();
    const answer = await this.call("playlists_offered", {});
    if (answer?.stage !== "offered") return this.showRefusal(answer);
    const chosenBefore = this.into.value;
    const options = answer.playlists.map(({ key, title, films: n }) => Object.assign(make("option", "", title + " (" + countText(n, "film") + ")"), { value: key }));
    this.into.replaceChildren(this.into.options[0], ...options);
    const latest = answer.playlists.some(({ key }) => key === this.last) ? this.last : chosenBefore;
    this.into.value = latest;
    if (this.into.selectedIndex < 0) this.into.value = "";
    this.showTitle();
  }

  makeDialog() {
    const dialog = make("dialog", "add-film");
    this.head = make("h2", "");
    this.head.id = "add-film-by-" + this.question; // unique, because each tab has such a dialog
    dialog.setAttribute("aria-labelledby", this.head.id);
    const form = make("form", "add-film-form");
    this.into = make("select", "add-film-into");
    this.into.append(Object.assign(make("option", "", "a new playlist"), { value: "" }));
    this.title = Object.assign(make("input", "add-film-name"), { type: "text", maxLength: 120 });
    this.kind = make("select", "add-film-kind");
    fillKinds(this.kind);
    this.about = make("select", "add-film-about");
    this.status = make("p", "add-film-said");
    this.status.setAttribute("role", "status");
    const buttons = make("div", "add-film-ways flex-row");
    this.link = make("a", "add-film-link", "Open it in Teach");
    const close = Object.assign(make("button", "", "Close"), { type: "button" });
    buttons.append(make("button", "add-film-add", "Add"), close, this.link);
    form.append(makeLabeled("Into", this.into), makeLabeled("Title", this.title), makeLabeled("Question", this.kind), makeLabeled("about", this.about), buttons);
    dialog.append(this.head, form, this.status);
    this.into.addEventListener("change", () => this.showTitle());
    this.kind.addEventListener("change", () => this.showAbout());
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("cancel", (event) => event.stopPropagation());
    dialog.addEventListener("close", (event) => event.stopPropagation());
    dialog.addEventListener("keydown", (event) => event.stopPropagation()); // keys must not reach the page below
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.add();
    });
    this.link.addEventListener("click", (event) => {
      event.preventDefault();
      dialog.close();
      location.hash = this.link.hash;
    });
    (document.getElementById("tabs") ?? document.body).append(dialog); // inside the page's styles
    return dialog;
  }

  showTitle() {
    this.title.closest("label").hidden = Boolean(this.into.value);
    this.title.required = !this.into.value;
  }

  showAbout() {
    this.about.closest("label").hidden = !KINDS_ABOUT_ONE_FINDING.includes(this.kind.value) || this.films.each;
  }

  async add() {
    const kind = this.kind.value;
    const finding = KINDS_ABOUT_ONE_FINDING.includes(kind) ? this.about.value : "";
    const answer = await this.call(this.question, { ...this.films.sent(finding), into: this.into.value, title: this.title.value, kind, finding });
    if (answer?.stage !== "kept") return this.showRefusal(answer);
    this.last = answer.key;
    this.link.href = "#teach?playlist=" + answer.key;
    this.link.hidden = false;
    this.status.textContent = answer.said;
    this.title.value = "";
    const option = [...this.into.options].find(({ value }) => value === answer.key) ?? this.into.appendChild(Object.assign(make("option", ""), { value: answer.key }));
    option.textContent = answer.title + " (" + countText(answer.films, "film") + ")";
    this.into.value = answer.key;
    this.showTitle();
  }

  showRefusal(answer) {
    showRefusal(this.status, answer ?? NO_ANSWER);
  }
}

function makeLabeled(words, field) {
  const label = make("label", "add-film-field");
  label.append(make("span", "", words), field);
  return label;
}
