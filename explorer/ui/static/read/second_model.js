// The opinion of a second model on the active film, where one is chosen.

import { watchLatest } from "../shared/latest.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";
import { clearBeside, showBeside } from "./beside_model.js";

const POLL_EVERY = 500; // ms between two requests about the download of a model

export class SecondOpinion {
  // `now()`: the active film, `hidden()`: whether its opinion is hidden.
  constructor({ server, panel, models, now, hidden }) {
    this.server = server;
    this.panel = panel;
    this.models = models;
    this.now = now;
    this.hidden = hidden;
  }

  async ask(item) {
    if (!item?.opinion) return;
    item.second = undefined;
    clearBeside(this.panel.findings);
    const model = this.models.second;
    if (!model) return;
    const sameReading = watchLatest(() => item.opinion);
    const sameModel = watchLatest(() => this.models.second);
    const tell = (words) => sameReading() && sameModel() && item === this.now() && this.panel.showSecondModelState(words);
    tell(`Asking ${model}`);
    const timer = setInterval(async () => {
      const share = await callServer(this.server.fetched, model);
      if (typeof share === "number") tell(`Fetching ${model}: ${Math.round(100 * share)} %`);
    }, POLL_EVERY);
    const answer = (await callServer(this.server.beside_model, { token: item.token, model })) ?? (await explainMissingFilm(this.server, item.token));
    clearInterval(timer);
    if (!sameReading() || !sameModel()) return;
    if (answer.stage !== "beside model") return tell(refusalWords(answer));
    item.second = answer;
    if (item === this.now() && !this.hidden()) this.show(item);
  }

  show(item) {
    this.panel.showSecondModelState("");
    if (item.second) showBeside(this.panel.findings, item.opinion.rows, item.second);
  }
}
