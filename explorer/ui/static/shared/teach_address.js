// The state of Teach as a flat dictionary of words, and the address's fragment that holds it.

const TEACH = "#teach";

export const isTeach = (hash) => hash === TEACH || hash.startsWith(TEACH + "?");

export function readTeach(hash) {
  const words = new URLSearchParams(isTeach(hash) ? hash.slice(TEACH.length + 1) : "");
  words.delete("present"); // of how it is shown, not of what is
  return Object.freeze(Object.fromEntries(words));
}

// Words without a value are left out.
export function teachAddress(state) {
  const words = new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();
  return words ? TEACH + "?" + words : TEACH;
}

// A slice of Explore as one word of an address, and back.
export const packedSlice = (state) => new URLSearchParams(Object.entries(state)).toString();
export const slicedState = (word) => Object.fromEntries(new URLSearchParams(word ?? ""));
