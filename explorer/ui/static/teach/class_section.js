// The section Class of the Teach tab: begin a class, show its films, watch the tallies, end it.
// All text goes in as text nodes.

import { asksToPresent } from "../shared/present_address.js";
import { refusalWords, showWords } from "../shared/refusal.js";
import { isTeach, readTeach, teachAddress } from "../shared/teach_address.js";
import { ClassBegin } from "./class_begin.js";
import { ClassDesk } from "./class_desk.js";

const EVERY = 1000; // ms between updates of the board, while it is visible
const PATIENCE = 5000; // ms without a board until the page says so
const LOST = {
  stage: "refused",
  title: "Tailscope does not answer",
  detail: "Check that it is still running. If it has ended, start it again with `make class`, load this page anew and begin the class again: what was answered is kept.",
};

class ClassSection {
  constructor(room, server) {
    this.room = room;
    this.server = server;
    this.board = null;
    this.another = false; // after the end: the teacher wants to begin another class
    this.begin = new ClassBegin(room.querySelector(".class-begin"), { call: (...asked) => this.call(...asked), begun: (left) => this.begun(left) });
    this.desk = new ClassDesk(room, {
      call: (...asked) => this.call(...asked),
      step: (name, argument) => this.step(name, argument),
      another: () => this.beginAnother(),
    });
    setInterval(() => this.look(), EVERY);
    new ResizeObserver(() => this.look()).observe(room); // its section is opened
    addEventListener("popstate", () => this.follow());
    document.dispatchEvent(new Event("teach-section")); // the tab offers only sections with content
    this.follow();
    this.look();
  }

  // The request of the address: the projector view, or a class with the playlist of this key.
  follow() {
    openProjector();
    const key = isTeach(location.hash) && readTeach(location.hash).hold;
    if (!key) return;
    history.replaceState(history.state, "", teachAddress({ section: "class" })); // so that Back does not begin it again
    this.held = key;
    if (this.board) this.hold();
  }

  // Begin the requested class; the page says so where another runs or none can be held.
  hold() {
    const [key, { on, running }] = [this.held, this.board];
    this.held = null;
    if (running) return this.say({ stage: "refused", title: "A class is running", detail: "End it, then hold the lesson." });
    this.another = true;
    this.show(this.board);
    this.begin.hold(key, on);
  }

  part(name) {
    return this.room.querySelector("." + name);
  }

  // Gradio answers undefined where there is no server.
  async call(name, argument = null) {
    return (await this.server[name](argument).catch(() => undefined)) ?? LOST;
  }

  // A process that hangs ends no request.
  async soon(name) {
    let timer;
    const late = new Promise((done) => (timer = setTimeout(done, PATIENCE, LOST)));
    const answer = await Promise.race([this.call(name), late]);
    clearTimeout(timer);
    return answer;
  }

  // A step of the teacher: a failure is shown, and the board shows the result.
  async step(name, argument) {
    const answer = await this.call(name, argument);
    this.say(answer);
    await this.look();
  }

  say(answer) {
    this.said = answer;
    const words = answer.stage === "refused" ? refusalWords(answer) : "";
    showWords(this.part("class-said"), words);
    this.desk.say(words);
  }

  // One request at a time.
  async look() {
    if (this.asking || !this.room.getClientRects().length) return;
    this.asking = true;
    const board = await this.soon("class_board");
    this.asking = false;
    if (board.stage === "refused") return this.say(board);
    if (this.said === LOST) this.say({});
    this.show(board);
    if (this.held) this.hold();
  }

  show(board) {
    this.board = board;
    const there = board.running || (board.stage === "ended" && !this.another);
    this.room.dataset.state = !board.on ? "off" : there ? board.stage : "begin";
    this.part("class-off").hidden = board.on;
    this.begin.show(!there, board.on);
    this.desk.show(board.on && there ? board : null);
  }

  begun(leftOut) {
    this.another = false;
    this.desk.leftOut(leftOut);
    this.look();
  }

  beginAnother() {
    this.another = true;
    this.show(this.board);
  }
}

// #teach?present=1 is the projector view, which belongs to the class.
function openProjector() {
  const { hash } = location;
  if (!/^#teach\?/.test(hash) || !asksToPresent(hash) || /[?&]section=/.test(hash)) return;
  history.replaceState(history.state, "", "#teach?section=class&present=1");
  dispatchEvent(new PopStateEvent("popstate"));
}

export const mount = ({ element, server }) => new ClassSection(element.querySelector(".class-section"), server);
