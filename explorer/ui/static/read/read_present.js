// A film of Read presented to a room: its headline as one sentence, the figures behind it, the chosen finding.

import { STATE_WORDS, VERDICT_WORDS, headlineWords, rowsInState } from "../shared/finding_words.js";
import { presentedFinding } from "../shared/insertion_panel.js";
import { REVEAL } from "../shared/present_panel.js";
import { presentViewer } from "../shared/present_viewer.js";
import { isLateralNotRead, lateralTitle } from "./lateral.js";

const MOST_ROWS = 6; // as many as the back row of a room can read beside a film
const KEY_WORDS = { next: "Next finding", back: "Previous finding", reveal: "Reveal the model's opinion, or hide it" };

// `state`: that of read.js; now(): the active film; step(delta), setHidden(hidden); inserted(): the answer about a finding
// that was put into it, if the film is shown with it.
export function presentRead({ room, lightbox, state, now, step, setHidden, inserted }) {
  return presentViewer({
    host: room,
    tab: "read",
    lightbox,
    words: KEY_WORDS,
    callbacks: {
      said: () => ({
        place: now()?.name ?? "",
        mark: inserted()?.mark ?? (now()?.film?.simulated ? "SIMULATED" : ""),
        ...(inserted() ? presentedFinding(inserted()) : presentedFilm(now(), state)),
      }),
      ways: () => ({ back: "Back", reveal: state.hidden ? REVEAL : "Hide", next: "Next" }),
      next: () => step(1),
      back: () => step(-1),
      reveal: () => setHidden(!state.hidden),
    },
  });
}

function presentedFilm(item, { hidden, chosen }) {
  const { stage, opinion, refusal } = item ?? {};
  if (stage === "scoring") return { verdict: { words: "Scoring the findings" } };
  if (isLateralNotRead(item)) return { verdict: { words: lateralTitle(refusal) }, lines: [refusal.verdict.reason] };
  if (stage === "refused") return { verdict: { words: refusal.verdict.reason }, lines: [refusal.verdict.advice] };
  if (stage !== "read") return { verdict: { words: refusal?.title ?? "Opening the film" }, lines: [refusal?.detail ?? ""].filter(Boolean) };
  if (hidden) return { verdict: { words: "The model's opinion is hidden" }, lines: ["Look at the film first."] };
  const { rows, model } = opinion;
  const lines = ["One model's scores, not a diagnosis."];
  return { verdict: { words: headlineWords(item).title }, lines, models: [{ name: model.name, ...firstRows(rows, chosen) }] };
}

// The chosen finding, then those above their thresholds.
function firstRows(rows, chosen) {
  const above = rowsInState(rows, "above").filter(({ finding }) => finding !== chosen);
  const all = [...rows.filter(({ finding }) => finding === chosen), ...above];
  return { rows: all.slice(0, MOST_ROWS).map(presentedRow), more: Math.max(0, all.length - MOST_ROWS) };
}

const presentedRow = ({ finding, score, threshold, state, verdict, warning }) => ({
  finding,
  score,
  threshold,
  words: verdict
    ? VERDICT_WORDS[verdict]
    : [STATE_WORDS[state], warning && state !== "cannot judge" && "unreliable"].filter(Boolean).join(", "),
});
