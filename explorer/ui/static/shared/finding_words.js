// Sentences about a film's findings.

export function shortListText(words, most = 3) {
  if (words.length <= most) return words.join(", ");
  return words.slice(0, most).join(", ") + " and " + (words.length - most) + " more";
}

// The labels of a film of a cohort; `most` findings by name. "None of these findings" is not "no label".
export function labelWords({ present, none_of_these: none }, most = Infinity) {
  return shortListText(present, most) || (none ? "none of these" : "no finding labeled");
}

export const NORMAL = "Normal"; // the absence of findings: neither a headline nor a place on the film

// The rows in a state. Normal is in none of them: it has a sentence of its own.
/** @param {reading.finding_json.FindingAnswer[]} rows */
export function rowsInState(rows, state) {
  return rows.filter((row) => row.state === state && row.finding !== NORMAL);
}

export const FAR_FROM_TEST_FILMS = "Unlike the films that this model was tested on: its error rates may not apply.";
const COMPARING = { title: "Comparing with the test films\u2026", detail: "" };

// The headline of a film, as the server decides it. No finding is named before the film was compared with the test
// films: at most a second after a start.
export function headlineWords(item) {
  return isBeingCompared(item) ? COMPARING : (item.join?.headline ?? item.opinion.headline);
}

export const isBeingCompared = ({ opinion, join }) => opinion.far === null && opinion.verdict.readable && join === undefined;

export const isFarFromTestFilms = ({ opinion, join }) => Boolean(join?.far ?? opinion.far);

// The page's words for a score by its state; null: no threshold is known.
export const STATE_WORDS = { above: "flagged", unsure: "uncertain", below: "not flagged", "cannot judge": "cannot judge", null: "no threshold" };

// The server's verdicts on flagged findings, as in a row of a list; the headline names the first two.
export const VERDICT_WORDS = {
  likely: "likely",
  possible: "possible",
  "seldom correct": "seldom correct",
  "too few films": "too few films",
  "not known": "flagged",
  unreliable: "unreliable",
};

export const flaggedRows = (rows) => rows.filter(({ verdict }) => verdict === "likely" || verdict === "possible");

// The finding shown first: the first flagged one of the list, else one without a threshold.
/** @param {reading.finding_json.FindingAnswer[]} rows */
export function firstFindingToShow(rows) {
  const first = rowsInState(rows, "above")[0] ?? rows.find((row) => row.state === null);
  return first?.finding ?? null;
}

// Why no map is shown by default where maps of the finding do no better than its usual place; else empty.
/** @param {reading.finding_json.MapWorthAnswer} map */
export function noBetterMapWords(map) {
  return map?.shown === false ? "No map (no clear gain): " + map.brief + "." : "";
}

// The card's warning about a finding's score.
export function warningWords({ state, warning }) {
  return (state === "cannot judge" ? "This model cannot judge it: " : "Unreliable: ") + warning;
}

// Why no map of a chosen finding is shown by default; empty where there is something to localize.
export function whyNoMap({ finding, above, state, warning, map }) {
  if (finding === NORMAL) return "No map: Normal is the absence of findings.";
  if (state === "cannot judge") return "No map: this model cannot judge " + finding + ".";
  if (above === null) return "No threshold is known for " + finding + ".";
  if (state === "unsure") return "No map: " + finding + " is uncertain.";
  if (!above) return "No map: " + finding + " is not flagged.";
  if (warning) return "No map: this model's scores of " + finding + " are unreliable.";
  return noBetterMapWords(map);
}
