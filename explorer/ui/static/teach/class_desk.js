// A running class as its teacher sees it: film and question, live tally, who has joined. The projector view
// (present.js) is the same part of the page, with all but film and words hidden.

import { correctWords } from "../shared/correct_words.js";
import { make, placeLink } from "../shared/elements.js";
import { latest } from "../shared/latest.js";
import { Present } from "../shared/present.js";
import { REVEAL } from "../shared/present_panel.js";
import { bindKeys, inFront } from "../viewer/keys.js";
import { doorOf } from "./class_door.js";
import { ClassFilm } from "./class_film.js";
import { ClassLearners } from "./class_learners.js";
import { showResults } from "./class_results.js";
import { saidOf } from "./class_words.js";

const CLOSE = "Closing words"; // these buttons ask whether the class is to end
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
    this.desk = this.part("class-desk");
    this.picture = new ClassFilm(this.part("class-place"));
    this.learners = new ClassLearners(room, callbacks.step);
    this.present = new Present({
      host: this.desk,
      tab: "teach",
      always: true,
      words: { next: "Next film", back: "The film before", reveal: "Reveal the truth to the class" },
      callbacks: {
        ready: () => Boolean(this.board) && this.desk.getClientRects().length > 0,
        said: () => this.said(),
        ways: () => this.ways(),
        next: () => this.go(1),
        back: () => this.go(-1),
        reveal: () => this.reveal(),
        heat: () => this.picture.nextMap(),
        outline: () => this.picture.toggleAreas(),
      },
    });
    bindKeys(KEYS, () => this.board && inFront(this.desk), () => this.present.toggle(), () => {});
    this.on("class-present", () => this.present.toggle());
    this.on("class-end-button", () => this.askToEnd());
    this.on("class-another", callbacks.another);
    this.part("class-end").addEventListener("close", ({ target }) => target.returnValue === "end" && callbacks.step("class_end"));
  }

  part(name) {
    return this.room.querySelector("." + name);
  }

  on(name, take) {
    this.part(name).addEventListener("click", take);
  }

  // `board`: from the server; null: no class is on show.
  /** @param {classroom.board.BoardPayload} board */
  show(board) {
    if (board?.id !== this.board?.id) this.film = this.results = null;
    this.board = board;
    this.desk.hidden = !board;
    if (board) this.draw();
    this.present.refresh();
  }

  say(words) {
    if (this.present.on) this.present.say(words);
  }

  leftOut(sentences) {
    this.part("class-left-out").replaceChildren(...sentences.map((each) => make("li", "", each)));
  }

  draw() {
    const { board } = this;
    const { stage } = board;
    const ended = stage === "ended";
    this.desk.dataset.stage = stage;
    this.part("class-name").textContent = board.title;
    this.part("class-stage").textContent = STAGES[stage] + (board.own_pace && !ended ? ", at their own pace" : "");
    this.part("class-end-button").hidden = ended;
    this.part("class-another").hidden = !ended;
    if (this.part("class-trouble").textContent !== board.trouble) this.part("class-trouble").textContent = board.trouble;
    this.learners.show(board);
    const lobby = stage === "waiting";
    this.door(!lobby && !ended);
    if (ended) this.end();
    else if (lobby) this.picture.put(doorOf(board), "door " + board.id);
    else this.look(board);
  }

  // How learners join, small beside the film; before the first film it stands in the film's place.
  door(on) {
    const door = this.part("class-door");
    const of = on ? this.board.id : "";
    if (door.dataset.of === of) return;
    door.dataset.of = of;
    door.replaceChildren(...(on ? [doorOf(this.board)] : []));
  }

  // After the reveal, for the teacher: a link to the number of the note, and the nearest cases.
  /** @param {{link?: string, mark?: string, reveal?: any}} film */
  beside({ link, mark, reveal }) {
    const near = (reveal?.near ?? []).map(({ picture, words }) => {
      const item = make("li", "");
      if (picture) item.append(Object.assign(make("img", "class-near-picture"), { src: picture, alt: "" }));
      item.append(make("span", "", words));
      return item;
    });
    const ways = link ? [this.number(link, mark, reveal)] : [];
    this.part("class-near-title").hidden = !near.length;
    this.part("class-link-place").replaceChildren(...ways);
    this.part("class-near").replaceChildren(...near);
  }

  // Escape leaves the last answer of the dialog as its value.
  askToEnd() {
    const dialog = this.part("class-end");
    dialog.returnValue = "";
    dialog.showModal();
  }

  // Errors come first.
  said() {
    const said = saidOf(this);
    return this.board?.trouble ? { ...said, lines: [this.board.trouble, ...(said.lines ?? [])] } : said;
  }

  // Mark the number in its place; the note about it stands above the tabs.
  number(link, mark, reveal) {
    const way = placeLink("class-link", "What the note speaks of", link);
    way.addEventListener("click", () => {
      const { title, tally } = this.board;
      const words = [reveal.note, tally?.n && "The class: " + correctWords(tally.right)].filter(Boolean).join(" ");
      document.dispatchEvent(new CustomEvent("class-number", { detail: { title, words, mark } }));
    });
    return way;
  }

  // The film of the board; its truth is requested once it is revealed.
  async look({ id, film, stage, tally }) {
    const wanted = [id, film, stage].join(" ");
    if (this.asked !== wanted) {
      this.asked = wanted;
      const isLatest = latest(() => this.asked);
      const answer = await this.callbacks.call("class_film", film);
      if (!isLatest()) return;
      if (answer.stage !== "film") return void (this.asked = null); // requested again with the next update
      this.film = answer;
      this.picture.show(answer);
      this.beside(answer);
    }
    if (this.film?.film === film) this.picture.points(tally?.points ?? []);
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
    this.beside({});
    this.picture.put(showResults(answer), "results " + this.board.id);
    this.present.refresh();
  }

  // Steps

  ways() {
    const { board } = this;
    if (!board || board.stage === "ended") return {};
    const { stage, film, films } = board;
    if (stage === "waiting") return { next: "First film" };
    const last = film === films - 1;
    return { back: film === 0 ? null : "Back", reveal: stage === "open" ? REVEAL : null, next: last ? CLOSE : "Next" };
  }

  go(by) {
    const { stage, film, films } = this.board;
    const to = stage === "waiting" ? 0 : film + by;
    if (to === films && stage !== "ended") return this.askToEnd();
    if (stage !== "ended" && to >= 0 && to < films && (by > 0 || stage !== "waiting")) this.callbacks.step("class_go", to);
  }

  reveal() {
    if (this.board.stage === "open") this.callbacks.step("class_reveal");
  }
}
