// Begin a class: which playlist, at whose pace; its films are made ready first, with how far that is.

import { make } from "../shared/elements.js";
import { plural } from "../shared/figures.js";

const AGAIN = 500; // ms between questions how far the films are
const LIST_EVERY = 5000; // ms: a playlist may have been made in another window

export class ClassBegin {
  // `callbacks`: call(name, argument) resolves to the server's answer; begun(sentences on films that are left out).
  constructor(form, callbacks) {
    Object.assign(this, { form, callbacks });
    this.listed = 0;
    this.preparing = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  part(name) {
    return this.form.querySelector("." + name);
  }

  show(on) {
    this.form.hidden = !on;
    if (!on || this.preparing || performance.now() < this.listed) return;
    this.listed = performance.now() + LIST_EVERY;
    this.list();
  }

  async list() {
    const { stage, playlists, title, detail } = await this.callbacks.call("class_playlists");
    if (stage === "refused") return this.say(title + ". " + detail);
    const choice = this.part("class-choice");
    const shown = JSON.stringify(playlists);
    if (shown !== this.shown) {
      this.shown = shown;
      const chosen = choice.value;
      choice.replaceChildren(...playlists.map(optionOf));
      if (playlists.some(({ key }) => key === chosen)) choice.value = chosen;
    }
    this.part("class-none").hidden = playlists.length > 0;
    this.part("class-go").disabled = choice.disabled = !playlists.length;
  }

  // The server goes on making films ready for as long as it is asked.
  async begin() {
    if (this.preparing) return;
    this.wait(true);
    const order = { playlist: this.part("class-choice").value, own_pace: this.part("class-pace").querySelector(":checked").value === "own" };
    let answer = await this.callbacks.call("class_begin", order);
    while (answer.stage === "preparing") {
      this.progress(answer);
      await new Promise((done) => setTimeout(done, AGAIN));
      answer = await this.callbacks.call("class_begin", order);
    }
    this.wait(false);
    this.say(answer.stage === "refused" ? answer.title + ". " + answer.detail : "");
    if (answer.stage === "begun") this.callbacks.begun(answer.left_out);
  }

  wait(on) {
    this.preparing = on;
    this.part("class-go").disabled = on;
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
    this.part("class-progress-words").textContent = words;
  }
}

function optionOf({ key, title, films }) {
  const option = make("option", "", title + " (" + plural(films, "film") + ")");
  option.value = key;
  return option;
}
