// The Explore tab: it alone holds the state, which is the address, and redraws the parts when the state changes.
// All text goes in as text nodes.

import { AddFilm } from "../shared/add_film.js";
import { Polling } from "../shared/asked_again.js";
import { CaseWords } from "../shared/counted.js";
import { watchLatest } from "../shared/latest.js";
import { keepPresented } from "../shared/present_address.js";
import { showWithCommands } from "../shared/refusal.js";
import { SendToTab } from "../shared/send_to_tab.js";
import { isInFront } from "../viewer/keys.js";
import { changedState, exploreAddress, filmsKey, isExploreAddress, pageKey, panelKey, readExploreAddress, sameState } from "./address.js";
import { FilmRanking } from "./ask_films.js";
import { CaseView } from "./case.js";
import { CellTable } from "./cells.js";
import { Compare } from "./compare.js";
import { Confusions } from "./confusions.js";
import { LabelIssues } from "./label_issues.js";
import { CaseLists } from "./lists.js";
import { Filters } from "./filters.js";
import { Gallery } from "./gallery.js";
import { FilmMap } from "./map.js";
import { openMenu } from "./menu.js";
import { PanelTabs } from "./panel_tabs.js";
import { Scatter } from "./scatter.js";
import { Thresholds } from "./thresholds.js";
import { ExploreTools } from "./tools.js";
import { WhereItFails } from "./where_it_fails.js";

const PANELS = { table: CellTable, scatter: Scatter, compare: Compare, confused: Confusions, "label-issues": LabelIssues, fails: WhereItFails, map: FilmMap };
const NO_ANSWER = { stage: "refused", title: "Tailscope is not responding", detail: "Check that it is still running, then ask again." };
const PREFETCH_VALID = 30_000; // ms that a prefetched page may be used: scoring may continue meanwhile

class Explore {
  constructor(room, { server, trigger, props, watch, data }) {
    this.room = room;
    this.server = server;
    this.state = readExploreAddress(location.hash);
    this.facets = null;
    this.facetsVersion = null; // the server sends them again when they change
    this.sentence = "";
    this.ahead = null; // the next page, prefetched: {key, at, answer}
    this.filters = new Filters(room.querySelector(".filters"), this, data.filters);
    this.gallery = new Gallery(room.querySelector(".gallery"), this);
    this.panels = new PanelTabs(room.querySelector(".explore-panels"), this, PANELS);
    this.words = new CaseWords(room.querySelectorAll(".explore-panels > [role=tabpanel]"));
    this.tools = new ExploreTools(room, this);
    this.thresholds = new Thresholds(room, this);
    this.askFilms = new FilmRanking(room, this);
    this.lists = new CaseLists(room, this);
    this.addFilm = new AddFilm({ call: (question, sent) => this.call(question, sent), question: "cases_to_playlist" });
    this.caseView = new CaseView(room.querySelector("dialog.case"), this, data.insertable);
    this.sendToTab = new SendToTab({
      order: (what) => trigger("onward", what),
      say: (words) => this.caseView.panel.showWords(words),
      leaving: () => this.caseView.leave(), // the dialog would stay in front
    });
    const answer = () => this.sendToTab.takeAnswer(props.value ?? {});
    watch("value", answer);
    answer(); // it may have arrived before this script
    this.shown = {}; // the state that is on the page
    this.preparing = new Polling(room, () => this.draw());
    addEventListener("popstate", () => (isExploreAddress(location.hash) ? this.goTo(readExploreAddress(location.hash)) : this.caseView.close()));
    room.querySelector(".again").addEventListener("click", () => this.draw());
    document.addEventListener("tailscope-read-anew", ({ detail }) => readExploreAddress(detail).cohort === this.state.cohort && this.outcomesChanged());
    bindPaging(room, (delta) => this.turnPage(delta));
    this.draw();
  }

  // Change the state, put it in the address and draw it; null removes a word. `keep`: do not reset page and case,
  // which belong to a slice.
  change(changes, { keep = false } = {}) {
    const next = changedState(this.state, { look: null, ...(keep ? {} : { page: null, case: null }), ...changes });
    if (sameState(next, this.state)) return;
    history.pushState(null, "", keepPresented(exploreAddress(next)));
    this.goTo(next);
  }

  goTo(next) {
    this.state = next;
    this.draw();
  }

  // Ask the server about the displayed films. Null once other films are displayed.
  async ask(name, extra = {}) {
    const isLatest = watchLatest(() => filmsKey(this.state));
    const answer = await this.call(name, extra);
    return isLatest() ? answer : null;
  }

  // Gradio answers undefined where there is no server.
  async call(name, extra = {}) {
    const answer = await this.server[name]({ state: this.state, ...extra }).catch(() => undefined);
    return answer ?? NO_ANSWER;
  }

  async draw() {
    const key = pageKey(this.state);
    const isShown = this.shown.key === key;
    this.setPending(!isShown);
    this.filters.show();
    this.askFilms.show();
    this.tools.hide.checked = Boolean(this.state.hide);
    if (!this.state.case) this.caseView.close(); // at once, without waiting for the answer
    if (isShown) {
      this.askFilms.showReliability();
      return this.showPanelAndCase();
    }
    const isLatest = watchLatest(() => pageKey(this.state));
    const answer = await this.answerForPage(key);
    if (!isLatest()) return; // the visitor moved on
    this.setPending(false);
    if (answer.stage === "refused") return this.showRefusal(answer);
    this.takeAnswer(answer);
  }

