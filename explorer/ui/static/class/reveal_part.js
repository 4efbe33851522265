// A titled part of the reveal, and its button.

import { make } from "../shared/elements.js";

export function makeSection(title, ...content) {
  const section = make("section", "class-part");
  section.append(make("h3", "class-part-title", title), ...content);
  return section;
}

export function makeRevealButton(words, press) {
  const button = make("button", "class-main-button", words);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}
