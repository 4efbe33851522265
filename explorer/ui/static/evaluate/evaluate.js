// The Evaluate tab: it alone holds the state, which is the address, and redraws the parts when the state changes.
// All text goes in as text nodes.

import { Polling } from "../shared/asked_again.js";
import { focusedKey, make } from "../shared/elements.js";
import { CaseWords } from "../shared/counted.js";
import { watchLatest } from "../shared/latest.js";
import { makeWithCommands } from "../shared/refusal.js";
import { changedComparison, comparisonKey, evaluateAddress, isEvaluateAddress, orderWords, readEvaluateAddress } from "./address.js";
import { makePartsBelow } from "./beneath.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { EvaluatePanels } from "./panels.js";
import { EvaluateTools } from "./tools.js";

const NO_ANSWER = { stage: "refused", title: "Tailscope is not responding", detail: "Check that it is still running, then ask again." };

class Evaluate {
  constructor(room, { server }) {
    this.room = room;
    this.server = server;
    this.state = readEvaluateAddress(location.hash);
    this.answer = null;
    this.notice = ""; // to be shown with the next answer
    this.turn = 0; // counts questions: a new one also overtakes the intervals that the previous one waits for
    this.box = room.querySelector(".evaluate-board");
    this.again = new Polling(this.box, () => this.askForMore());
    this.words = new CaseWords([this.box]);
    this.choices = new Choices(room, this);
    this.board = new Board(this);
    this.panels = new EvaluatePanels(room, this);
    this.tools = new EvaluateTools(room, this);
    addEventListener("popstate", () => isEvaluateAddress(location.hash) && this.goTo(readEvaluateAddress(location.hash)));
    this.draw();
  }

  // Change the state, put it in the address and draw it; null removes a word.
  change(changes) {
    const next = changedComparison(this.state, changes);
    if (evaluateAddress(next) === evaluateAddress(this.state)) return;
    this.goOn(next);
  }

  // Go to another state as a step of the browser's history.
  goOn(next) {
    history.pushState(null, "", evaluateAddress(next));
    this.goTo(Object.freeze(next));
  }

  goTo(next) {
    const same = this.answer && comparisonKey(next) === comparisonKey(this.state);
    this.state = next;
    if (same) return this.show(this.answer);
    this.draw();
  }

  // Gradio answers undefined where there is no server.
  async ask(name, extra = {}) {
    const answer = await this.server[name]({ state: this.state, ...extra }).catch(() => undefined);
    return answer ?? NO_ANSWER;
  }

  async draw() {
    this.again.stop();
    this.setPending(true);
    this.turn += 1;
    const isLatest = watchLatest(() => this.turn);
    this.panels.markButtons();
    const { finding } = this.state;
    const answer = await this.ask(this.panels.questionOfPanel());
    if (!isLatest()) return; // the visitor went on
    if (!finding) this.usual = answer.words?.finding;
    this.setPending(false);
    if (answer.stage === "refused") return this.showRefusal(answer);
    this.takeAnswer(answer);
  }

  takeAnswer(given) {
    const answer = this.notice ? { ...given, complaints: [this.notice, ...given.complaints] } : given;
    this.notice = "";
    this.state = changedComparison(answer.words, orderWords(this.state));
    if (isEvaluateAddress(location.hash)) history.replaceState(null, "", evaluateAddress(this.state));
    this.answer = answer;
    this.words.counted = answer.counted;
    this.room.dataset.state = "shown";
    this.choices.show(answer);
    this.tools.show(answer);
    this.show(answer);
    if (answer.computing) this.again.start();
    else this.again.stop();
  }

  /** @param {ui.evaluate.payload.LeaderboardPayload} answer */
  show(answer) {
    const focused = focusedKey(document);
    const folds = openFolds(this.box);
    this.box.replaceChildren(...this.makeParts(answer));
    for (const fold of this.box.querySelectorAll("details")) if (folds.has(fold.className)) fold.open = true;
    if (focused) [...this.box.querySelectorAll("[data-key]")].find((each) => each.dataset.key === focused)?.focus({ preventScroll: true });
  }

  makeParts(answer) {
    if (answer.stage === "panel") return this.panels.makeParts(answer);
    return [...this.board.makeParts(answer), ...makePartsBelow(answer, this.board.orderedColumn(answer), () => this.panels.openPanel("glance"))];
  }

  // Poll while intervals are computed.
  async askForMore() {
    const isLatest = watchLatest(() => this.turn);
    const answer = await this.ask(this.panels.questionOfPanel(), { waiting: true, done: this.answer.done ?? null });
    if (!isLatest()) return;
    if (answer.stage === "computing") return this.tools.showWaiting(answer.left);
    if (answer.stage === "refused") return this.showRefusal(answer);
    // This question contains only known words; complaints about the link's words still hold.
    const complaints = answer.complaints.length ? answer.complaints : this.answer.complaints;
    this.takeAnswer({ ...answer, complaints });
  }

  showRefusal({ title, detail, choices }) {
    this.again.stop();
    this.answer = null;
    this.room.dataset.state = "refused";
    this.tools.clear();
    if (choices) this.choices.show(choices);
    if (choices) this.tools.showChosenFilms(choices);
    const again = Object.assign(make("button", "evaluate-again", "Try again"), { type: "button" });
    again.addEventListener("click", () => this.draw());
    const box = make("div", "evaluate-refusal");
    box.setAttribute("role", "alert");
    box.append(make("p", "evaluate-refusal-title", title), makeWithCommands("p", "evaluate-refusal-detail", detail), again);
    this.box.replaceChildren(box);
  }

  // What is on the page belongs to the previous state: it is dimmed until the answer arrives.
  setPending(busy) {
    this.room.classList.toggle("pending", busy);
    this.box.setAttribute("aria-busy", String(busy));
  }
}

const openFolds = (box) => new Set([...box.querySelectorAll("details[open]")].map((each) => each.className));

export const mount = (gradio) => new Evaluate(gradio.element.querySelector(".evaluate"), gradio);
