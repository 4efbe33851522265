// What is said of a film's findings in one line.

export function listed(words, most = 3) {
  if (words.length <= most) return words.join(", ");
  return words.slice(0, most).join(", ") + " and " + (words.length - most) + " more";
}

// What a film of a cohort is labeled; `most` findings by name. Without any of the findings is not without labels.
export function labelWords({ present, none_of_these: none }, most = Infinity) {
  return listed(present, most) || (none ? "none of these" : "no finding labeled");
}

export const NORMAL = "Normal"; // the absence of findings: neither a headline nor a place on the film

// The rows in a state. Normal is in none of them: it is said on its own.
export function inState(rows, state) {
  return rows.filter((row) => row.state === state && row.finding !== NORMAL);
}

// The plain summary: what stands out, how much is open, and what that is not.
export function summary(rows, notLookedFor) {
  const above = inState(rows, "above");
  const names = (those) => those.map((row) => row.finding).join(", ");
  const doubtful = names(above.filter((row) => row.warning));
  const counts = [
    [inState(rows, "unsure").length, "unsure"],
    [inState(rows, "below").length, "below threshold"],
    [notLookedFor.length, "not looked for"],
  ];
  const unjudged = names(inState(rows, "cannot judge"));
  const parts = [
    doubtful && "Also above it, but doubtful: " + doubtful,
    counts.filter(([count]) => count).map(([count, words]) => count + " " + words).join(", "),
    unjudged && "This model cannot judge " + unjudged,
    rows.some((row) => row.finding === NORMAL && row.state === "above") && "Normal above threshold",
    "One model's scores, not a diagnosis",
  ];
  const detail = parts.filter(Boolean).join(". ") + ".";
  return { title: headline(rows, above) + ".", detail };
}

// What a card warns of is listed and marked, but not announced.
function headline(rows, above) {
  const sound = above.filter((row) => !row.warning).map((row) => row.finding);
  if (sound.length) return listed(sound) + " above threshold";
  if (above.length) return "Only doubtful findings above threshold";
  if (rows.some(({ state }) => state !== null && state !== "cannot judge")) return "No finding clearly above its threshold";
  const ranked = rows.some((row) => row.percentile);
  return "No threshold is known: findings are ordered by " + (ranked ? "their rank among other films" : "their scores");
}

// What is looked at first: the first sound finding above its threshold, else nothing but what has no threshold at all.
export function firstToShow(rows) {
  const above = inState(rows, "above");
  const first = above.find((row) => !row.warning) ?? above[0] ?? rows.find((row) => row.state === null);
  return first?.finding ?? null;
}

// Why no map is shown unasked where the finding's maps are not shown to tell more than where it usually lies; else empty.
export function noBetter(map) {
  return map?.shown === false ? "No map (no clear gain): " + map.brief + "." : "";
}

// What a card has against a finding's score.
export function doubtWords({ state, warning }) {
  return (state === "cannot judge" ? "This model cannot judge it: " : "Doubtful: ") + warning;
}

// Why no map of a chosen finding is shown unasked; empty where there is something to localize.
export function whyNoMap({ finding, above, state, warning, map }) {
  if (finding === NORMAL) return "No map: Normal is the absence of findings.";
  if (state === "cannot judge") return "No map: this model cannot judge " + finding + ".";
  if (above === null) return "No threshold is known for " + finding + ".";
  if (state === "unsure") return "No map: the model is unsure of " + finding + ".";
  if (!above) return "No map: " + finding + " is below its threshold.";
  if (warning) return "No map: " + finding + " is doubtful for this model.";
  return noBetter(map);
}
