// Above the leaderboard: whose films, in a sentence; the link, and files to take along.

import { download } from "../shared/exports.js";
import { refusalWords, showWords } from "../shared/refusal.js";
import { addressOf } from "./address.js";

function timeLeft(seconds) {
  return seconds < 90 ? Math.max(5, 5 * Math.round(seconds / 5)) + " s" : Math.round(seconds / 60) + " min";
}

export class Tools {
  constructor(room, evaluate) {
    this.evaluate = evaluate;
    const find = (name) => room.querySelector(name);
    this.title = find(".evaluate-title");
    this.said = find(".evaluate-said");
    this.note = find(".evaluate-note");
    this.picked = find(".evaluate-picked");
    this.explore = find(".evaluate-explore");
    this.simulated = find(".evaluate-simulated");
    this.files = [...room.querySelectorAll(".evaluate-save button")];
    find(".evaluate-copy").addEventListener("click", () => this.copy());
    for (const button of this.files) button.addEventListener("click", () => this.save(button.dataset.kind));
  }

  /** @param {ui.evaluate.payload.LeaderboardPayload} board */
  show({ title, complaints, simulated, computing, picked, explore }) {
    this.chosen({ picked, explore });
    this.title.textContent = title;
    this.simulated.hidden = !simulated;
    if (computing) this.wait(null);
    else this.say("");
    showWords(this.note, complaints.join(" "));
    this.note.hidden = !complaints.length;
    for (const button of this.files) button.disabled = computing;
  }

  // What the filters mean here, and the way to the films.
  chosen({ picked, explore }) {
    this.picked.textContent = picked.join(" ");
    this.picked.hidden = !picked.length;
    this.explore.href = "#explore?" + new URLSearchParams(explore);
  }

  // Intervals are still to come: for about so many seconds, where that is known.
  wait(left) {
    this.say("Intervals: computing" + (left === null ? "" : ", about " + timeLeft(left) + " left"));
  }

  clear() {
    this.picked.hidden = true;
    this.title.textContent = "";
    this.simulated.hidden = true;
    this.say("");
    this.note.hidden = true;
    for (const button of this.files) button.disabled = true;
  }

  say(words) {
    showWords(this.said, words);
  }

  async copy() {
    const link = location.origin + location.pathname + location.search + addressOf(this.evaluate.state);
    try {
      await navigator.clipboard.writeText(link);
      this.say("Link copied.");
    } catch {
      this.say("This browser does not allow copying. Copy the link from the address bar.");
    }
  }

  async save(kind) {
    this.say("Saving");
    const answer = await this.evaluate.ask("board_file", { kind });
    if (answer.stage !== "export") return this.say(refusalWords(answer));
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
    this.say(answer.name + " saved.");
  }
}
