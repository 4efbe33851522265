// The two models' readings of the displayed film and of its twin: each is requested once, and not for a film that is
// no longer shown.

import { callServer } from "../shared/server_calls.js";
import { decodeMaps } from "../viewer/heat.js";
import { NewestOnly } from "./newest.js";

export class Readings {
  // `isShown(order)`: whether this is the displayed film; `arrived()`: a reading is here.
  constructor(server, { isShown, arrived }) {
    this.server = server;
    this.isShown = isShown;
    this.arrived = arrived;
    this.byModel = {}; // of the displayed film: {classifier, text}
    this.classifier = new NewestOnly(server.simulated_classifier, (answered, order) => this.takeReading("classifier", answered, order));
    this.text = new NewestOnly(server.simulated_text_model, (answered, order) => this.takeReading("text", answered, order));
  }

  // Request what is neither here nor running.
  request(order) {
    if (!this.byModel.classifier && !this.classifier.wanted) this.classifier.request(order);
    if (!this.byModel.text && !this.text.wanted) this.text.request(order);
  }

  // Another film is wanted: running requests are dropped.
  forget() {
    this.classifier.forget();
    this.text.forget();
  }

  // Another film is displayed: it has no readings yet.
  clear() {
    this.byModel = {};
  }

  takeReading(name, answer, order) {
    if (!this.isShown(order)) return;
    this.byModel[name] = answer;
    if (answer.heat) {
      answer.heat.values = { film: decodeMaps(answer.heat.maps), twin: decodeMaps(answer.heat.twin) };
    }
    this.arrived();
  }

  get isComplete() {
    return Boolean(this.byModel.classifier && this.byModel.text);
  }

  // Two refusals for the same reason are shown once.
  get distinctReadings() {
    const { classifier: first, text: second } = this.byModel;
    const same = first && second && first.stage !== "said" && second.stage !== "said";
    return same ? { classifier: first } : { classifier: first, text: second }; // in this order, whichever came first
  }

  // The names of the models that have read the film.
  get modelNames() {
    const { classifier, text } = this.byModel;
    return [classifier, text].filter((each) => each?.stage === "said").map(({ model: { name } }) => name);
  }

  // Whether the models are still loading.
  async areLoading() {
    const { loading } = (await callServer(this.server.simulated_progress, null)) ?? {};
    return Boolean(loading);
  }
}
