// A film beside its question or reveal: one above the other on a phone, side by side where there is room.

import { make } from "../shared/elements.js";

// `part`: {element, update?(state)}.
export function makeFilmScreen(side, part) {
  const screen = make("section", "class-film-screen");
  screen.append(side.element, part.element);
  return { element: screen, update: part.update };
}
