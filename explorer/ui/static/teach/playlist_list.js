// The playlists of this machine: title, films, kinds of questions; one is open. A file can be imported.

import { focusedKey, make, makePlaceLink } from "../shared/elements.js";
import { DOT_BETWEEN, countText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { QUESTION_KINDS } from "../shared/question_kinds.js";
import { refusalWords, showRefusal, showWithCommands } from "../shared/refusal.js";
import { teachAddress } from "../shared/teach_address.js";

const FILE_PIECE = 50_000; // characters of a file per request

export class PlaylistList {
  constructor(room, teach) {
    this.teach = teach;
    const find = (name) => room.querySelector(name);
    this.rows = find(".playlists-list");
    this.status = find(".playlists-said");
    this.none = find(".playlists-none");
    this.unreadable = find(".playlists-unreadable");
    this.file = find(".playlists-file");
    this.playlists = [];
    this.asked = 0;
    find(".playlists-new").addEventListener("click", () => teach.change({ new: "slice", playlist: null, slice: null, into: null }));
    find(".playlists-explore").addEventListener("click", (event) => followLink(event));
    this.file.addEventListener("change", () => this.importFile());
  }

  async load() {
    this.asked += 1;
    const isLatest = watchLatest(() => this.asked);
    const answer = await this.teach.ask("playlists_shown");
    if (!isLatest()) return;
    if (answer.stage !== "playlists") return showRefusal(this.status, answer);
    this.playlists = answer.playlists;
    this.unreadable.textContent = answer.unreadable.join(" ");
    this.unreadable.hidden = !answer.unreadable.length;
    this.none.hidden = Boolean(answer.playlists.length);
    const focused = focusedKey(this.rows);
    this.rows.replaceChildren(...answer.playlists.map((each) => this.makeRow(each)));
    if (focused) this.rows.querySelector("[data-key='" + focused + "']")?.focus();
    this.teach.fresh.offerPlaylists(answer.playlists);
  }

  /** @param {ui.teach.playlist_payload.PlaylistLinePayload} playlist */
  makeRow({ key, title, films, kinds }) {
    const { hide } = this.teach.state;
    const link = makePlaceLink("playlist-line", undefined, teachAddress({ playlist: key, hide }));
    link.dataset.key = key;
    if (key === this.teach.state.playlist && !this.teach.state.new) link.setAttribute("aria-current", "true");
    const asks = kinds.map((kind) => QUESTION_KINDS[kind]).join(", ");
    link.append(make("span", "playlist-line-title", title), make("span", "playlist-line-about muted small", countText(films, "film") + (asks && DOT_BETWEEN + asks)));
    const row = make("li", "");
    row.append(link);
    return row;
  }

  async importFile() {
    const [file] = this.file.files;
    if (!file) return;
    this.status.textContent = "Reading";
    const text = await file.text();
    const parts = text.match(new RegExp("[^]{1," + FILE_PIECE + "}", "g")) ?? [];
    this.file.value = "";
    const answer = await this.teach.ask("playlist_imported", { parts });
    showWithCommands(this.status, answer.stage === "kept" ? "" : refusalWords(answer));
    if (answer.stage === "kept") this.teach.open(answer.key, answer.said);
  }
}

// A link within the page, with the full address: axe-core mistakes a bare fragment for a skip link.
function followLink(event) {
  event.preventDefault();
  location.hash = event.currentTarget.getAttribute("href");
}
