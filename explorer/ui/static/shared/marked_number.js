// Scrolls to a number and marks it, also when it appears later or is drawn again.

const MARK_CLASS = "number-marked";
const KEPT_IN_VIEW = 10_000; // ms in which layout changes may push it away, and it is scrolled to again
let selector = ""; // of the number that is marked now
let keptUntil = 0;
let waiting = false;

// An empty or invalid selector marks nothing: a playlist may contain any text.
export function markNumber(wanted) {
  selector = isSelector(wanted) ? wanted : "";
  keptUntil = performance.now() + KEPT_IN_VIEW;
  markAndScroll();
}

function isSelector(words) {
  try {
    return Boolean(words) && document.createDocumentFragment().querySelector(words) === null;
  } catch {
    return false;
  }
}

function markAndScroll() {
  waiting = false;
  const found = selector ? [...document.querySelectorAll(selector)].filter(unfoldAround) : [];
  for (const old of document.querySelectorAll("." + MARK_CLASS)) if (!found.includes(old)) old.classList.remove(MARK_CLASS);
  for (const each of found) if (!each.classList.contains(MARK_CLASS)) each.classList.add(MARK_CLASS);
  if (found.length && performance.now() < keptUntil && !isSeen(found[0])) found[0].scrollIntoView({ block: "center", inline: "center" });
}

// Whether it can be seen; folds around it are opened.
function unfoldAround(part) {
  const fold = part.closest("details:not([open])");
  if (fold) fold.open = true;
  return part.getClientRects().length > 0;
}

// Whether its center is visible: neither scrolled away nor covered.
function isSeen(part) {
  const { left, top, width, height } = part.getBoundingClientRect();
  const topmost = document.elementFromPoint(left + width / 2, top + height / 2);
  return Boolean(topmost) && (part.contains(topmost) || topmost.contains(part));
}

function markSoon() {
  if (!selector || waiting) return;
  waiting = true;
  requestAnimationFrame(markAndScroll);
}

new MutationObserver(markSoon).observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open"] });
// A visitor who scrolls meanwhile keeps the position.
for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(kind, () => (keptUntil = 0), { passive: true, capture: true });
