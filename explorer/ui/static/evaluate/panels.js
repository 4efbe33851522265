// The panels beside the leaderboard: which one is open, and which function draws the server's answer.

import { make } from "../shared/elements.js";
import { inSight } from "../shared/in_sight.js";
import { ensemble } from "./panels/ensemble.js";
import { finding } from "./panels/finding.js";
import { glance } from "./panels/glance.js";
import { headToTail } from "./panels/head_to_tail.js";
import { labels } from "./panels/labels.js";
import { price } from "./panels/price.js";
import { recipes } from "./panels/recipes.js";
import { subgroups } from "./panels/subgroups.js";
import { together } from "./panels/together.js";

// Each takes the answer and the tab, and returns the elements to show.
const DRAWN = { tail: headToTail, subgroups, finding, price, together, glance, labels, ensemble, recipes };

export class Panels {
  constructor(room, evaluate) {
    this.evaluate = evaluate;
    this.buttons = [...room.querySelectorAll(".evaluate-panels button")];
    for (const button of this.buttons) button.addEventListener("click", () => this.open(button.dataset.panel));
  }

  // A finding that a panel chose by default is not the visitor's choice.
  open(panel) {
    const { state, usual } = this.evaluate;
    this.evaluate.change({ panel, about: null, ...(usual && state.finding === usual ? { finding: null } : {}) });
  }

  // The question for the panel in the address; the leaderboard has none.
  question() {
    return this.evaluate.state.panel ? "panel" : "board";
  }

  mark() {
    const open = this.evaluate.state.panel ?? "";
    for (const button of this.buttons) {
      const on = button.dataset.panel === open;
      if (on) this.evaluate.box.setAttribute("aria-label", button.textContent);
      button.setAttribute("aria-current", String(on));
      if (on) inSight(button);
    }
  }

  parts(answer) {
    return [...DRAWN[answer.panel](answer, this.evaluate), counts(answer)];
  }
}

function counts({ notes }) {
  const box = make("section", "beneath what-counts");
  box.append(make("h2", "published-title", "What is counted"), ...notes.map((words) => make("p", "counts-line", words)));
  return box;
}
