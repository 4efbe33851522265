// The state of Evaluate as a flat dictionary of words, and the address's fragment that holds it.

const EVALUATE = "#evaluate";
// The words that only say how rows are sorted and at which threshold and prevalence a finding is examined: changing
// these does not request the panel again.
const ORDER_WORDS = ["by", "upside", "at", "prevalence"];

export const isEvaluateAddress = (hash) => hash === EVALUATE || hash.startsWith(EVALUATE + "?");

export const readEvaluateAddress = (hash) => Object.freeze(Object.fromEntries(new URLSearchParams(isEvaluateAddress(hash) ? hash.slice(EVALUATE.length + 1) : "")));

export function evaluateAddress(state) {
  const words = new URLSearchParams(Object.entries(state)).toString();
  return words ? EVALUATE + "?" + words : EVALUATE;
}

// The state with changes made; null, undefined and "" remove a word.
export function changedComparison(state, changes) {
  const words = Object.entries({ ...state, ...changes }).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return Object.freeze(Object.fromEntries(words.map(([name, value]) => [name, String(value)])));
}

// What the server's answer depends on.
export const comparisonKey = (state) => JSON.stringify(Object.entries(state).filter(([name]) => !ORDER_WORDS.includes(name)).sort());

// The words on which no answer depends.
export const orderWords = (state) => Object.fromEntries(ORDER_WORDS.map((name) => [name, state[name]]));
