// An answer of Ask presented to a room: the text that was scored, the verdict in words, and why.

import { FAR_FROM_TEST_FILMS } from "../shared/finding_words.js";
import { REVEAL } from "../shared/present_panel.js";
import { presentViewer } from "../shared/present_viewer.js";
import { VERDICT_SHAPES } from "./answer.js";

const KEY_WORDS = { next: "Earlier question", back: "Later question", reveal: "Reveal the answer, or hide it", outline: "" };

// now(): the active film; shown(): the displayed answer; hidden(); step(delta), setHidden(hidden).
export function presentAsk({ room, lightbox, now, shown, hidden, step, setHidden }) {
  return presentViewer({
    host: room,
    tab: "ask",
    lightbox,
    words: KEY_WORDS,
    callbacks: {
      said: () => ({ place: now()?.name ?? "", mark: now()?.film?.simulated ? "SIMULATED" : "", ...presentedAnswer(shown(), hidden()) }),
      ways: () => ({ back: "Back", reveal: hidden() ? REVEAL : "Hide", next: "Next" }),
      next: () => step(1),
      back: () => step(-1),
      reveal: () => setHidden(!hidden()),
    },
  });
}

function presentedAnswer(answer, hidden) {
  if (!answer) return { verdict: { words: "No questions about this film yet" } };
  if (hidden) return { question: answer.scored, verdict: { words: "The answer is hidden" }, lines: ["Look at the film first."] };
  const { scored, verdict, said, why, warnings, model, far } = answer;
  return {
    question: scored,
    verdict: { words: VERDICT_SHAPES[verdict] + " " + verdict + (said ? ": " + said : "") },
    lines: [...(far ? [FAR_FROM_TEST_FILMS] : []), why, ...warnings.map(({ words }) => words).filter((words) => words !== why), model + ", an image-text model."],
  };
}
