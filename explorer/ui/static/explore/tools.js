// Beside the filters: hide labels, copy links, exports; and the number of the page.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { wholeText } from "../shared/figures.js";
import { refusalWords, showRefusal, showWithCommands } from "../shared/refusal.js";
import { packSlice, teachAddress } from "../shared/teach_address.js";
import { UNCERTAIN_BOUNDS } from "../shared/uncertain_bounds.js";
import { changedState, exploreAddress, pinChanges, sliceWords } from "./address.js";
import { Menu, openMenu } from "./menu.js";

const EXPORTS = [
  { kind: "csv", name: "CSV", note: "rows, and what made them (ZIP)" },
  { kind: "parquet", name: "Parquet", note: "the same, typed" },
  { kind: "sql", name: "SQL", note: "runs as saved" },
  { kind: "figure", name: "Figure", note: "this page's first 8 films with maps (PNG, 300 dpi)" },
];
// Which films these are, apart from what hangs on how uncertain labels count.
const UNREAD = { uncertain: null, outcome: null, against: null, relation: null };
const packFilms = (state) => packSlice(changedState(state, { page: null, case: null, panel: null }));
const playlistAddress = (state) => teachAddress({ new: "slice", slice: packFilms(state) });
const reviewAddress = (state) => teachAddress({ section: "reviews", slice: packFilms(state) });
const randomSeed = () => 1 + Math.floor(Math.random() * 999_999);

export class ExploreTools {
  constructor(room, explore) {
    this.room = room;
    this.explore = explore;
    const find = (name) => room.querySelector(name);
    this.status = find(".explore-said");
    this.hide = find(".hide-switch input");
    this.hide.addEventListener("change", () => this.setHidden(this.hide.checked));
    find(".copy-link").addEventListener("click", () => this.copyLink(explore.state, "Link copied."));
    this.forClass = find(".for-class");
    this.forClass.addEventListener("click", () => this.openClassMenu());
    this.toEvaluate = find(".to-evaluate");
    this.export = find(".export");
    this.export.addEventListener("click", () => this.openExportMenu());
    this.other = find(".other-cohort");
    this.other.addEventListener("click", () => explore.filters.chooseOption("cohort", this.otherCohort));
    find(".page-before").addEventListener("click", () => explore.turnPage(-1));
    find(".page-after").addEventListener("click", () => explore.turnPage(1));
  }

  show({ sentence, complaints, page, pages, simulated, other, passing, uncertain, left_out, explained }) {
    this.showOrigin(simulated, other);
    this.showLeftOut(left_out);
    this.showPassing(passing);
    this.showUncertain(uncertain);
    this.showExplained(explained);
    const { hide } = this.explore.state;
    this.status.textContent = "";
    this.hide.checked = Boolean(hide);
    this.export.disabled = Boolean(hide);
    this.toEvaluate.hidden = Boolean(hide); // its numbers reveal labels
    this.toEvaluate.href = "#evaluate" + (hide ? "" : "?" + new URLSearchParams(sliceWords(this.explore.state)));
    this.room.querySelector(".sentence").textContent = sentence;
    const note = this.room.querySelector(".explore-note");
    showWithCommands(note, complaints.join(" "));
    note.hidden = !complaints.length;
    this.room.querySelector(".page-number").textContent = pages ? "page " + wholeText(page) + " of " + wholeText(pages) : "";
    this.room.querySelector(".pager").hidden = !pages;
    this.room.querySelector(".page-before").disabled = page <= 1;
    this.room.querySelector(".page-after").disabled = page >= pages;
  }

  // Cohorts and models that cannot be read, and files that cannot be checked.
  showLeftOut(sentences = []) {
    const place = this.room.querySelector(".explore-left-out");
    place.textContent = sentences.join(" ");
    place.hidden = !sentences.length;
  }

  // Errors that are half right: a broader or a narrower finding is labeled, or was flagged. Each line shows its
  // films.
  showExplained(found = []) {
    const place = this.room.querySelector(".explore-explained");
    place.hidden = !found.length;
    place.querySelector("summary").textContent = "Some are partly right: a related finding is labeled or was called";
    place.querySelector("ul").replaceChildren(...found.map(({ words, changes }) => this.makeExplainedLine(words, changes)));
  }

