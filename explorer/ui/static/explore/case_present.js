// A case of Explore presented to a room: outcome and figures of the chosen finding, beside the film.

import { presentedFinding } from "../shared/insertion_panel.js";
import { REVEAL } from "../shared/present_panel.js";
import { presentViewer } from "../shared/present_viewer.js";
import { caseFiguresText } from "./case_panel.js";
import { modelValueText } from "./margins.js";

const MOST_OTHERS = 2; // findings of the slice's model, and other models: what the back row can read beside a film
const OUTCOME_ORDER = ["miss", "false alarm", "hit"];
const KEY_WORDS = {
  next: "Next case of the slice",
  back: "Previous case of the slice",
  reveal: "Reveal labels and scores, or hide them",
};

// `view`: the CaseView, which reports its changes.
export function presentCase(view) {
  const { dialog, steps } = view;
  const lightbox = view.film.lightbox;
  const buttonText = (where, words) => (steps.caseToward(where) ? words : null);
  return presentViewer({
    host: dialog,
    tab: "explore",
    lightbox,
    words: KEY_WORDS,
    callbacks: {
      ready: () => dialog.open,
      said: () => ({ place: view.find("case-title").textContent, mark: simulatedMark(lightbox), ...presentedCase(view), ...presentedInsertion(view) }),
      ways: () => ({ back: buttonText("previous", "Back"), reveal: view.isCovered ? REVEAL : "Hide", next: buttonText("next", "Next") }),
      next: () => view.go("next"),
      back: () => view.go("previous"),
      reveal: () => view.toggleCover(),
    },
  });
}

const simulatedMark = ({ now: { film } }) => (film?.simulated ? "SIMULATED" : "");

// In place of the case: what is shown is the film with a finding that was put into it.
function presentedInsertion({ insertion: { shown } }) {
  return shown ? { mark: shown.mark, models: undefined, ...presentedFinding(shown) } : {};
}

function presentedCase(view) {
  const { isCovered, item } = view;
  if (isCovered) return { verdict: { words: "Labels and scores are hidden" }, lines: ["Look at the film first."] };
  const { facts, finding } = item ?? {};
  if (!facts) return {};
  if (facts.stage !== "case") return { verdict: { words: facts.title }, lines: [facts.detail] };
  const row = facts.rows.find((each) => each.finding === finding);
  if (!row) return { verdict: { words: "This model has no score for the film" } };
  const sources = facts.labels.filter(({ counts }) => counts).map(({ source }) => source);
  const labeled = sources.length ? "Labels: " + [...new Set(sources)].join("; ") + "." : "";
  view.requestOthers();
  const read = (item.others?.models ?? []).filter(({ rows }) => rows.some((each) => each.finding === finding));
  const others = read.sort((a, b) => Number(isImageText(b)) - Number(isImageText(a))).map((other) => modelOfFinding(other, finding));
  return {
    verdict: { words: finding, outcome: row.outcome },
    lines: [caseFiguresText(row), labeled].filter(Boolean),
    models: [{ name: facts.title, ...firstRows(facts.rows, finding) }, ...others.slice(0, MOST_OTHERS)],
  };
}

const presentedRow = (row) => ({ ...row, score: modelValueText(row.score, row), threshold: undefined, words: row.label });

// The chosen finding, then errors, then hits.
function firstRows(rows, finding) {
  const others = OUTCOME_ORDER.flatMap((outcome) => rows.filter((row) => row.outcome === outcome && row.finding !== finding));
  const first = [...rows.filter((row) => row.finding === finding), ...others.slice(0, MOST_OTHERS)];
  return { rows: first.map(presentedRow), more: Math.max(0, others.length - MOST_OTHERS) };
}

const isImageText = ({ rows: [{ unit }] }) => unit === "margin";
const modelOfFinding = ({ title, rows }, finding) => ({ name: title, rows: rows.filter((row) => row.finding === finding).map(presentedRow) });
