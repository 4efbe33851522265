// The Evaluate tab: the one holder of its state, which is the address; and who is drawn when it changes.
// All text goes in as text nodes.

import { AskedAgain } from "../shared/asked_again.js";
import { focusedKey, make } from "../shared/elements.js";
import { latest } from "../shared/latest.js";
import { makeWords } from "../shared/refusal.js";
import { addressOf, changed, isEvaluate, orderOf, readAddress, subjectOf } from "./address.js";
import { beneath } from "./beneath.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { Panels } from "./panels.js";
import { Tools } from "./tools.js";

const NOBODY = { stage: "refused", title: "Tailscope does not answer", detail: "Check that it is still running, then ask again." };

class Evaluate {
  constructor(room, { server }) {
    this.room = room;
    this.server = server;
    this.state = readAddress(location.hash);
    this.answer = null;
    this.turn = 0; // of what is asked: another one overtakes also the intervals that the last one waits for
    this.box = room.querySelector(".evaluate-board");
    this.again = new AskedAgain(this.box);
    this.choices = new Choices(room, this);
    this.board = new Board(this);
    this.panels = new Panels(room, this);
    this.tools = new Tools(room, this);
    addEventListener("popstate", () => isEvaluate(location.hash) && this.go(readAddress(location.hash)));
    this.draw();
  }

  // Change the state, put it in the address and draw it; null takes a word away.
  change(changes) {
    const next = changed(this.state, changes);
    if (addressOf(next) === addressOf(this.state)) return;
    history.pushState(null, "", addressOf(next));
    this.go(next);
  }

  go(next) {
    const same = this.answer && subjectOf(next) === subjectOf(this.state);
    this.state = next;
    if (same) return this.show(this.answer);
    this.draw();
  }

  // Gradio answers undefined where there is no server.
  async ask(name, extra = {}) {
    const answer = await this.server[name]({ state: this.state, ...extra }).catch(() => undefined);
    return answer ?? NOBODY;
  }

  async draw() {
    this.again.stop();
    this.pending(true);
    this.turn += 1;
    const isLatest = latest(() => this.turn);
    this.panels.mark();
    const { finding } = this.state;
    const answer = await this.ask(this.panels.question());
    if (!isLatest()) return; // the visitor went on
    if (!finding) this.usual = answer.words?.finding;
    this.pending(false);
    if (answer.stage === "refused") return this.refused(answer);
    this.take(answer);
  }

  take(answer) {
    this.state = changed(answer.words, orderOf(this.state));
    if (isEvaluate(location.hash)) history.replaceState(null, "", addressOf(this.state));
    this.answer = answer;
    this.room.dataset.state = "shown";
    this.choices.show(answer);
    this.tools.show(answer);
    this.show(answer);
    if (answer.computing) this.again.later(() => this.more());
  }

  /** @param {ui.evaluate.payload.LeaderboardPayload} answer */
  show(answer) {
    const focused = focusedKey(document);
    const folds = openFolds(this.box);
    this.box.replaceChildren(...this.parts(answer));
    for (const fold of this.box.querySelectorAll("details")) if (folds.has(fold.className)) fold.open = true;
    if (focused) [...this.box.querySelectorAll("[data-key]")].find((each) => each.dataset.key === focused)?.focus({ preventScroll: true });
  }

  parts(answer) {
    if (answer.stage === "panel") return this.panels.parts(answer);
    return [...this.board.parts(answer), ...beneath(answer, this.board.part(answer))];
  }

  // What to do while intervals are computed.
  async more() {
    const isLatest = latest(() => this.turn);
    const answer = await this.ask(this.panels.question(), { waiting: true, done: this.answer.done ?? null });
    if (!isLatest()) return;
    if (answer.stage === "computing") {
      this.tools.wait(answer.left);
      return this.again.later(() => this.more());
    }
    if (answer.stage === "refused") return this.refused(answer);
    // It was asked by words that are all understood; what was said of the link's still holds.
    const complaints = answer.complaints.length ? answer.complaints : this.answer.complaints;
    this.take({ ...answer, complaints });
  }

  refused({ title, detail, choices }) {
    this.answer = null;
    this.room.dataset.state = "refused";
    this.tools.clear();
    if (choices) this.choices.show(choices);
    if (choices) this.tools.chosen(choices);
    const again = Object.assign(make("button", "evaluate-again", "Try again"), { type: "button" });
    again.addEventListener("click", () => this.draw());
    const box = make("div", "evaluate-refusal");
    box.setAttribute("role", "alert");
    box.append(make("p", "evaluate-refusal-title", title), makeWords("p", "evaluate-refusal-detail", detail), again);
    this.box.replaceChildren(box);
  }

  // What is on the page belongs to the state before: it is dimmed until the answer is there.
  pending(busy) {
    this.room.classList.toggle("pending", busy);
    this.box.setAttribute("aria-busy", String(busy));
  }
}

const openFolds = (box) => new Set([...box.querySelectorAll("details[open]")].map((each) => each.className));

export const mount = (gradio) => new Evaluate(gradio.element.querySelector(".evaluate"), gradio);