  makeExplainedLine(words, changes) {
    const line = make("li", "");
    const button = make("button", "", words);
    button.type = "button";
    button.addEventListener("click", () => this.explore.change(changes));
    line.append(button);
    return line;
  }

  // What happens to films that are lost when the page is closed.
  showPassing(words) {
    Object.assign(this.room.querySelector(".explore-passing"), { textContent: words, hidden: !words });
  }

  // How uncertain labels count here, and the way to both bounds in Evaluate.
  showUncertain(words) {
    const place = this.room.querySelector(".explore-uncertain");
    place.hidden = !words;
    place.querySelector("span").textContent = words;
    const films = sliceWords(changedState(this.explore.state, UNREAD));
    place.querySelector("a").href = "#evaluate?" + new URLSearchParams([...(words ? films : []), ...Object.entries(UNCERTAIN_BOUNDS)]);
  }

  // The origin of these films, simulated or real, and a button for a cohort of the other kind.
  showOrigin(simulated, other) {
    this.room.dataset.simulated = String(Boolean(simulated));
    this.room.querySelector(".simulated-word").hidden = !simulated;
    this.otherCohort = other;
    this.other.hidden = !other;
    this.other.textContent = other ? (simulated ? "Real films: " : "Simulated films: ") + other.name : "";
  }

  // A new order each time, so that nobody learns the films by their positions. What reveals labels is not shown while
  // they are hidden: its words leave the address too.
  setHidden(hidden) {
    const changes = hidden ? { hide: 1, shuffle: randomSeed(), panel: null } : { hide: null, shuffle: null };
    this.explore.change(changes);
  }

  stateForClass() {
    return changedState(this.explore.state, { hide: 1, shuffle: randomSeed(), page: null, case: null, panel: null, within: null, ...pinChanges([]) });
  }

  async copyLink(wanted, said) {
    this.status.textContent = "";
    const state = wanted.hide ? await this.sealState(wanted) : wanted;
    if (!state) return;
    const link = location.origin + location.pathname + location.search + exploreAddress(state);
    try {
      await navigator.clipboard.writeText(link);
      this.status.textContent = said;
    } catch {
      this.status.textContent = "This browser does not allow copying. Copy the link from the address bar.";
    }
  }

  // A hidden state with its words sealed by the server; null where there is none, with a message.
  async sealState(state) {
    const answer = await this.explore.call("slice_sealed", { state });
    if (answer.stage === "sealed") return changedState(state, { sealed: answer.seal });
    showRefusal(this.status, answer);
    return null;
  }

  // Below its button; if it is open, it closes.
  toggleMenu(button, name, options) {
    if (openMenu?.anchor === button) openMenu.close(true);
    else new Menu(button, name, [{ options }]);
  }

  openClassMenu() {
    const { state } = this.explore;
    const link = () => this.copyLink(this.stateForClass(), "Link for a class copied: shuffled, labels hidden.");
    const options = [
      { label: "Copy a link", note: "shuffled, labels hidden", pick: link },
      { label: "Make a playlist", note: "with a question about each film", disabled: Boolean(state.hide), pick: () => (location.hash = playlistAddress(state)) },
      { label: "Review these films", note: "readers vote on labels", disabled: Boolean(state.hide), pick: () => (location.hash = reviewAddress(state)) },
    ];
    this.toggleMenu(this.forClass, "These films for a class", options);
  }

  openExportMenu() {
    const options = EXPORTS.map(({ kind, name, note }) => ({ label: name, note, pick: () => this.save("slice_export", { kind }) }));
    this.toggleMenu(this.export, "Export the slice", options);
  }

  // A file that the server makes.
  async save(question, extra) {
    this.status.textContent = "Exporting";
    const answer = await this.explore.ask(question, extra);
    if (answer?.stage !== "export") {
      showWithCommands(this.status, answer ? refusalWords(answer) : "");
      return;
    }
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
    this.status.textContent = answer.name + " saved.";
  }
}
