// The section Class of the Teach tab: begin a class, show its films, watch the tallies, end it.
// All text goes in as text nodes.

import { isPresented } from "../shared/present_address.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";
import { isTeachAddress, readTeachAddress, teachAddress } from "../shared/teach_address.js";
import { ClassBegin } from "./class_begin.js";
import { ClassDesk } from "./class_desk.js";

const UPDATE_EVERY = 1000; // ms between updates of the board, while it is visible
const PATIENCE = 5000; // ms without a board until the page reports it
const SERVER_STOPPED = {
  stage: "refused",
  title: "Tailscope is not responding",
  detail: "Check that it is still running. If it has ended, start it again with `make class`, load this page anew and begin the class again: what was answered is kept.",
};

class ClassSection {
  constructor(room, server) {
    this.room = room;
    this.server = server;
    this.board = null;
    this.another = false; // after the end: the teacher wants to begin another class
    this.begin = new ClassBegin(room.querySelector(".class-begin"), { call: (...asked) => this.callServer(...asked), begun: (left) => this.classBegun(left) });
    this.desk = new ClassDesk(room, {
      call: (...asked) => this.callServer(...asked),
      step: (name, argument) => this.takeStep(name, argument),
      another: () => this.beginAnother(),
    });
    setInterval(() => this.update(), UPDATE_EVERY);
    new ResizeObserver(() => this.update()).observe(room); // its section is opened
    addEventListener("popstate", () => this.follow());
    document.dispatchEvent(new Event("teach-section")); // the tab offers only sections with content
    this.follow();
    this.update();
  }

  // The request of the address: the projector view, or a class with the playlist of this key.
  follow() {
    openProjector();
    const key = isTeachAddress(location.hash) && readTeachAddress(location.hash).hold;
    if (!key) return;
    history.replaceState(history.state, "", teachAddress({ section: "class" })); // so that Back does not begin it again
    this.heldKey = key;
    if (this.board) this.holdRequestedClass();
  }

  // Begin the requested class; the page reports if another is running or none can be held.
  holdRequestedClass() {
    const [key, { on, running }] = [this.heldKey, this.board];
    this.heldKey = null;
    if (running) return this.showAnswer({ stage: "refused", title: "A class is running", detail: "End it, then start the lesson." });
    this.another = true;
    this.show(this.board);
    this.begin.chooseAndBegin(key, on);
  }

  find(name) {
    return this.room.querySelector("." + name);
  }

  // Gradio answers undefined where there is no server.
  async callServer(name, argument = null) {
    return (await this.server[name](argument).catch(() => undefined)) ?? SERVER_STOPPED;
  }

  // A hung process never ends a request.
  async callWithin(name) {
    let timer;
    const late = new Promise((done) => (timer = setTimeout(done, PATIENCE, SERVER_STOPPED)));
    const answer = await Promise.race([this.callServer(name), late]);
    clearTimeout(timer);
    return answer;
  }

  // A step of the teacher: a failure is shown, and the board shows the result.
  async takeStep(name, argument) {
    const answer = await this.callServer(name, argument);
    this.showAnswer(answer);
    await this.update();
  }

  showAnswer(answer) {
    this.status = answer;
    const words = answer.stage === "refused" ? refusalWords(answer) : "";
    showWithCommands(this.find("class-said"), words);
    this.desk.showWords(words);
  }

  // One request at a time.
  async update() {
    if (this.asking || document.hidden || !this.room.getClientRects().length) return;
    this.asking = true;
    const board = await this.callWithin("class_board");
    this.asking = false;
    if (board.stage === "refused") return this.showAnswer(board);
    if (this.status === SERVER_STOPPED) this.showAnswer({});
    this.show(board);
    if (this.heldKey) this.holdRequestedClass();
  }

  show(board) {
    this.board = board;
    const hasBoard = board.running || (board.stage === "ended" && !this.another);
    this.room.dataset.state = !board.on ? "off" : hasBoard ? board.stage : "begin";
    this.find("class-off").hidden = board.on;
    this.begin.show(!hasBoard, board.on);
    this.desk.show(board.on && hasBoard ? board : null);
  }

  classBegun(leftOut) {
    this.another = false;
    this.desk.showLeftOut(leftOut);
    this.update();
  }

  beginAnother() {
    this.another = true;
    this.show(this.board);
  }
}

// #teach?present=1 is the projector view, which belongs to the class.
function openProjector() {
  const { hash } = location;
  if (!/^#teach\?/.test(hash) || !isPresented(hash) || /[?&]section=/.test(hash)) return;
  history.replaceState(history.state, "", "#teach?section=class&present=1");
  dispatchEvent(new PopStateEvent("popstate"));
}

export const mount = ({ element, server }) => new ClassSection(element.querySelector(".class-section"), server);
