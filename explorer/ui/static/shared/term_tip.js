// The meaning of a word under the focus or a finger: the browser's tooltips need a mouse.

import { make } from "./elements.js";

const GAP = 4; // px between a word and its meaning
const tip = make("div", "term-tip");
tip.setAttribute("role", "tooltip");
tip.id = "term-tip";
let describedTerm = null;

// The term that was focused or tapped: the element itself, or the one inside a title or a button.
function termOf(target) {
  const at = target.closest?.(".term, summary, button");
  return at?.matches(".term") ? at : at?.querySelector(":scope > .term") ?? null;
}

function show(word) {
  hide();
  describedTerm = word;
  tip.textContent = word.title;
  word.setAttribute("aria-describedby", tip.id);
  (word.closest("dialog[open]") ?? document.getElementById("help")).append(tip); // a dialog lies over the page
  place();
}

function place() {
  const [at, box] = [describedTerm.getBoundingClientRect(), tip.getBoundingClientRect()];
  const below = at.bottom + GAP + box.height < innerHeight;
  tip.style.top = (below ? at.bottom + GAP : at.top - GAP - box.height) + "px";
  tip.style.left = Math.max(GAP, Math.min(at.left, innerWidth - box.width - GAP)) + "px";
}

function hide() {
  describedTerm?.removeAttribute("aria-describedby");
  describedTerm = null;
  tip.remove();
}

// A focused element may be scrolled into view first: its meaning moves along while the word is visible.
function follow() {
  if (!describedTerm) return;
  const { left, top, height } = describedTerm.getBoundingClientRect();
  if (describedTerm.contains(document.elementFromPoint(left + 1, top + height / 2))) place();
  else hide();
}

// Once for the whole page.
export function bindTermTips() {
  document.addEventListener("focusin", ({ target }) => {
    const word = target.matches?.(":focus-visible") ? termOf(target) : null;
    if (word) show(word);
    else hide();
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("pointerup", ({ target, pointerType }) => {
    const word = target.closest?.(".term");
    if (word && (pointerType !== "mouse" || !word.closest("button, summary"))) show(word);
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("scroll", follow, true);
}
