// One case over the gallery: its film in the viewer, the facts beside it. The state says which case is open.

import { watchLatest } from "../shared/latest.js";
import { decodeMaps } from "../viewer/heat.js";
import { addMaskDots, bindIsolation } from "../viewer/mask_key.js";
import { unpackFilm } from "../viewer/packed.js";
import { PIN_WORDS } from "./address.js";
import { CaseFilm } from "./case_film.js";
import { CaseInsertion } from "./case_insertion.js";
import { CaseMarks } from "./case_marks.js";
import { CasePanel } from "./case_panel.js";
import { presentCase } from "./case_present.js";
import { CaseSteps } from "./case_steps.js";
import { similarityWords } from "./margins.js";

const CASE_STAYS_OPEN = ["hide", "shuffle", "panel", "look", ...PIN_WORDS]; // a change of these keeps the case open
const NO_ANSWER = { stage: "refused", title: "Tailscope is not responding", detail: "Check that it is still running, then open the case again." };

export class CaseView {
  // `insertable`: the findings that can be put into a film.
  constructor(dialog, explore, insertable) {
    this.dialog = dialog;
    this.explore = explore;
    this.turn = 0; // an answer to an earlier request is dropped
    this.filmFirst = false; // labels and scores of each case are hidden until requested
    this.revealed = false; // except of this one
    const open = (id) => explore.change({ case: id }, { keep: true });
    this.panel = new CasePanel(this.find("case-panel"), {
      choose: (finding) => this.choose(finding),
      askOthers: () => this.showOthers(),
      open,
      reveal: () => this.setRevealed(true),
      filmFirst: (on) => (this.filmFirst = on),
      sendToTab: (tab, name) => explore.sendToTab.open(tab, name, this.filmOrder),
      addToPlaylist: () => this.addToPlaylist(),
      simulate: (address) => (this.leave(), (location.hash = address)), // the dialog would stay in front
    });
    this.film = new CaseFilm(dialog, {
      step: (delta) => this.item?.facts && !this.isCovered && this.choose(this.panel.rows.neighbor(delta)),
      toggleOpinion: () => this.toggleCover(),
      star: () => this.marks.toggle(),
      present: () => this.present.toggle(),
      finding: () => this.insertion.turn(),
      clicked: (slot, point) => this.insertion.clicked(slot, point),
      go: (where) => this.go(where),
      folder: (path) => this.giveFolder(path),
    });
    this.insertion = new CaseInsertion(this, { insertable, order: () => explore.sendToTab.request(this.filmOrder) });
    this.marks = new CaseMarks(dialog, {
      mark: (changes) => this.mark(changes),
      list: (name, question) => this.changeList(name, question),
    });
    bindIsolation(this.find("case-scores"), (finding) => this.film.lightbox.now.masks.isolate(finding));
    this.steps = new CaseSteps(dialog.querySelector(".case-head"), { go: (where) => this.go(where), open, leave: () => this.leave() });
    this.present = presentCase(this);
    this.bindDialog();
  }

  find(name) {
    return this.dialog.querySelector("." + name);
  }

  // What the server needs to open the film of the case.
  get filmOrder() {
    return { state: this.explore.state, case: this.item.id };
  }

  bindDialog() {
    const { dialog } = this;
    dialog.addEventListener("click", (event) => event.target === dialog && this.leave()); // beside it: the masthead
    dialog.addEventListener("cancel", (event) => {
      if (event.target !== dialog) return; // the list of keys
      event.preventDefault();
      this.leave();
    });
    // A browser may close it without asking. The event comes later: another case may be open by then.
    dialog.addEventListener("close", (event) => event.target === dialog && !dialog.open && this.shown && this.leave());
  }

  // The state changes, and this view follows the state.
  leave() {
    this.explore.change({ case: null }, { keep: true });
  }

  close() {
    if (!this.shown) return;
    const { id } = this.item;
    this.turn += 1;
    this.shown = this.item = null;
    this.insertion.end();
    this.steps.forget();
    this.film.clear();
    this.panel.clear();
    this.marks.clear();
    this.find("case-slice").textContent = ""; // its text would stay while labels are hidden
    this.dialog.close(); // the browser returns the focus to the tile that was clicked
    this.explore.gallery.focus(id); // or to that of the case opened last
    this.present.refresh();
  }

