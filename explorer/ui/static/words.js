// How figures and findings are written, the same everywhere on the page.

const DOT = "  \u00b7  ";
const MARGIN_DIGITS = 4; // of an image-text model: its margins are some hundredths

const score = (value) => value.toFixed(2);
const whole = (value) => value.toLocaleString("en-US");
const plural = (count, word) => whole(count) + " " + word + (count === 1 ? "" : "s");
const signed = (value, digits = 2) => {
  const figure = Math.abs(value).toFixed(digits);
  return Number(figure) === 0 ? figure : (value < 0 ? "\u2212" : "+") + figure; // no minus before a zero
};
// A rate with its interval; a rate of nothing is not 0.
const rate = ({ value, low, high }) =>
  value === null ? "no films" : score(value) + " [" + score(low) + "\u2013" + score(high) + "]";

function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// A link to another place of the page; written out, since axe-core takes a bare fragment for one that skips to content.
function placeLink(className, words, fragment) {
  return Object.assign(make("a", className, words), { href: new URL(fragment, location.href).href });
}

// The name of a file: it breaks before its ending and after its signs, where it can.
function breakable(className, name) {
  const element = make("span", className);
  for (const part of name.split(/(?<=[_/-])|(?=\.[^.]*$)/)) element.append(part, document.createElement("wbr"));
  return element;
}

function listed(words, most = 3) {
  if (words.length <= most) return words.join(", ");
  return words.slice(0, most).join(", ") + " and " + (words.length - most) + " more";
}

const NORMAL = "Normal"; // the absence of findings: neither a headline nor a place on the film

// The plain summary: what stands out, how much is open, and what that is not.
function summary(rows, notLookedFor) {
  const inState = (state) => rows.filter((row) => row.state === state && row.finding !== NORMAL);
  const above = inState("above");
  const counts = [
    [above.filter((row) => row.warning).length, "doubtful above threshold"],
    [inState("unsure").length, "unsure"],
    [inState("below").length, "below threshold"],
    [notLookedFor.length, "not looked for"],
  ];
  const open = counts.filter(([count]) => count).map(([count, words]) => count + " " + words);
  const normal = rows.some((row) => row.finding === NORMAL && row.state === "above") ? "Normal above threshold" : "";
  const detail = [open.join(", "), normal, "One model's scores, not a diagnosis"].filter(Boolean).join(". ") + ".";
  return { title: headline(rows, above) + ".", detail };
}

// What a card warns of is listed and marked, but not announced.
function headline(rows, above) {
  const sound = above.filter((row) => !row.warning).map((row) => row.finding);
  if (sound.length) return listed(sound) + " above threshold";
  if (above.length) return "Only doubtful findings above threshold";
  if (rows.some((row) => row.state !== null)) return "No finding clearly above its threshold";
  const ranked = rows.some((row) => row.percentile);
  return "No threshold is known: findings go by " + (ranked ? "their rank among other films" : "their scores");
}

// Why no map is shown unasked; empty where there is something to localize.
function whyNoMap({ finding, above, state }) {
  if (finding === NORMAL) return "No evidence to localize: Normal is the absence of findings.";
  if (above === null) return "No threshold is known for " + finding + ".";
  if (above) return "";
  const band = state === "unsure" ? ", inside the unsure band." : ".";
  return "No evidence to localize: " + finding + " is below its threshold" + band;
}
