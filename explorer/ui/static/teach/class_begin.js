// Begin a class, or save it as one file: which playlist, at whose pace. Its films are prepared first, with a progress
// bar.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { plural } from "../shared/figures.js";
import { refusalWords, showWords } from "../shared/refusal.js";

const AGAIN = 500; // ms between progress updates
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
    this.part("class-one-file").addEventListener("click", () => this.save());
  }

  part(name) {
    return this.form.querySelector("." + name);
  }

  // `on`: learners can join; else a class is one file.
  show(shown, on) {
    this.form.hidden = !shown;
    this.part("class-pace").hidden = this.part("class-go").hidden = !on;
    if (!shown || this.preparing || performance.now() < this.listed) return;
    this.listed = performance.now() + LIST_EVERY;
    this.list();
  }

  async list() {
    const { stage, playlists, title, detail } = await this.callbacks.call("class_playlists");
    if (stage === "refused") return this.say(refusalWords({ title, detail }));
    const choice = this.part("class-choice");
    const shown = JSON.stringify(playlists);
    if (shown !== this.shown) {
      this.shown = shown;
      const chosen = choice.value;
      choice.replaceChildren(...playlists.map(optionOf));
      if (playlists.some(({ key }) => key === chosen)) choice.value = chosen;
    }
    this.part("class-none").hidden = playlists.length > 0;
    for (const each of ["class-go", "class-one-file", "class-choice"]) this.part(each).disabled = !playlists.length;
  }

  // Choose the playlist of this key, which may be new, and begin with it where a class can be held.
  async hold(key, on) {
    await this.list();
    this.part("class-choice").value = key;
    if (on) this.begin();
  }

  async begin() {
    if (this.preparing) return;
    const order = { playlist: this.part("class-choice").value, own_pace: this.part("class-pace").querySelector(":checked").value === "own" };
    const answer = await this.ready("class_begin", order);
    if (answer.stage === "begun") this.callbacks.begun(answer.left_out);
  }

  async save() {
    if (this.preparing) return;
    const answer = await this.ready("class_one_file", this.part("class-choice").value);
    if (answer.stage !== "file") return;
    const bytes = Uint8Array.from(atob(answer.content), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: "text/html" }), answer.name);
    this.say([answer.name + " is saved: open it in any browser.", ...answer.left_out].join(" "));
  }

  // The server's answer once the films are ready; it prepares them while it is polled.
  async ready(name, order) {
    this.wait(true);
    let answer = await this.callbacks.call(name, order);
    while (answer.stage === "preparing") {
      this.progress(answer);
      await new Promise((done) => setTimeout(done, AGAIN));
      answer = await this.callbacks.call(name, order);
    }
    this.wait(false);
    this.say(answer.stage === "refused" ? refusalWords(answer) : "");
    return answer;
  }

  wait(on) {
    this.preparing = on;
    for (const each of ["class-go", "class-one-file"]) this.part(each).disabled = on;
    this.part("class-progress").hidden = !on;
    if (on) this.progress({ done: 0, films: 0 });
  }

  progress({ done, films }) {
    this.part("class-progress").max = Math.max(1, films);
    this.part("class-progress").value = done;
    this.say(films ? done + " of " + plural(films, "film") + " made ready" : "Making the films ready");
  }

  say(words) {
    this.part("class-preparing").hidden = !words;
    showWords(this.part("class-progress-words"), words);
  }
}

function optionOf({ key, title, films }) {
  const option = make("option", "", title + " (" + plural(films, "film") + ")");
  option.value = key;
  return option;
}
