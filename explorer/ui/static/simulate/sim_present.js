// A simulated film presented to a room: its truth and both models' readings, once revealed; then another patient.

import { STATE_WORDS } from "../shared/finding_words.js";
import { REVEAL } from "../shared/present_panel.js";
import { presentViewer } from "../shared/present_viewer.js";
import { storedScoresOf } from "./lesson_scores.js";

const KEY_WORDS = {
  next: "Another patient",
  back: "The patient before",
  reveal: "Reveal the answer, or hide it",
};
const TRUTH_SOURCE = "The truth is the simulator's, exact.";
const SIDE_SUFFIXES = { left: ", left", right: ", right", both: ", both sides" };

// `state`: that of simulate.js; `readings()`: the models' readings; another(); `cover()` hides and reveals.
export function presentSimulated({ room, films, state, readings, another, cover }) {
  let covers = false; // the answer of each patient is hidden until it is revealed
  const earlierPatients = []; // the findings requested since for each patient

  async function next() {
    if (covers && !state.hidden) cover().hide(); // before the film has loaded
    await cover().sealed;
    earlierPatients.push(state.wanted);
    another();
  }

  return presentViewer({
    host: room,
    tab: "simulate",
    lightbox: films.lightbox,
    words: KEY_WORDS,
    callbacks: {
      said: () => (state.hidden ? presentedHidden() : presentedFilm(state, readings())),
      ways: () => ({ back: earlierPatients.length ? "Back" : null, reveal: state.hidden ? REVEAL : "Hide", next: "Next" }),
      next,
      back: () => earlierPatients.length && cover().showEarlier(earlierPatients.pop()),
      reveal: () => {
        covers = true;
        cover().toggle();
      },
    },
  });
}

const presentedHidden = () => ({ mark: "SIMULATED", verdict: { words: "What is on this film?" }, lines: ["Findings and scores are hidden."] });

function presentedFilm({ shown, wanted }, { distinctReadings: readings, isComplete }) {
  const names = wanted.requests.map(({ finding, side }) => finding + (SIDE_SUFFIXES[side] ?? ""));
  const answers = Object.values(readings).filter(Boolean);
  const storedScores = storedScoresOf(shown?.key);
  const head = { place: shown?.name ?? "", mark: "SIMULATED", verdict: { words: names.join("; ") || "No finding: a healthy patient" } };
  // a lesson is about these, not about the current reading
  if (storedScores.length) return { ...head, lines: [TRUTH_SOURCE], models: storedScores };
  return {
    ...head,
    lines: [TRUTH_SOURCE, ...answers.filter(({ stage }) => stage !== "said").map(({ title }) => title + "."), ...(isComplete ? [] : ["The models are reading the film."])],
    models: answers.filter(({ stage, rows }) => stage === "said" && rows.length).map(({ model, rows }) => ({ name: model.name, rows: rows.map(presentedRow) })),
  };
}

const presentedRow = ({ finding, score, threshold, outcome, doubt }) => ({ finding, score, threshold, outcome, words: STATE_WORDS[doubt || null] });
