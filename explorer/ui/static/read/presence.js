// Tells the server that the visitor is present: films of an open page are removed last. If one had to be removed, the
// page says so. A visitor who leaves the page loses uploaded films: the browser asks first.

import { openFilms } from "../shared/open_films.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";

const PRESENT_EVERY = 60_000; // ms

export function reportPresence(server, note) {
  setInterval(() => sendPresent(server, note), PRESENT_EVERY);
  // A reloaded page has none of the visitor's films.
  addEventListener("beforeunload", (event) => Object.values(openFilms.films).some(({ uploaded, gone }) => uploaded && !gone) && event.preventDefault());
}

async function sendPresent(server, note) {
  const presentFilms = Object.values(openFilms.films).filter(({ gone }) => !gone);
  if (!presentFilms.length) return;
  const gone = await callServer(server.still_here, presentFilms.map(({ token }) => token));
  for (const item of presentFilms) {
    item.gone = gone[item.token];
    if (item.gone && openFilms.slotOf(item)) note(item.name + ": " + refusalWords(item.gone));
  }
}
