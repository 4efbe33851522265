// The questions asked about the film, the latest first; each can be shown again.

import { make } from "../shared/elements.js";
import { scoreText } from "../shared/figures.js";

export class AskedList {
  // `callbacks`: again(answer), save().
  constructor(section, callbacks) {
    this.section = section;
    this.callbacks = callbacks;
    this.list = section.querySelector(".asked-list");
    section.querySelector(".asked-save").addEventListener("click", callbacks.save);
  }

  show(answers, shown) {
    this.section.hidden = !answers.length;
    this.section.querySelector(".asked-title").textContent = "Questions about this film (" + answers.length + ")";
    this.list.replaceChildren(...answers.map((answer) => this.makeItem(answer, answer === shown)));
    const button = this.list.querySelector("[aria-pressed=true]");
    if (button) this.list.scrollTop += Math.min(0, button.offsetTop - this.list.scrollTop);
  }

  makeItem(answer, shown) {
    const item = make("li", "");
    const button = make("button", "asked-question");
    button.type = "button";
    button.dataset.verdict = answer.verdict;
    button.setAttribute("aria-pressed", String(shown));
    const text = make("span", "asked-text", answer.scored);
    if (answer.scored !== answer.question) text.append(make("span", "asked-aside muted small", "asked: " + answer.question));
    if (answer.sent !== null) text.append(make("span", "asked-aside muted small", "own templates"));
    button.append(text, make("span", "asked-verdict muted small", answer.verdict));
    button.append(make("span", "asked-score", scoreText(answer.score)));
    button.addEventListener("click", () => this.callbacks.again(answer));
    item.append(button);
    return item;
  }
}
