// Where the map of the chosen finding is hottest, among its numbers: the legend below the film has little room.

import { make } from "../shared/elements.js";

// `maps`: those of the film, undefined before it is read. Only a map that was made has a place.
export function showMapPlace(section, maps, finding) {
  section.querySelector(".numbers-place")?.remove();
  const { place, caution } = maps?.placeOf(finding) ?? {};
  if (!place) return;
  const words = make("p", "numbers-place caveat", "Its map is hottest here: " + place + ".");
  if (caution) words.append(" " + caution);
  section.querySelector(".numbers-plain")?.after(words);
}
