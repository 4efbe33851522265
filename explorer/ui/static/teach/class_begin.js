// Begin a class, or save it as one file: which playlist, at whose pace. Its films are prepared first, with a progress
// bar.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";

const PROGRESS_EVERY = 500; // ms between progress updates
const LIST_EVERY = 5000; // ms: a playlist may have been made in another window

export class ClassBegin {
  // `callbacks`: call(name, argument) resolves to the server's answer; begun(sentences about skipped films).
  constructor(form, callbacks) {
    this.form = form;
    this.callbacks = callbacks;
    this.listed = 0;
    this.preparing = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
    this.find("class-one-file").addEventListener("click", () => this.save());
  }

  find(name) {
    return this.form.querySelector("." + name);
  }

  // `on`: learners can join; else a class is one file.
  show(shown, on) {
    this.form.hidden = !shown;
    for (const each of ["class-pace", "class-model", "class-go"]) this.find(each).hidden = !on;
    if (!shown || this.preparing || performance.now() < this.listed) return;
    this.listed = performance.now() + LIST_EVERY;
    this.listPlaylists();
  }

  async listPlaylists() {
    const { stage, playlists, title, detail } = await this.callbacks.call("class_playlists");
    if (stage === "refused") return this.showWords(refusalWords({ title, detail }));
    const choice = this.find("class-choice");
    const playlistsKey = JSON.stringify(playlists);
    if (playlistsKey !== this.playlistsKey) {
      this.playlistsKey = playlistsKey;
      const chosen = choice.value;
      choice.replaceChildren(...playlists.map(makeOption));
      if (playlists.some(({ key }) => key === chosen)) choice.value = chosen;
    }
    this.find("class-none").hidden = playlists.length > 0;
    for (const each of ["class-go", "class-one-file", "class-choice"]) this.find(each).disabled = !playlists.length;
  }

  // Choose the playlist of this key, which may be new, and begin with it where a class can be held.
  async chooseAndBegin(key, on) {
    await this.listPlaylists();
    this.find("class-choice").value = key;
    if (on) this.begin();
  }

  async begin() {
    if (this.preparing) return;
    const order = {
      playlist: this.find("class-choice").value,
      own_pace: this.find("class-pace").querySelector(":checked").value === "own",
      with_model: this.find("class-with-model").checked,
    };
    const answer = await this.prepareFilms("class_begin", order);
    if (answer.stage === "begun") this.callbacks.begun(answer.left_out);
  }

  async save() {
    if (this.preparing) return;
    const answer = await this.prepareFilms("class_one_file", this.find("class-choice").value);
    if (answer.stage !== "file") return;
    const bytes = Uint8Array.from(atob(answer.content), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: "text/html" }), answer.name);
    this.showWords([answer.name + " is saved: open it in any browser.", ...answer.left_out].join(" "));
  }

  // The server's answer once the films are ready; it prepares them while it is polled.
  async prepareFilms(name, order) {
    this.setWaiting(true);
    let answer = await this.callbacks.call(name, order);
    while (answer.stage === "preparing") {
      this.showProgress(answer);
      await new Promise((done) => setTimeout(done, PROGRESS_EVERY));
      answer = await this.callbacks.call(name, order);
    }
    this.setWaiting(false);
    this.showWords(answer.stage === "refused" ? refusalWords(answer) : "");
    return answer;
  }

  setWaiting(on) {
    this.preparing = on;
    for (const each of ["class-go", "class-one-file"]) this.find(each).disabled = on;
    this.find("class-progress").hidden = !on;
    if (on) this.showProgress({ done: 0, films: 0 });
  }

  showProgress({ done, films }) {
    this.find("class-progress").max = Math.max(1, films);
    this.find("class-progress").value = done;
    this.showWords(films ? done + " of " + countText(films, "film") + " made ready" : "Making the films ready");
  }

  showWords(words) {
    this.find("class-preparing").hidden = !words;
    showWithCommands(this.find("class-progress-words"), words);
  }
}

function makeOption({ key, title, films }) {
  const option = make("option", "", title + " (" + countText(films, "film") + ")");
  option.value = key;
  return option;
}