  // Everything on the page is out of date: the films have changed.
  askAgain() {
    this.ahead = null;
    this.shown = {};
    this.draw();
  }

  // The same films with other outcomes: the panels' answers are out of date, too.
  outcomesChanged() {
    this.panels.clearHidden();
    this.askAgain();
  }

  // Marks of cases have changed. What depends on them is requested again with the next drawing.
  marksChanged(ids, starred) {
    this.ahead = null;
    this.shown.key = null;
    if (typeof starred === "boolean") this.gallery.star(ids, starred);
  }

  // The answer for the page, perhaps prefetched.
  answerForPage(key) {
    const facetsVersion = this.facetsVersion;
    const { ahead } = this;
    this.ahead = null;
    return ahead?.key === key && performance.now() - ahead.at < PREFETCH_VALID ? ahead.answer : this.call("slice_page", { known: facetsVersion });
  }

  takeAnswer(answer) {
    this.preparing.stop();
    this.state = changedState(this.state, answer.changes);
    if (isExploreAddress(location.hash)) history.replaceState(null, "", keepPresented(exploreAddress(this.state)));
    if (answer.facets) [this.facets, this.facetsVersion] = [answer.facets, answer.facets_version];
    this.sentence = answer.sentence;
    this.answer = answer;
    this.words.counted = answer.counted;
    this.shown.key = pageKey(this.state);
    this.room.dataset.state = "shown";
    this.room.dataset.hidden = String(Boolean(this.state.hide));
    this.tools.show(answer);
    this.thresholds.show(answer.thresholds);
    this.lists.show();
    this.filters.show();
    if (answer.changes && "ask" in answer.changes) this.askFilms.show(); // unsealed: labels are shown again
    this.askFilms.showReliability();
    this.gallery.show(answer);
    this.showPanelAndCase();
    this.prefetch(answer);
  }

  // Everything beyond the page: panel and case.
  showPanelAndCase() {
    const anew = this.shown.panel !== panelKey({ ...this.state, panel: "" });
    this.shown.panel = panelKey({ ...this.state, panel: "" });
    this.panels.show(anew);
    if (this.state.case && isExploreAddress(location.hash)) this.caseView.open(this.state.case);
    else this.caseView.close();
  }

  // `share`: the cohort is being prepared, and so much of it is done.
  showRefusal({ title, detail, share, facets, changes, left_out }) {
    this.shown = {};
    if (facets) [this.facets, this.facetsVersion] = [facets, null]; // another cohort or model may be readable
    this.state = changedState(this.state, changes ?? {});
    this.tools.showLeftOut(left_out);
    this.tools.showPassing("");
    this.tools.showExplained();
    this.gallery.clear();
    this.askFilms.forget();
    this.room.dataset.state = "refused";
    this.room.querySelector(".refusal-title").textContent = title;
    showWithCommands(this.room.querySelector(".refusal-detail"), detail);
    const isPreparing = share !== undefined;
    const bar = this.room.querySelector(".refusal-share");
    bar.hidden = !isPreparing;
    this.room.querySelector(".again").hidden = isPreparing;
    this.filters.show();
    if (!isPreparing) return this.preparing.stop();
    bar.value = share;
    this.preparing.start();
  }

  // What is on the page belongs to the previous state: it is dimmed until the answer arrives.
  setPending(busy) {
    this.room.classList.toggle("pending", busy);
    this.askFilms.showWaiting(busy);
    for (const part of this.room.querySelectorAll(".explore-main, .sentence")) part.setAttribute("aria-busy", String(busy));
  }

  turnPage(delta) {
    const page = Number(this.state.page ?? 1) + delta;
    if (!this.answer || page < 1 || page > this.answer.pages) return;
    this.change({ page: page === 1 ? null : page }, { keep: true });
  }

  // Fetch the next page and its thumbnails in advance.
  async prefetch({ page, pages }) {
    if (page >= pages) return;
    const state = changedState(this.state, { page: page + 1 });
    const answer = this.server.slice_page({ state, known: this.facetsVersion }).catch(() => NO_ANSWER);
    const ahead = (this.ahead = { key: pageKey(state), at: performance.now(), answer: answer.then((said) => said ?? NO_ANSWER) });
    const isLatest = watchLatest(() => this.ahead);
    const { items, stage } = await ahead.answer;
    if (!isLatest()) return;
    if (stage === "refused") return void (this.ahead = null); // requested again when the page is turned
    for (const { thumb } of items ?? []) if (thumb) this.gallery.thumbnails.load(new Image(), thumb);
  }
}

// j and k turn the page anywhere on the tab, except while typing or under an open case.
function bindPaging(room, turn) {
  document.addEventListener("keydown", (event) => {
    const delta = { j: 1, k: -1 }[event.key];
    if (!delta || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || openMenu) return;
    if (!isInFront(room) || event.target.closest?.("input:not([type=checkbox]), textarea, [contenteditable]")) return;
    event.preventDefault();
    turn(delta);
  });
}

export const mount = (gradio) => new Explore(gradio.element.querySelector(".explore"), gradio);
