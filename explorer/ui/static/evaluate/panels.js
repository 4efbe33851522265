// The panels beside the leaderboard: which one is open, and which function draws the server's answer.

import { make } from "../shared/elements.js";
import { scrollIntoSight } from "../shared/in_sight.js";
import { makeCalibrationPanel } from "./panels/calibration.js";
import { makeDetectabilityPanel } from "./panels/detectability.js";
import { makeEnsemblePanel } from "./panels/ensemble.js";
import { makeFindingPanel } from "./panels/finding.js";
import { makeGlancePanel } from "./panels/glance.js";
import { makeHeadToTailPanel } from "./panels/head_to_tail.js";
import { makeLabelsPanel } from "./panels/labels.js";
import { makePairPanel } from "./panels/pair.js";
import { makePricePanel } from "./panels/price.js";
import { makePublishedPanel } from "./panels/published.js";
import { makeRecipesPanel } from "./panels/recipes.js";
import { makeRobustnessPanel } from "./panels/robustness.js";
import { makeSubgroupsPanel } from "./panels/subgroups.js";
import { makeTogetherPanel } from "./panels/together.js";

// Each takes the answer and the tab, and returns the elements to show.
const MAKERS = { pair: makePairPanel, tail: makeHeadToTailPanel, subgroups: makeSubgroupsPanel, finding: makeFindingPanel, robustness: makeRobustnessPanel, detectability: makeDetectabilityPanel, calibration: makeCalibrationPanel, price: makePricePanel, together: makeTogetherPanel, glance: makeGlancePanel, labels: makeLabelsPanel, ensemble: makeEnsemblePanel, recipes: makeRecipesPanel, published: makePublishedPanel };

// Panels without a button of their own, and the panel whose button is marked for them.
const OPENED_FROM = { glance: "", detectability: "robustness" };

export class EvaluatePanels {
  constructor(room, evaluate) {
    this.evaluate = evaluate;
    this.buttons = [...room.querySelectorAll(".evaluate-panels button")];
    for (const button of this.buttons) button.addEventListener("click", () => this.openPanel(button.dataset.panel));
  }

  // A finding that a panel chose by default is not the visitor's choice.
  openPanel(panel) {
    const { state, usual } = this.evaluate;
    this.evaluate.change({ panel, about: null, ...(usual && state.finding === usual ? { finding: null } : {}) });
  }

  // The question for the panel in the address; the leaderboard has none.
  questionOfPanel() {
    return this.evaluate.state.panel ? "panel" : "board";
  }

  markButtons() {
    const { panel = "" } = this.evaluate.state;
    const open = OPENED_FROM[panel] ?? panel;
    for (const button of this.buttons) {
      const on = button.dataset.panel === open;
      if (on) this.evaluate.box.setAttribute("aria-label", button.textContent);
      button.setAttribute("aria-current", String(on));
      if (on) scrollIntoSight(button);
    }
  }

  makeParts(answer) {
    return [...MAKERS[answer.panel](answer, this.evaluate), makeWhatCounts(answer)];
  }
}

function makeWhatCounts({ notes }) {
  const box = make("section", "beneath what-counts");
  box.append(make("h2", "published-title", "What is counted"), ...notes.map((words) => make("p", "counts-line", words)));
  return box;
}
