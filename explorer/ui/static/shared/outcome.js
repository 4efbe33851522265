// An outcome as color (from outcome.css, for elements with its class and `data-outcome`), shape and word.

import { NO_FIGURE } from "./figures.js";
import { make } from "./elements.js";
import { addMeaning } from "./glossary.js";

const SHAPES = { miss: "\u25bc", "false alarm": "\u25b2", hit: "\u25cf", "correct rejection": "\u25cb" };

// Puts shape and word into an element of the class. Without an outcome it says why there is none.
export function showOutcome(element, outcome, why) {
  element.textContent = outcome ? SHAPES[outcome] + " " + outcome : why;
  element.dataset.outcome = outcome ?? "none";
}

export function makeOutcomeBadge(outcome, words = outcome ?? "no outcome") {
  const badge = make("span", "outcome outcome-badge");
  badge.dataset.outcome = outcome ?? "none";
  badge.append(make("span", "outcome-shape", SHAPES[outcome] ?? NO_FIGURE), make("span", "outcome-word", words));
  badge.firstElementChild.setAttribute("aria-hidden", "true");
  return addMeaning(badge, outcome ?? "");
}