  open(id) {
    const asked = JSON.stringify(Object.entries(this.explore.state).filter(([name]) => !CASE_STAYS_OPEN.includes(name)));
    if (!this.dialog.open) {
      this.dialog.showModal();
      this.steps.focus();
    }
    if (asked !== this.shown) {
      this.shown = asked;
      this.load(id);
    }
    this.setRevealed();
  }

  // Everything about the previous case is removed at once: its film beside another case's labels would mislead.
  load(id) {
    this.turn += 1;
    this.item = { id, maps: {} }; // maps by finding, as they are requested
    this.revealed = false;
    this.insertion.end();
    this.panel.clear();
    this.marks.clear();
    this.film.showWaiting();
    this.steps.show(id, {});
    this.askAndShow("case_place", (answer) => {
      this.item.alike = answer.alike;
      this.steps.show(id, answer, this.explore.state.hide ? "Film" : "Case");
      this.showSentence();
      this.present.refresh();
    });
    this.askAndShow("case_film", (answer) => this.showFilm(answer));
  }

  // Ask about the open case; an answer that arrives after another case was opened is dropped.
  async askAndShow(name, show, extra = {}) {
    const isLatest = watchLatest(() => this.turn);
    const answer = await this.explore.server[name]({ state: this.explore.state, case: this.item.id, ...extra }).catch(() => undefined);
    if (isLatest()) show(answer ?? NO_ANSWER);
  }

  // Tell the server where the cohort's films are; all of them are requested again. Resolves to a refusal, or to null.
  async giveFolder(path) {
    const isLatest = watchLatest(() => this.turn);
    const answer = await this.explore.call("films_folder", { case: this.item.id, folder: path });
    if (answer.stage !== "folder") return answer;
    if (isLatest()) this.shown = null;
    this.explore.askAgain();
    return null;
  }

  // Change star, tags or note of the open case; the gallery and its filters follow.
  mark(changes) {
    const { id } = this.item;
    const show = (answer) => {
      if (answer.stage === "mark") this.item.mark = answer;
      this.marks.show(answer);
    };
    return this.askAndShow("case_mark", show, changes).then(() => this.explore.marksChanged([id], changes.starred));
  }

  // The finding shown first, which the question may be about.
  addToPlaylist() {
    const { id, finding, facts } = this.item;
    const findings = [...new Set([finding, ...facts.rows.map((row) => row.finding)].filter(Boolean))];
    const sent = (asked) => ({ cases: [id], findings: { [id]: asked } });
    this.explore.addFilm.open({ words: "this film", sent, findings });
  }

  async changeList(name, question) {
    const { id, finding } = this.item;
    const answer = await this.explore.call(question, { name, cases: [id], findings: { [id]: finding } });
    return answer.stage === "refused" ? this.marks.show(answer) : this.mark({});
  }

  go(where) {
    const to = this.steps.caseToward(where);
    if (to) this.explore.change({ case: to.case, page: to.page > 1 ? to.page : null }, { keep: true });
  }

  async showFilm(answer) {
    const isLatest = watchLatest(() => this.turn);
    const pixels = answer.stage === "film" ? await unpackFilm(answer.film.image, answer.film.checksum) : null;
    if (!isLatest()) return;
    this.film.show(answer, pixels);
    this.item.hasFilm = Boolean(pixels);
    if (pixels) this.insertion.begin(answer.film, pixels);
    this.draw();
    this.showKnown();
  }

  // What must not be seen is not requested.
  showKnown() {
    const { item } = this;
    if (this.isCovered) return;
    this.requestOnce("facts", "case_facts");
    if (item.facts?.stage === "case") this.requestOnce("near", "case_near");
    if (item.facts?.stage === "case") this.requestOnce("mark", "case_mark");
    if (item.facts?.masked) this.requestOnce("masks", "case_masks");
    if (item.facts?.reported) this.requestOnce("report", "case_report");
    if (item.hasFilm && item.finding) this.requestMap(item.finding);
  }

