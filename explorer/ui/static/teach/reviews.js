// The section Reviews: a new review from a slice of Explore, the readers' progress, and how far they agree.

import { make, makePlaceLink } from "../shared/elements.js";
import { countText } from "../shared/figures.js";
import { makeWithCommands, refusalWords, showRefusal } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { isTeachAddress, readTeachAddress, teachAddress, unpackSlice } from "../shared/teach_address.js";

const SECTION = "reviews";
const PROTOCOLS = [
  ["majority", "majority; ties stay unknown"],
  ["adjudicated", "majority; films with a tie left out"],
  ["two-of-three", "films of which two readers name the same findings"],
];
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
    /** @type {ui.teach.review_calls.SliceToReviewPayload | ui.shared.refusals.RefusedPayload} */
    const answer = await callServer(this.server.review_slice, { state: this.state });
    if (asked !== this.slice) return;
    this.find(".review-make").disabled = answer.stage !== "slice";
    if (answer.stage !== "slice") return showRefusal(place, answer);
    place.textContent = answer.sentence + ": " + countText(answer.films, "film");
    const first = answer.finding ? [answer.finding] : answer.findings.slice(0, ASKED_AT_FIRST);
    this.find(".review-boxes").replaceChildren(...answer.findings.map((name) => makeBox(name, first.includes(name))));
    this.find(".review-films").value = String(Math.max(1, Math.min(40, answer.films)));
    this.form.querySelector("h3").focus();
  }

  async make(event) {
    event.preventDefault();
    const button = this.find(".review-make");
    const number = (name) => Number(this.find(name).value);
    const findings = [...this.form.querySelectorAll(".review-boxes input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
    if (!findings.length) return void (this.status.textContent = "Choose at least one finding to ask about.");
    button.disabled = true;
    this.status.textContent = "Making the review";
    const answer = await callServer(this.server.review_made, {
      state: this.state,
      name: this.find(".review-name").value.trim(),
      readers: number(".review-readers"),
      per_film: number(".review-per-film"),
      films: number(".review-films"),
      suggest: this.find(".review-suggest").value,
      findings,
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

  /** @param {ui.teach.review_calls.ReviewLinePayload} review */
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
    line.append(codes, button, place, this.makeRelease(review));
    return line;
  }

  // The form that makes the readers' labels a source of labels.
  /** @param {ui.teach.review_calls.ReviewLinePayload} review */
  makeRelease({ name, source, to }) {
    const fold = make("details", "review-release");
    const form = make("form", "review-fields");
    const named = Object.assign(make("input", ""), { type: "text", value: source, maxLength: 80, required: true });
    const cohort = Object.assign(make("input", ""), { type: "text", value: to, maxLength: 63, required: Boolean(to) });
    const choice = make("select", "");
    choice.append(...PROTOCOLS.map(([value, words]) => new Option(words, value)));
    const button = make("button", "control", "Release the labels");
    const said = make("div", "review-released");
    said.setAttribute("role", "status");
    form.append(makeField("Labels", choice), makeField("Name of the source of labels", named), makeField(to ? "Into a copy of the cohort, called" : "Into the cohort (empty: the reviewed one)", cohort), button);
    fold.append(make("summary", "", "Release"), form, said);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      said.textContent = "Adding the labels";
      const answer = await callServer(this.server.review_released, { name, protocol: choice.value, source: named.value.trim(), to: cohort.value.trim() });
      button.disabled = false;
      if (answer.stage !== "released") return showRefusal(said, answer);
      said.replaceChildren(...answer.words.map((words) => makeWithCommands("p", "", words)), makePlaceLink("review-evaluate", "See the models under these labels", answer.address));
    });
    return fold;
  }

  async showAgreement(name, button, place) {
    button.disabled = true;
    place.replaceChildren(make("p", "muted", "Counting 1,000 bootstraps"));
    /** @type {ui.teach.review_calls.ReviewAgreementPayload | ui.shared.refusals.RefusedPayload} */
    const answer = await callServer(this.server.review_agreement, { name });
    button.disabled = false;
    if (answer.stage !== "agreement") return place.replaceChildren(make("p", "", refusalWords(answer)));
    const notes = answer.notes.map((words) => make("p", "muted", words));
    place.replaceChildren(...notes, ...answer.grids.flatMap((grid) => [make("h4", "", grid.title), makeScroll(grid), ...grid.notes.map((words) => make("p", "muted", words))]));
  }
}

/** @param {HTMLInputElement | HTMLSelectElement} control */
function makeField(words, control) {
  const label = make("label", "review-field");
  label.append(make("span", "", words), control);
  return label;
}

function makeBox(name, checked) {
  const label = make("label", "review-box");
  label.append(Object.assign(document.createElement("input"), { type: "checkbox", value: name, checked }), make("span", "", name));
  return label;
}

function makeTable(header, rows) {
  const table = make("table", "review-table");
  const head = make("tr", "");
  head.append(...header.map((words) => Object.assign(make("th", "", words), { scope: "col" })));
  const body = rows.map((cells) => {
    const row = make("tr", "");
    row.append(...cells.map((cell, at) => (at ? make("td", "", cell) : Object.assign(make("th", "", cell), { scope: "row" }))));
    return row;
  });
  table.createTHead().append(head);
  table.createTBody().append(...body);
  return table;
}

// A table that scrolls within its own width.
function makeScroll({ title, header, rows }) {
  const box = make("div", "review-scroll");
  Object.assign(box, { tabIndex: 0 });
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", title);
  box.append(makeTable(header, rows));
  return box;
}

export function mount({ element, server }) {
  new Reviews(element, server);
  document.dispatchEvent(new CustomEvent("teach-section"));
}
