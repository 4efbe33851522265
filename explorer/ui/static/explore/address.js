// The state of Explore as a flat dictionary of words, and the address's fragment that holds it. A fragment stays in the
// browser and appears in no server log.

const EXPLORE = "#explore";
// The pinned slices, each as the words of its own address.
export const PIN_WORDS = ["beside", "beside2", "beside3"];
// The words that say how the films are shown; all others select films, and are sealed while labels are hidden.
const DISPLAY_WORDS = ["page", "case", "look", "panel", "sort", "measure", "without", "ask", "within", "fails", "failure", "color", "taxonomy", ...PIN_WORDS];

// Panels by their words in links of earlier versions, which still work.
const OLD_PANEL_WORDS = { eaten: "confused", doubts: "label-issues" };
const panelWord = (word) => OLD_PANEL_WORDS[word] ?? word;

export const isExploreAddress = (hash) => hash === EXPLORE || hash.startsWith(EXPLORE + "?");

// While labels are hidden, the words would reveal them to a reader of the address: all but these are replaced by a code
// that the server makes and opens (`sealed`, explorer/ui/explore/sealed_state.py).
const UNSEALED_WORDS = ["sealed", "page", "case"];
const isInAddress = ({ hide, sealed }, name) => !hide || UNSEALED_WORDS.includes(name) || (name === "hide" && !sealed);

export function readExploreAddress(hash) {
  const words = new URLSearchParams(isExploreAddress(hash) ? hash.slice(EXPLORE.length + 1) : "");
  words.delete("present"); // of the display, not of the films
  if (words.has("sealed")) words.set("hide", "1");
  if (words.has("panel")) words.set("panel", panelWord(words.get("panel")));
  return Object.freeze(Object.fromEntries(words));
}

export function exploreAddress(state) {
  const words = new URLSearchParams(Object.entries(state).filter(([name]) => isInAddress(state, name))).toString();
  return words ? EXPLORE + "?" + words : EXPLORE;
}

export const sameState = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

// The state with changes made; null, undefined and "" remove a word.
export function changedState(state, changes) {
  const next = { ...state, ...changes };
  if (next.panel) next.panel = panelWord(next.panel); // the server may open an old sealed address
  if (!next.hide) delete next.shuffle; // films with visible labels are never shuffled
  const words = Object.entries(next).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return Object.freeze(Object.fromEntries(words.map(([name, value]) => [name, String(value)])));
}

export const MOST_PINNED = PIN_WORDS.length;
export const pinnedSlices = (state) => PIN_WORDS.map((word) => state[word]).filter(Boolean);
// The changes of the state that pin exactly these slices.
export const pinChanges = (slices) => Object.fromEntries(PIN_WORDS.map((word, at) => [word, slices[at] ?? null]));
// The words of a slice alone, as a pinned one has them.
export const sliceWords = (state) => Object.entries(state).filter(([name]) => ![...DISPLAY_WORDS, "hide", "shuffle"].includes(name));

// What distinguishes one slice from another, and one page of it from another.
export const sliceKey = (state) => JSON.stringify(Object.entries(state).filter(([name]) => !DISPLAY_WORDS.includes(name)).sort());
export const pageKey = (state) => JSON.stringify([sliceKey(state), state.ask ?? "", state.page ?? "1"]);
// What an answer about the films depends on: the slice, the pinned slices, and the scope of "where it fails".
export const filmsKey = (state) => [sliceKey(state), ...pinnedSlices(state), state.within, state.fails].join(" ");
// A panel depends on everything but the films beside it.
export const panelKey = (state) => JSON.stringify(Object.entries(state).filter(([name]) => !["page", "case", "look"].includes(name)).sort());