  // For the chosen finding alone: each map needs a backward pass through the model.
  requestMap(finding) {
    const { maps } = this.item;
    if (finding in maps) return;
    maps[finding] = null; // requested
    const keep = (answer) => {
      maps[finding] = answer;
      if (answer.heat) answer.heat.values = decodeMaps(answer.heat.maps);
      this.rememberKnown("maps");
    };
    this.askAndShow("case_maps", keep, { findings: [finding] });
  }

  // Dozens of models may have scored the film: their scores are requested only to be looked at.
  requestOthers() {
    if (this.item.facts.other_models) this.requestOnce("others", "case_others");
  }

  showOthers() {
    this.requestOthers();
    if (this.item.others) this.panel.rows.showOthers(this.item.others);
  }

  requestOnce(request, name) {
    if (request in this.item) return;
    this.item[request] = null; // requested
    this.askAndShow(name, (answer) => {
      this.item[request] = answer;
      if (request === "facts") this.item.finding = this.firstFinding(answer);
      this.rememberKnown(request);
      this.showKnown();
    });
  }

  // The one that a link names, if the model has a score for it; else the finding for which the case is in the slice.
  firstFinding({ rows, finding }) {
    const { look } = this.explore.state;
    return rows?.some((row) => row.finding === look) ? look : finding;
  }

  // Show what has arrived, unless it is hidden.
  rememberKnown(news) {
    const { facts, near, mark, masks, maps, others, report, finding } = this.item;
    if (this.isCovered || !facts) return;
    if (facts.stage !== "case") return this.panel.showRefusal(facts);
    const all = news === "facts";
    if (all) this.panel.show(facts);
    if (masks?.masks && (all || news === "masks")) this.addMaskDotsWhenShown(masks);
    if (mark && (all || news === "mark")) this.marks.show(mark);
    if (others && (all || news === "others")) this.panel.rows.showOthers(others);
    if (report && (all || news === "report")) this.panel.report.show(report, finding);
    if (near && (all || news === "near")) this.panel.nearest.show(near, finding);
    if (maps[finding] && (all || news === "maps" || news === "masks")) this.panel.showMapWorth(maps[finding], finding);
    if (all) this.panel.choose(finding);
    this.draw();
  }

  addMaskDotsWhenShown(masks) {
    this.panel.showMasks(masks);
    const dot = () => addMaskDots(this.find("case-scores"), masks.masks);
    this.panel.rows.rowsArrived = dot;
    dot();
  }

  choose(finding) {
    this.item.finding = finding;
    this.panel.choose(finding);
    if (this.item.maps[finding]) this.panel.showMapWorth(this.item.maps[finding], finding);
    this.draw();
    this.showKnown();
  }

  draw() {
    if (!this.isCovered) this.film.draw(this.item, this.insertion.whyNoMap);
    this.present.refresh();
  }

  // Show the film alone, until requested.

  get isCovered() {
    return (this.filmFirst || Boolean(this.explore.state.hide)) && !this.revealed;
  }

  toggleCover() {
    const { isCovered: covered } = this;
    if (!covered) this.filmFirst = true;
    this.setRevealed(covered);
  }

  // The slice, and the rank of the film where a text ranks it.
  showSentence() {
    const { alike } = this.item;
    const { sentence, state } = this.explore;
    const slice = state.hide ? "Revealed" : sentence;
    const words = [alike && similarityWords(alike), slice].filter(Boolean).join(". ");
    this.find("case-slice").textContent = this.isCovered ? "" : words.charAt(0).toUpperCase() + words.slice(1);
  }

  setRevealed(revealed = this.revealed) {
    this.revealed = revealed;
    const { isCovered: covered } = this;
    this.film.cover(covered);
    this.insertion.show();
    this.showSentence();
    this.panel.showCoverControls(this.filmFirst, Boolean(this.explore.state.hide));
    if (this.dialog.dataset.covered !== String(covered)) {
      this.dialog.dataset.covered = String(covered);
      this.panel.cover(covered);
      if (covered) this.marks.clear();
      this.rememberKnown("facts");
    }
    this.present.refresh();
    this.showKnown();
  }
}
