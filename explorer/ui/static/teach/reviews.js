// The section Reviews: a new review from a slice of Explore, the readers' progress, and how far they agree.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { makeWithCommands, refusalWords, showRefusal } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { makeBox, makeGrids, makeTable } from "./review_parts.js";
import { makeRelease } from "./review_release.js";
import { ReviewStudy } from "./review_study.js";
import { isTeachAddress, readTeachAddress, teachAddress, unpackSlice } from "../shared/teach_address.js";

const SECTION = "reviews";
const FILE_PIECE = 40_000; // characters
const ASKED_AT_FIRST = 12; // findings: with more, readers lose time

class Reviews {
  constructor(element, server) {
    this.server = server;
    this.find = (name) => element.querySelector(name);
    this.form = this.find(".review-form");
    this.status = this.find(".reviews-said");
    this.slice = "";
    this.find(".reviews-explore").addEventListener("click", (event) => {
      event.preventDefault();
      location.hash = "#explore";
    });
    this.form.addEventListener("submit", (event) => this.make(event));
    const suggest = this.find(".review-suggest");
    suggest.addEventListener("change", () => {
      this.find(".review-file-field").hidden = suggest.value !== "file";
      this.find(".review-file").required = suggest.value === "file";
    });
    for (const name of ["popstate", "hashchange"]) addEventListener(name, () => this.follow());
    document.addEventListener("click", ({ target }) => target.closest?.(".teach-section-name") && this.follow());
    this.follow();
  }

  // The address says whether the section is shown, and with which slice.
  follow() {
    if (!isTeachAddress(location.hash)) return;
    const { section, slice } = readTeachAddress(location.hash);
    if (section !== SECTION) return;
    this.list();
    if ((slice ?? "") === this.slice) return;
    this.slice = slice ?? "";
    this.lookUp();
  }

  get state() {
    return unpackSlice(this.slice);
  }

  async list() {
    this.show(await callServer(this.server.reviews_listed, null));
  }

  // The films of the slice, and the findings to ask about.
  async lookUp() {
    this.form.hidden = !this.slice;
    if (!this.slice) return;
    const asked = this.slice;
    const place = this.find(".review-slice");
    place.textContent = "Counting";
    /** @type {ui.teach.review_payload.SliceToReviewPayload | ui.shared.refusals.RefusedPayload} */
    const answer = await callServer(this.server.review_slice, { state: this.state });
    if (asked !== this.slice) return;
    this.find(".review-make").disabled = answer.stage !== "slice";
    if (answer.stage !== "slice") return showRefusal(place, answer);
    place.textContent = answer.sentence + ": " + countText(answer.films, "film");
    const first = answer.finding ? [answer.finding] : answer.findings.slice(0, ASKED_AT_FIRST);
    this.offerSets(answer, first);
    this.find(".review-films").value = String(Math.max(1, Math.min(40, answer.films)));
    this.form.querySelector("h3").focus();
  }

  // The findings of the model, or of a label set, of which all are asked at first.
  /** @param {ui.teach.review_payload.SliceToReviewPayload} slice */
  offerSets({ findings, label_sets: sets }, first) {
    const choice = this.find(".review-set");
    const show = (names, asked) => this.find(".review-boxes").replaceChildren(...names.map((name) => makeBox(name, asked.includes(name))));
    choice.replaceChildren(new Option("the model", ""), ...sets.map(({ name }) => new Option(name, name)));
    choice.onchange = () => {
      const set = sets.find(({ name }) => name === choice.value);
      show(set?.findings ?? findings, set?.findings ?? first);
    };
    show(findings, first);
  }

