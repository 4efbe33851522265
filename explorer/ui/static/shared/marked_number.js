// Scrolls to a number and marks it, also when it appears later or is drawn again.

const MARK = "number-marked";
const SETTLES = 10_000; // ms in which layout changes may push it away, and it is scrolled to again
let selector = ""; // of the number that is marked now
let until = 0;
let waiting = false;

// An empty or invalid selector marks nothing: a playlist may contain any text.
export function markNumber(wanted) {
  selector = isSelector(wanted) ? wanted : "";
  until = performance.now() + SETTLES;
  look();
}

function isSelector(words) {
  try {
    return Boolean(words) && document.createDocumentFragment().querySelector(words) === null;
  } catch {
    return false;
  }
}

function look() {
  waiting = false;
  const found = selector ? [...document.querySelectorAll(selector)].filter(unfolded) : [];
  for (const old of document.querySelectorAll("." + MARK)) if (!found.includes(old)) old.classList.remove(MARK);
  for (const each of found) if (!each.classList.contains(MARK)) each.classList.add(MARK);
  if (found.length && performance.now() < until && !isSeen(found[0])) found[0].scrollIntoView({ block: "center", inline: "center" });
}

// Whether it can be seen; folds around it are opened.
function unfolded(part) {
  const fold = part.closest("details:not([open])");
  if (fold) fold.open = true;
  return part.getClientRects().length > 0;
}

// Whether its center is visible: neither scrolled away nor covered.
function isSeen(part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return Boolean(there) && (part.contains(there) || there.contains(part));
}

function again() {
  if (!selector || waiting) return;
  waiting = true;
  requestAnimationFrame(look);
}

new MutationObserver(again).observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open"] });
// A visitor who scrolls meanwhile keeps the position.
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(kind, () => (until = 0), { passive: true, capture: true });
