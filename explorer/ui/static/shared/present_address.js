// Whether the film of a tab is presented to a room: present=1 among the words of the address.

const PRESENT_WORD = /([?&])present=1(&|$)/;

export const isPresented = (hash) => PRESENT_WORD.test(hash);

// The same address with or without the word; `tab` where the address is empty.
export function presentAddress(hash, on, tab) {
  const plain = (hash || "#" + tab).replace(PRESENT_WORD, (_, before, after) => (after ? before : ""));
  return on ? plain + (plain.includes("?") ? "&" : "?") + "present=1" : plain;
}

// An address that a tab rewrites, with the word if the current address has it.
export const keepPresented = (address) => presentAddress(address, isPresented(location.hash));
