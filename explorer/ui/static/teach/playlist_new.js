// Films for a new or an existing playlist: drawn from a slice, typed as a list, simulated, or none yet.

import { countText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { KINDS_ABOUT_ONE_FINDING, fillKinds } from "../shared/question_kinds.js";
import { refusalWords, showRefusal, showWithCommands } from "../shared/refusal.js";
import { unpackSlice } from "../shared/teach_address.js";

const BEFORE_CHOICE = "slice";
const LAST_SEED = 999_999;
const MAKE_TEXTS = { slice: "Draw films", list: "Find films", simulate: "Make films", empty: "Make" };
const SERVER_CALLS = { slice: "playlist_drawn", list: "playlist_typed", simulate: "playlist_ordered", empty: "playlist_begun" };
const OFFERED_KINDS = { slice: (kind) => kind !== "pair", list: (kind) => kind !== "pair", simulate: () => true, empty: () => true };

export class NewPlaylist {
  constructor(room, teach) {
    this.teach = teach;
    this.section = room.querySelector(".playlist-new");
    this.find = (name) => this.section.querySelector(name);
    this.status = this.find(".new-said");
    this.asked = 0;
    this.source = null;
    this.titled = ""; // the title that the page suggested
    fillKinds(this.find(".new-kind"));
    this.find(".new-seed").value = Math.floor(Math.random() * (LAST_SEED + 1));
    for (const button of this.section.querySelectorAll("[data-way]")) button.addEventListener("click", () => teach.change({ new: button.dataset.way }));
    this.find(".new-form").addEventListener("submit", (event) => this.make(event));
    this.find(".new-kind").addEventListener("change", () => {
      this.draw();
      this.lookUpSlice(); // a film's difficulty is that of a question
    });
    this.find(".new-into").addEventListener("change", (event) => teach.change({ new: this.source, into: event.target.value || null }));
    this.find(".new-explore").addEventListener("click", (event) => {
      event.preventDefault();
      location.hash = "#explore";
    });
  }

  // `way`: the source of the films; "start" before a choice, null while another part is shown.
  show(source) {
    this.section.hidden = !source;
    if (!source) return;
    this.source = source in MAKE_TEXTS ? source : BEFORE_CHOICE;
    this.status.textContent = "";
    this.draw();
    this.lookUpSlice();
  }

  // The playlists that can take films.
  offerPlaylists(playlists) {
    const into = this.find(".new-into");
    const options = playlists.map(({ key, title }) => Object.assign(document.createElement("option"), { value: key, textContent: title }));
    into.replaceChildren(into.options[0], ...options);
    this.draw();
  }

  draw() {
    const { source, teach } = this;
    if (!source) return;
    for (const button of this.section.querySelectorAll("[data-way]")) button.setAttribute("aria-pressed", String(button.dataset.way === source));
    for (const part of this.section.querySelectorAll(".new-part")) part.hidden = !part.dataset.ways.split(" ").includes(source);
    const kind = this.find(".new-kind");
    for (const option of kind.options) option.disabled = !OFFERED_KINDS[source](option.value);
    if (kind.selectedOptions[0].disabled) kind.value = "findings";
    const about = source === "list" && KINDS_ABOUT_ONE_FINDING.includes(kind.value);
    this.find(".new-about").hidden = !about;
    this.find(".new-finding").required = about;
    this.find(".new-normals").disabled = kind.value === "pair";
    const into = this.find(".new-into");
    into.closest("label").hidden = source === "empty";
    into.value = source === "empty" ? "" : (teach.state.into ?? "");
    this.find(".new-name").hidden = Boolean(into.value);
    this.find(".new-title").required = !into.value;
    this.find(".new-make").textContent = MAKE_TEXTS[source];
    this.find(".new-make").disabled = source === "slice" && !teach.state.slice;
  }

  // The contents of the slice that Explore sent.
  async lookUpSlice() {
    const { slice } = this.teach.state;
    const place = this.find(".new-slice");
    this.asked += 1;
    this.offerDifficulty({});
    if (this.source !== "slice") return;
    place.textContent = slice ? "Counting" : "No slice is chosen yet.";
    if (!slice) return;
    const isLatest = watchLatest(() => this.asked);
    const answer = await this.teach.ask("playlist_slice", { state: unpackSlice(slice), kind: this.find(".new-kind").value });
    if (!isLatest()) return;
    if (answer.stage !== "slice") return showRefusal(place, answer);
    place.textContent = answer.sentence + ": " + countText(answer.films, "film") + ", " + countText(answer.pairs, "pair") + ".";
    this.offerDifficulty(answer.difficulty);
    this.suggestTitle(answer.title);
  }

  // How many films classes found easy, medium or hard; nothing is offered where no class answered one.
  offerDifficulty(counts) {
    const choice = this.find(".new-hard");
    const known = Object.keys(counts).length > 0;
    this.find(".new-difficulty").hidden = !known;
    if (!known) choice.value = "any";
    for (const option of choice.options) {
      if (option.value in counts) option.textContent = option.value + ": " + countText(counts[option.value], "film");
    }
  }

  // A title that the teacher typed stays.
  suggestTitle(words) {
    const field = this.find(".new-title");
    if (field.value === this.titled) field.value = this.titled = words;
  }

  get readNumber() {
    return (name) => {
      const { value } = this.find(name);
      return value === "" ? null : Number(value);
    };
  }

  get order() {
    const { readNumber, find } = this;
    const common = { into: find(".new-into").value, title: find(".new-title").value, kind: find(".new-kind").value };
    const drawn = { n: readNumber(".new-n"), seed: readNumber(".new-seed") };
    if (this.source === "slice") return { ...common, ...drawn, state: unpackSlice(this.teach.state.slice), balance: find(".new-balance").value, difficulty: find(".new-hard").value };
    if (this.source === "list") return { ...common, text: find(".new-list").value, finding: find(".new-finding").value };
    if (this.source === "empty") return common;
    const findings = [...this.section.querySelectorAll(".new-findings input:checked")].map(({ value }) => value);
    const hundredths = (name) => Math.round(100 * (readNumber(name) ?? 0));
    const normals = common.kind === "pair" ? 0 : readNumber(".new-normals");
    return { ...common, ...drawn, findings, center: find(".new-center").value, low: hundredths(".new-low"), high: hundredths(".new-high"), normals };
  }

  async make(event) {
    event.preventDefault();
    this.status.textContent = "Drawing";
    const answer = await this.teach.ask(SERVER_CALLS[this.source], this.order);
    showWithCommands(this.status, answer.stage === "kept" ? "" : refusalWords(answer));
    if (answer.stage !== "kept") return;
    this.find(".new-title").value = this.titled = "";
    this.teach.open(answer.key, answer.said);
  }
}
