// An outcome as color (in the style sheet), shape and word.

import { make } from "../shared/elements.js";
import { explained } from "../shared/glossary.js";

const OUTCOME_SHAPES = { miss: "\u25bc", "false alarm": "\u25b2", hit: "\u25cf", "correct rejection": "\u25cb" };

export function outcomeBadge(outcome, words = outcome ?? "no outcome") {
  const badge = make("span", "outcome-badge");
  badge.dataset.outcome = outcome ?? "none";
  badge.append(make("span", "outcome-shape", OUTCOME_SHAPES[outcome] ?? "\u2013"), make("span", "outcome-word", words));
  badge.firstChild.setAttribute("aria-hidden", "true");
  return explained(badge, outcome ?? "");
}
