// Whether the film of a tab is presented to a room: present=1 among the words of the address, whatever else stands there.

const WORD = /([?&])present=1(&|$)/;

export const asksToPresent = (hash) => WORD.test(hash);

// The same address with the word or without it; `tab` where there is none yet.
export function presentAddress(hash, on, tab) {
  const plain = (hash || "#" + tab).replace(WORD, (_, before, after) => (after ? before : ""));
  return on ? plain + (plain.includes("?") ? "&" : "?") + "present=1" : plain;
}

// An address that a tab writes anew, with the word if it stands in the present one.
export const presentKept = (address) => presentAddress(address, asksToPresent(location.hash));
