// A titled part of the reveal, and its button.

import { make } from "../shared/elements.js";

export function part(title, ...content) {
  const section = make("section", "class-part");
  section.append(make("h3", "class-part-title", title), ...content);
  return section;
}

export function button(words, press) {
  const made = make("button", "class-main-button", words);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}
