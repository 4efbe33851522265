// A case of Explore presented to a room: outcome and figures of the chosen finding, beside the film.

import { REVEAL } from "../shared/present_panel.js";
import { presentViewer } from "../shared/present_viewer.js";
import { caseFigures } from "./case_panel.js";
import { figure } from "./margins.js";

const MOST_OTHERS = 2; // findings of the slice's model, and other models: as many as the last row of a room can read beside a film
const ORDER = ["miss", "false alarm", "hit"];
const WORDS = {
  next: "Next case of the slice",
  back: "Previous case of the slice",
  reveal: "Reveal labels and scores, or hide them",
};

// `view`: the CaseView, which reports its changes.
export function presentCase(view) {
  const { dialog, steps } = view;
  const lightbox = view.film.lightbox;
  const way = (where, words) => (steps.to(where) ? words : null);
  return presentViewer({
    host: dialog,
    tab: "explore",
    lightbox,
    words: WORDS,
    callbacks: {
      ready: () => dialog.open,
      said: () => ({ place: view.part("case-title").textContent, mark: markOf(lightbox), ...saidOf(view) }),
      ways: () => ({ back: way("previous", "Back"), reveal: view.covered ? REVEAL : "Hide", next: way("next", "Next") }),
      next: () => view.go("next"),
      back: () => view.go("previous"),
      reveal: () => view.toggleCover(),
    },
  });
}

const markOf = ({ now: { film } }) => (film?.simulated ? "SIMULATED" : "");

function saidOf({ covered, item }) {
  if (covered) return { verdict: { words: "Labels and scores are hidden" }, lines: ["Look at the film first."] };
  const { facts, finding } = item ?? {};
  if (!facts) return {};
  if (facts.stage !== "case") return { verdict: { words: facts.title }, lines: [facts.detail] };
  const row = facts.rows.find((each) => each.finding === finding);
  if (!row) return { verdict: { words: "This model has no score for the film" } };
  const sources = facts.labels.filter(({ counts }) => counts).map(({ source }) => source);
  const labeled = sources.length ? "Labels: " + [...new Set(sources)].join("; ") + "." : "";
  const read = facts.others.filter(({ rows }) => rows.some((each) => each.finding === finding));
  const others = read.sort((a, b) => Number(isText(b)) - Number(isText(a))).map((other) => ofFinding(other, finding));
  return {
    verdict: { words: finding, outcome: row.outcome },
    lines: [caseFigures(row), labeled].filter(Boolean),
    models: [{ name: facts.title, ...first(facts.rows, finding) }, ...others.slice(0, MOST_OTHERS)],
  };
}

const shown = (row) => ({ ...row, score: figure(row.score, row), threshold: undefined, words: row.label });

// The chosen finding, then errors, then hits.
function first(rows, finding) {
  const others = ORDER.flatMap((outcome) => rows.filter((row) => row.outcome === outcome && row.finding !== finding));
  const first = [...rows.filter((row) => row.finding === finding), ...others.slice(0, MOST_OTHERS)];
  return { rows: first.map(shown), more: Math.max(0, others.length - MOST_OTHERS) };
}

const isText = ({ rows: [{ unit }] }) => unit === "margin";
const ofFinding = ({ title, rows }, finding) => ({ name: title, rows: rows.filter((row) => row.finding === finding).map(shown) });
