// "Heart size": the cardiothoracic ratio of the active film with its lines, once the visitor asks.

import { watchLatest } from "../shared/latest.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";

const ASKING = "Measuring\u2026";
const USE = "Not for medical use.";

export class HeartSize {
  // `now()`: the active film; `hidden()`: whether its opinion is hidden; `slotOf(item)`: its place in the lightbox;
  // `covered(item)`: whether another picture is shown there, over which no lines are drawn.
  constructor(room, { server, lightbox, now, hidden, slotOf, covered }) {
    this.part = room.querySelector(".heart-size");
    this.button = this.part.querySelector(".heart-size-ask");
    this.words = this.part.querySelector(".heart-size-says");
    this.server = server;
    this.lightbox = lightbox;
    this.now = now;
    this.hidden = hidden;
    this.slotOf = slotOf;
    this.covered = covered;
    this.button.addEventListener("click", () => this.toggle(now()));
  }

  async toggle(item) {
    const known = item.heartSize;
    item.heartSize = known && !known.failed ? { ...known, open: !known.open } : { open: true, says: ASKING, lines: [] };
    this.show(item);
    if (known && !known.failed) return;
    const sameReading = watchLatest(() => item.opinion);
    const answer = (await callServer(this.server.heart_size, item.token)) ?? (await explainMissingFilm(this.server, item.token));
    if (!sameReading()) return;
    item.heartSize = this.keep(item.heartSize.open, answer);
    if (item === this.now()) this.show(item);
  }

  /** @param {ui.read.payload.HeartSizePayload | ui.shared.refusals.RefusedPayload} answer */
  keep(open, answer) {
    if (answer.stage !== "heart size") return { open, says: refusalWords(answer), lines: [], failed: true };
    return { open, says: [answer.says, answer.ratio === null ? "" : USE].filter(Boolean).join(" "), lines: answer.lines };
  }

  // Draw what is known of the active film; a film without an opinion has no measurement.
  show(item) {
    const isRead = item?.stage === "read" && !this.hidden();
    const { open = false, says = "", lines = [] } = (isRead && item.heartSize) || {};
    this.part.hidden = !isRead;
    this.button.setAttribute("aria-expanded", String(open));
    this.words.textContent = open ? says : "";
    const viewer = item && this.lightbox.viewers[this.slotOf(item)];
    viewer?.heartLines.show(open && !this.covered(item) ? lines : []);
    if (viewer?.film) viewer.heartLines.follow(viewer.camera);
  }
}
