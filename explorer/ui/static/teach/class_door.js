// How learners join: the code in large type, a QR code, addresses, and a warning about unencrypted traffic.

import { make } from "../shared/elements.js";

/** @param {school.classroom.teacher_screen.BoardPayload} board */
export function makeDoor({ code, addresses: [first, ...others], qr, warning, encrypted }) {
  const door = make("div", "class-way-in");
  const picture = make("div", "class-qr");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", "QR code of " + first);
  const drawn = new DOMParser().parseFromString(qr, "text/html").querySelector("svg"); // an image runs no script
  if (drawn) picture.append(drawn);
  const words = make("div", "class-way-words");
  words.append(make("p", "class-address", first), make("p", "class-code-label muted", "Code"), make("p", "class-code", code));
  if (others.length) words.append(make("p", "class-others muted", "or " + others.join(", ")));
  const warningLine = make("p", "class-warning", warning);
  warningLine.dataset.encrypted = String(encrypted);
  if (warning) words.append(warningLine);
  door.append(picture, words);
  return door;
}
