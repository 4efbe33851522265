// The state of Teach as a flat dictionary of words, and the address's fragment that holds it.

const TEACH = "#teach";

export const isTeachAddress = (hash) => hash === TEACH || hash.startsWith(TEACH + "?");

export function readTeachAddress(hash) {
  const words = new URLSearchParams(isTeachAddress(hash) ? hash.slice(TEACH.length + 1) : "");
  words.delete("present"); // of the display, not of the films
  return Object.freeze(Object.fromEntries(words));
}

// Words without a value are left out.
export function teachAddress(state) {
  const words = new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();
  return words ? TEACH + "?" + words : TEACH;
}

// A slice of Explore as one word of an address, and the reverse.
export const packSlice = (state) => new URLSearchParams(Object.entries(state)).toString();
export const unpackSlice = (word) => Object.fromEntries(new URLSearchParams(word ?? ""));
