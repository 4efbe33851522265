// A number is scrolled to and marked where it stands, also when it comes later or is drawn again.

const MARK = "number-marked";
let selector = ""; // of what is marked now
let scrolled = false;
let waiting = false;

// An empty selector marks nothing.
export function markNumber(wanted) {
  selector = wanted;
  scrolled = false;
  look();
}

function look() {
  waiting = false;
  const found = selector ? [...document.querySelectorAll(selector)].filter(unfolded) : [];
  for (const old of document.querySelectorAll("." + MARK)) if (!found.includes(old)) old.classList.remove(MARK);
  for (const each of found) if (!each.classList.contains(MARK)) each.classList.add(MARK);
  if (!found.length || scrolled) return;
  scrolled = true;
  found[0].scrollIntoView({ block: "center", inline: "nearest" });
}

// Whether it can be seen; what is folded is unfolded.
function unfolded(part) {
  const fold = part.closest("details:not([open])");
  if (fold) fold.open = true;
  return part.getClientRects().length > 0;
}

new MutationObserver(() => {
  if (!selector || waiting) return;
  waiting = true;
  requestAnimationFrame(look);
}).observe(document.documentElement, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open"] });
