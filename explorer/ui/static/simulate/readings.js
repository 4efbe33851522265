// The two models' readings of the film on show and of its twin: each is requested once, and not for a film that is
// gone.

import { call } from "../shared/server_calls.js";
import { decodeMaps } from "../viewer/heat.js";
import { Newest } from "./newest.js";

export class Readings {
  // `isShown(order)`: whether this is the film on show; `arrived()`: a reading has come.
  constructor(server, { isShown, arrived }) {
    this.server = server;
    this.isShown = isShown;
    this.arrived = arrived;
    this.said = {}; // of the film on show: {classifier, text}
    this.classifier = new Newest(server.simulated_classifier, (answered, order) => this.take("classifier", answered, order));
    this.text = new Newest(server.simulated_text_model, (answered, order) => this.take("text", answered, order));
  }

  // Request what is neither here nor running.
  want(order) {
    if (!this.said.classifier && !this.classifier.wanted) this.classifier.want(order);
    if (!this.said.text && !this.text.wanted) this.text.want(order);
  }

  // Another film is wanted: running requests are dropped.
  forget() {
    this.classifier.forget();
    this.text.forget();
  }

  // Another film is on show: it has no readings yet.
  clear() {
    this.said = {};
  }

  take(name, answered, order) {
    if (!this.isShown(order)) return;
    this.said[name] = answered;
    if (answered.heat) {
      answered.heat.values = { film: decodeMaps(answered.heat.maps), twin: decodeMaps(answered.heat.twin) };
    }
    this.arrived();
  }

  get complete() {
    return Boolean(this.said.classifier && this.said.text);
  }

  // Two refusals for the same reason are shown once.
  get shown() {
    const { classifier: first, text: second } = this.said;
    const same = first && second && first.stage !== "said" && second.stage !== "said";
    return same ? { classifier: first } : { classifier: first, text: second }; // in this order, whichever came first
  }

  // The names of the models that have read the film.
  get models() {
    const { classifier, text } = this.said;
    return [classifier, text].filter((each) => each?.stage === "said").map(({ model: { name } }) => name);
  }

  // Whether the models are still loading.
  async areLoading() {
    const { loading } = (await call(this.server.simulated_progress, null)) ?? {};
    return Boolean(loading);
  }
}
