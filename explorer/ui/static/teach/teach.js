// The Teach tab: it alone holds the state, which is the address, and redraws the parts when the state changes.
// All text goes in as text nodes.

import { isTeachAddress, readTeachAddress, teachAddress } from "../shared/teach_address.js";
import { PlaylistEditor } from "./playlist_editor.js";
import { PlaylistList } from "./playlist_list.js";
import { NewPlaylist } from "./playlist_new.js";
import { Sections } from "./sections.js";

const NO_ANSWER = { stage: "refused", title: "Tailscope is not responding", detail: "Check that it is still running, then try again." };

class Teach {
  constructor(room, { server }) {
    this.room = room;
    this.server = server;
    this.state = readTeachAddress(location.hash);
    this.message = ""; // what was done, shown by the editor that opens next
    this.sections = new Sections(room, (words) => this.change(words));
    this.list = new PlaylistList(room, this);
    this.editor = new PlaylistEditor(room, this);
    this.fresh = new NewPlaylist(room, this);
    addEventListener("popstate", () => isTeachAddress(location.hash) && this.goTo(readTeachAddress(location.hash)));
    this.goTo(this.state);
  }

  // Gradio answers undefined where there is no server.
  async ask(question, sent = null) {
    return (await this.server[question](sent).catch(() => undefined)) ?? NO_ANSWER;
  }

  // Change words of the address; null removes one.
  change(words) {
    const next = Object.fromEntries(Object.entries({ ...this.state, ...words }).filter(([, value]) => value));
    if (teachAddress(next) === teachAddress(this.state)) return;
    history.pushState(null, "", teachAddress(next));
    this.goTo(Object.freeze(next));
  }

  // Open a playlist that was made, changed elsewhere or copied; `said` is shown above it.
  open(key, said = "") {
    this.message = said;
    if (this.state.playlist === key && !this.state.new) return void this.editor.open(key);
    this.change({ playlist: key, new: null, slice: null, into: null });
  }

  async goTo(next) {
    this.state = next;
    this.sections.show(next.section);
    const source = next.new ?? (next.playlist ? null : "start");
    this.room.dataset.open = source ? "new" : "editor";
    this.room.dataset.chosen = String(Boolean(next.playlist || next.new));
    this.editor.show(source ? null : next.playlist);
    this.fresh.show(source);
    await this.list.load();
    this.room.dataset.state = "shown";
  }
}

export const mount = (gradio) => new Teach(gradio.element.querySelector(".teach"), gradio);
