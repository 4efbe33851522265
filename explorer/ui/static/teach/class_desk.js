// A running class as its teacher sees it: film and question, live tally, who has joined. The projector view
// (present.js) is the same part of the page, with all but film and words hidden.

import { correctWords } from "../shared/correct_words.js";
import { make, makePlaceLink } from "../shared/elements.js";
import { watchLatest } from "../shared/latest.js";
import { Present } from "../shared/present.js";
import { REVEAL } from "../shared/present_panel.js";
import { bindKeys, isInFront } from "../viewer/keys.js";
import { makeDoor } from "./class_door.js";
import { ClassFilm } from "./class_film.js";
import { ClassLearners } from "./class_learners.js";
import { makeResults } from "./class_results.js";
import { ClassStudy } from "./class_study.js";
import { presentedClass } from "./class_words.js";

const CLOSING = "Closing words"; // these buttons ask whether the class is to end
const KEYS = [{ name: "present", keys: ["e"] }];
const STAGES = { waiting: "Learners can join", open: "Answers are coming in", revealed: "Revealed", ended: "Ended" };

export class ClassDesk {
  // `callbacks`: call(name, argument) resolves to the server's answer; step(name, argument): a step of the class;
  // another(): begin another class.
  constructor(room, callbacks) {
    this.room = room;
    this.callbacks = callbacks;
    this.board = null;
    this.film = null;
    this.results = null;
    this.desk = this.find("class-desk");
    this.picture = new ClassFilm(this.find("class-place"));
    this.learners = new ClassLearners(room, callbacks.step);
    this.present = new Present({
      host: this.desk,
      tab: "teach",
      always: true,
      words: { next: "Next film", back: "The film before", reveal: "Reveal the truth to the class" },
      callbacks: {
        ready: () => Boolean(this.board) && this.desk.getClientRects().length > 0,
        said: () => this.presentedBoard(),
        ways: () => this.buttonTexts(),
        next: () => this.go(1),
        back: () => this.go(-1),
        reveal: () => this.reveal(),
        heat: () => this.picture.nextMap(),
        outline: () => this.picture.toggleAreas(),
      },
    });
    bindKeys(KEYS, () => this.board && isInFront(this.desk), () => this.present.toggle(), () => {});
    this.bindClick("class-present", () => this.present.toggle());
    this.bindClick("class-end-button", () => this.askToEnd());
    this.bindClick("class-another", callbacks.another);
    this.find("class-end").addEventListener("close", ({ target }) => target.returnValue === "end" && callbacks.step("class_end"));
  }

  find(name) {
    return this.room.querySelector("." + name);
  }

  bindClick(name, take) {
    this.find(name).addEventListener("click", take);
  }

  // `board`: from the server; null: no class is displayed.
  /** @param {school.classroom.teacher_screen.BoardPayload} board */
  show(board) {
    if (board?.id !== this.board?.id) this.film = this.results = null;
    this.board = board;
    this.desk.hidden = !board;
    if (board) this.draw();
    this.present.refresh();
  }

  showWords(words) {
    if (this.present.on) this.present.showMessage(words);
  }

  showLeftOut(sentences) {
    this.find("class-left-out").replaceChildren(...sentences.map((each) => make("li", "", each)));
  }

  draw() {
    const { board } = this;
    const { stage } = board;
    const ended = stage === "ended";
    this.desk.dataset.stage = stage;
    this.find("class-name").textContent = board.title;
    this.find("class-stage").textContent = STAGES[stage] + (board.own_pace && !ended ? ", at their own pace" : "");
    this.find("class-end-button").hidden = ended;
    this.find("class-another").hidden = !ended;
    if (this.find("class-trouble").textContent !== board.trouble) this.find("class-trouble").textContent = board.trouble;
    this.learners.show(board);
    const lobby = stage === "waiting";
    this.showDoor(!lobby && !ended);
    if (ended) this.end();
    else if (lobby) this.picture.replaceFilm(makeDoor(board), "door " + board.id);
    else this.loadFilm(board);
  }

