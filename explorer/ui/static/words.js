// How figures and findings are written, the same everywhere on the page.

const DOT = "  \u00b7  ";

const score = (value) => value.toFixed(2);
const whole = (value) => value.toLocaleString("en-US");
const plural = (count, word) => whole(count) + " " + word + (count === 1 ? "" : "s");
const signed = (value) => {
  const figure = Math.abs(value).toFixed(2);
  return figure === "0.00" ? figure : (value < 0 ? "\u2212" : "+") + figure; // no minus before a zero
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

function listed(words, most = 3) {
  if (words.length <= most) return words.join(", ");
  return words.slice(0, most).join(", ") + " and " + (words.length - most) + " more";
}

// The plain summary: what stands out, how much is open, and what that is not.
function summary(rows, notLookedFor) {
  const inState = (state) => rows.filter((row) => row.state === state);
  const above = inState("above");
  const sound = above.filter((row) => !row.warning).map((row) => row.finding); // what a card warns of is not announced
  const title = sound.length
    ? listed(sound) + " above threshold"
    : above.length
      ? "Only doubtful findings above threshold"
      : rows.some((row) => row.state !== null)
        ? "No finding clearly above its threshold"
        : "No finding has a threshold: ranked among other films";
  const counts = [
    [inState("unsure").length, "unsure"],
    [inState("below").length, "below threshold"],
    [notLookedFor.length, "not looked for"],
  ];
  const open = counts.filter(([count]) => count).map(([count, words]) => count + " " + words);
  return { title: title + ".", detail: [open.join(", "), "One model's scores, not a diagnosis"].filter(Boolean).join(". ") + "." };
}