  async make(event) {
    event.preventDefault();
    const button = this.find(".review-make");
    const number = (name) => Number(this.find(name).value);
    const findings = [...this.form.querySelectorAll(".review-boxes input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    if (!findings.length) return void (this.status.textContent = "Choose at least one finding to ask about.");
    button.disabled = true;
    this.status.textContent = "Making the review";
    const [file] = this.find(".review-file").files;
    const answer = await callServer(this.server.review_made, {
      state: this.state,
      name: this.find(".review-name").value.trim(),
      readers: number(".review-readers"),
      per_film: number(".review-per-film"),
      films: number(".review-films"),
      anchors: number(".review-anchors"),
      repeats: number(".review-repeats"),
      strata: this.find(".review-strata").value.trim(),
      label_set: this.find(".review-set").value,
      suggest: this.find(".review-suggest").value,
      findings,
      issues: this.find(".review-issues").checked,
      order: this.find(".review-order").value,
      file: file ? { name: file.name, parts: piecesOf(await file.text()) } : null,
    });
    button.disabled = false;
    if (answer.stage !== "reviews") return showRefusal(this.status, answer);
    this.form.hidden = true;
    this.slice = "";
    history.replaceState(null, "", teachAddress({ section: SECTION }));
    dispatchEvent(new PopStateEvent("popstate")); // teach.js holds the address's words
    this.show(answer);
    this.status.textContent = ["Made the review " + answer.made + ".", ...answer.notes, "Give each reader their own code."].join(" ");
    this.find('[data-review="' + answer.made + '"] details').open = true;
  }

  show(answer) {
    if (answer.stage !== "reviews") return showRefusal(this.status, answer);
    const open = [...this.find(".reviews-list").querySelectorAll("details[open]")].map((fold) => fold.closest("li").dataset.review);
    this.find(".reviews-none").hidden = answer.reviews.length > 0;
    this.find(".reviews-list").replaceChildren(...answer.reviews.map((review) => this.makeLine(review, open.includes(review.name))));
  }

  /** @param {ui.teach.review_payload.ReviewLinePayload} review */
  makeLine(review, open) {
    const line = make("li", "review-line");
    line.dataset.review = review.name;
    const suggested = review.suggested_from ? "Suggested labels: " + review.suggested_from + "." : "";
    line.append(make("h3", "", review.name), make("p", "muted", [review.about && review.about + ".", suggested].filter(Boolean).join(" ")));
    line.append(...review.words.map((words) => makeWithCommands("p", "", words)));
    if (!review.serve) return line;
    const codes = make("details", "review-codes");
    codes.open = open;
    codes.append(make("summary", "", "Readers and codes"), makeTable(["reader", "code", "done", "of"], review.readers.map((each) => [each.reader, each.code, each.done, each.readings])));
    codes.append(makeWithCommands("p", "muted", "Serve it with `" + review.serve + "`."));
    const button = make("button", "review-agreement control", "Agreement");
    button.type = "button";
    const place = make("div", "review-tables");
    button.addEventListener("click", () => this.showAgreement(review.name, button, place));
    const study = new ReviewStudy(review.name, this.server);
    const ways = make("div", "review-fields");
    ways.append(button, study.button, this.makeVotes(review.name));
    line.append(...this.makeAdjudication(review), codes, ways, place, study.box, makeRelease(review, this.server));
    return line;
  }

  async showAgreement(name, button, place) {
    button.disabled = true;
    place.replaceChildren(make("p", "muted", "Counting 1,000 bootstraps"));
    /** @type {ui.teach.review_payload.ReviewAgreementPayload | ui.shared.refusals.RefusedPayload} */
    const answer = await callServer(this.server.review_agreement, { name });
    button.disabled = false;
    if (answer.stage !== "agreement") return place.replaceChildren(make("p", "", refusalWords(answer)));
    const notes = answer.notes.map((words) => make("p", "muted", words));
    place.replaceChildren(...notes, ...makeGrids(answer.grids));
  }

  // Saves every vote as a file.
  makeVotes(name) {
    const button = make("button", "review-votes control", "Save the votes");
    button.type = "button";
    button.addEventListener("click", async () => {
      const answer = await callServer(this.server.review_votes, { name });
      if (answer.stage !== "text") return showRefusal(this.status, answer);
      download(new Blob([answer.content], { type: "text/csv" }), answer.name);
      this.status.textContent = answer.name + " is saved: readers as R1, R2, ..., without codes.";
    });
    return button;
  }

  // Give the films on which readers tie to one further reader each.
  /** @param {ui.teach.review_payload.ReviewLinePayload} review */
  makeAdjudication({ name, ties, waiting }) {
    if (ties === waiting) return [];
    const row = make("div", "review-fields");
    for (const [words, newReader] of /** @type {[string, boolean][]} */ ([["Give them to other readers", false], ["Give them to a new reader", true]])) {
      const button = make("button", "review-adjudicate control", words);
      button.type = "button";
      button.addEventListener("click", async () => {
        button.disabled = true;
        const answer = await callServer(this.server.review_adjudicated, { name, new_reader: newReader });
        button.disabled = false;
        this.show(answer);
        if (answer.stage === "reviews") this.status.textContent = answer.notes.join(" ");
      });
      row.append(button);
    }
    return [row];
  }
}

// A request's strings are bounded, so a file's text goes in pieces.
const piecesOf = (text) => text.match(new RegExp("[^]{1," + FILE_PIECE + "}", "g")) ?? [];

export function mount({ element, server }) {
  new Reviews(element, server);
  document.dispatchEvent(new CustomEvent("teach-section"));
}