  // How learners join, small beside the film; before the first film it is in the film's place.
  showDoor(on) {
    const door = this.find("class-door");
    const boardId = on ? this.board.id : "";
    if (door.dataset.of === boardId) return;
    door.dataset.of = boardId;
    door.replaceChildren(...(on ? [makeDoor(this.board)] : []));
  }

  // After the reveal, for the teacher: a link to the number of the note, and the nearest cases.
  /** @param {{link?: string, mark?: string, reveal?: any}} film */
  showBeside({ link, mark, reveal }) {
    const nearCases = (reveal?.near ?? []).map(({ picture, words }) => {
      const item = make("li", "");
      if (picture) item.append(Object.assign(make("img", "class-near-picture"), { src: picture, alt: "" }));
      item.append(make("span", "", words));
      return item;
    });
    const links = link ? [this.makeNumberLink(link, mark, reveal)] : [];
    this.find("class-near-title").hidden = !nearCases.length;
    this.find("class-link-place").replaceChildren(...links);
    this.find("class-near").replaceChildren(...nearCases);
  }

  // Escape leaves the last answer of the dialog as its value.
  askToEnd() {
    const dialog = this.find("class-end");
    dialog.returnValue = "";
    dialog.showModal();
  }

  // Errors come first.
  presentedBoard() {
    const content = presentedClass(this);
    return this.board?.trouble ? { ...content, lines: [this.board.trouble, ...(content.lines ?? [])] } : content;
  }

  // Mark the number in its place; the note about it is above the tabs.
  makeNumberLink(link, mark, reveal) {
    const way = makePlaceLink("class-link", "What the note speaks of", link);
    way.addEventListener("click", () => {
      const { title, tally } = this.board;
      const words = [reveal.note, tally?.n && "The class: " + correctWords(tally.right)].filter(Boolean).join(" ");
      document.dispatchEvent(new CustomEvent("class-number", { detail: { title, words, mark } }));
    });
    return way;
  }

  // The film of the board; its truth is requested once it is revealed.
  async loadFilm({ id, film, stage, tally }) {
    const wantedKey = [id, film, stage].join(" ");
    if (this.asked !== wantedKey) {
      this.asked = wantedKey;
      const isLatest = watchLatest(() => this.asked);
      const answer = await this.callbacks.call("class_film", film);
      if (!isLatest()) return;
      if (answer.stage !== "film") return void (this.asked = null); // requested again with the next update
      this.film = answer;
      this.picture.show(answer);
      this.showBeside(answer);
    }
    if (this.film?.film === film) this.picture.showPoints(tally?.points ?? []);
    this.present.refresh();
  }

  async end() {
    if (this.results || this.ending) return;
    this.ending = true;
    const answer = await this.callbacks.call("class_results");
    this.ending = false;
    if (answer.stage !== "results" || this.board?.stage !== "ended") return;
    this.results = answer;
    this.asked = null;
    this.showBeside({});
    this.picture.replaceFilm(makeResults(answer, new ClassStudy(this.callbacks.call).box), "results " + this.board.id);
    this.present.refresh();
  }

  // Steps

  buttonTexts() {
    const { board } = this;
    if (!board || board.stage === "ended") return {};
    const { stage, film, films } = board;
    if (stage === "waiting") return { next: "First film" };
    const last = film === films - 1;
    return { back: film === 0 ? null : "Back", reveal: stage === "open" ? REVEAL : null, next: last ? CLOSING : "Next" };
  }

  go(by) {
    const { stage, film, films } = this.board;
    const target = stage === "waiting" ? 0 : film + by;
    if (target === films && stage !== "ended") return this.askToEnd();
    if (stage !== "ended" && target >= 0 && target < films && (by > 0 || stage !== "waiting")) this.callbacks.step("class_go", target);
  }

  reveal() {
    if (this.board.stage === "open") this.callbacks.step("class_reveal");
  }
}
