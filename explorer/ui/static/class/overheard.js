// What others in the network can read of this page: nothing where it is encrypted, or never leaves this machine.

import { make } from "../shared/elements.js";

const THIS_MACHINE = /^(127\.[\d.]+|localhost|\[::1\])$/;

// `what` can be read, such as "your code and votes"; no line if nothing can.
export function makeOverheard(what) {
  const isOpen = location.protocol === "http:" && !THIS_MACHINE.test(location.hostname);
  return isOpen ? [make("p", "class-hint class-overheard", "Not encrypted: others in this network can read " + what + ".")] : [];
}
