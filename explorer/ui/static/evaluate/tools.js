// Above the leaderboard: which films, in a sentence; the link, and files to save.

import { download } from "../shared/exports.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";
import { evaluateAddress } from "./address.js";

const LONG_WAIT = 2 * 3600; // s; from there on in hours

function timeLeftText(seconds) {
  if (seconds < 90) return Math.max(5, 5 * Math.round(seconds / 5)) + " s";
  return seconds < LONG_WAIT ? Math.round(seconds / 60) + " min" : Math.round(seconds / 3600) + " h";
}

export class EvaluateTools {
  constructor(room, evaluate) {
    this.evaluate = evaluate;
    const find = (name) => room.querySelector(name);
    this.title = find(".evaluate-title");
    this.status = find(".evaluate-said");
    this.note = find(".evaluate-note");
    this.picked = find(".evaluate-picked");
    this.explore = find(".evaluate-explore");
    this.simulated = find(".evaluate-simulated");
    this.files = [...room.querySelectorAll(".evaluate-save button")];
    find(".evaluate-copy").addEventListener("click", () => this.copyAddress());
    for (const button of this.files) button.addEventListener("click", () => this.save(button.dataset.kind));
  }

  /** @param {ui.evaluate.payload.LeaderboardPayload} board */
  show({ title, complaints, simulated, computing, picked, explore }) {
    this.showChosenFilms({ picked, explore });
    this.title.textContent = title;
    this.simulated.hidden = !simulated;
    if (computing) this.showWaiting(null);
    else this.showWords("");
    showWithCommands(this.note, complaints.join(" "));
    this.note.hidden = !complaints.length;
    for (const button of this.files) button.disabled = computing;
  }

  // What the filters mean here, and a link to the films in Explore.
  showChosenFilms({ picked, explore }) {
    this.picked.textContent = picked.join(" ");
    this.picked.hidden = !picked.length;
    this.explore.href = "#explore?" + new URLSearchParams(explore);
  }

  // Intervals are being computed; `left` is about how many seconds that will still take, null if unknown.
  showWaiting(left) {
    this.showWords("Intervals: computing" + (left === null ? "" : ", about " + timeLeftText(left) + " left"));
  }

  clear() {
    this.picked.hidden = true;
    this.title.textContent = "";
    this.simulated.hidden = true;
    this.showWords("");
    this.note.hidden = true;
    for (const button of this.files) button.disabled = true;
  }

  showWords(words) {
    showWithCommands(this.status, words);
  }

  async copyAddress() {
    const link = location.origin + location.pathname + location.search + evaluateAddress(this.evaluate.state);
    try {
      await navigator.clipboard.writeText(link);
      this.showWords("Link copied.");
    } catch {
      this.showWords("This browser does not allow copying. Copy the link from the address bar.");
    }
  }

  async save(kind) {
    this.showWords("Saving");
    const answer = await this.evaluate.ask("board_file", { kind });
    if (answer.stage !== "export") return this.showWords(refusalWords(answer));
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
    this.showWords(answer.name + " saved.");
  }
}
