// The playlists of this machine: title, films, kinds of questions; one is open. A file can be imported.

import { focusedKey, make, placeLink } from "../shared/elements.js";
import { DOT, plural } from "../shared/figures.js";
import { latest } from "../shared/latest.js";
import { KINDS } from "../shared/question_kinds.js";
import { refusalWords, showRefusal, showWords } from "../shared/refusal.js";
import { teachAddress } from "../shared/teach_address.js";

const PIECE = 50_000; // characters of a file per request

export class PlaylistList {
  constructor(room, teach) {
    this.teach = teach;
    const find = (name) => room.querySelector(name);
    this.rows = find(".playlists-list");
    this.said = find(".playlists-said");
    this.none = find(".playlists-none");
    this.unreadable = find(".playlists-unreadable");
    this.file = find(".playlists-file");
    this.playlists = [];
    this.asked = 0;
    find(".playlists-new").addEventListener("click", () => teach.change({ new: "slice", playlist: null, slice: null, into: null }));
    find(".playlists-explore").addEventListener("click", (event) => follow(event));
    this.file.addEventListener("change", () => this.read());
  }

  async load() {
    this.asked += 1;
    const isLatest = latest(() => this.asked);
    const answer = await this.teach.ask("playlists_shown");
    if (!isLatest()) return;
    if (answer.stage !== "playlists") return showRefusal(this.said, answer);
    this.playlists = answer.playlists;
    this.unreadable.textContent = answer.unreadable.join(" ");
    this.unreadable.hidden = !answer.unreadable.length;
    this.none.hidden = Boolean(answer.playlists.length);
    const focused = focusedKey(this.rows);
    this.rows.replaceChildren(...answer.playlists.map((each) => this.row(each)));
    if (focused) this.rows.querySelector("[data-key='" + focused + "']")?.focus();
    this.teach.fresh.offer(answer.playlists);
  }

  /** @param {ui.teach.playlist_payload.PlaylistLinePayload} playlist */
  row({ key, title, films, kinds }) {
    const { hide } = this.teach.state;
    const link = placeLink("playlist-line", undefined, teachAddress({ playlist: key, hide }));
    link.dataset.key = key;
    if (key === this.teach.state.playlist && !this.teach.state.new) link.setAttribute("aria-current", "true");
    const asks = kinds.map((kind) => KINDS[kind]).join(", ");
    link.append(make("span", "playlist-line-title", title), make("span", "playlist-line-about", plural(films, "film") + (asks && DOT + asks)));
    const row = make("li", "");
    row.append(link);
    return row;
  }

  async read() {
    const [file] = this.file.files;
    if (!file) return;
    this.said.textContent = "Reading";
    const text = await file.text();
    const parts = text.match(new RegExp("[^]{1," + PIECE + "}", "g")) ?? [];
    this.file.value = "";
    const answer = await this.teach.ask("playlist_imported", { parts });
    showWords(this.said, answer.stage === "kept" ? "" : refusalWords(answer));
    if (answer.stage === "kept") this.teach.open(answer.key, answer.said);
  }
}

// A link within the page, with the full address: axe-core takes a bare fragment for a skip link.
function follow(event) {
  event.preventDefault();
  location.hash = event.currentTarget.getAttribute("href");
}
