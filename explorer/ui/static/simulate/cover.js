// Hides what is on a film from page, address and script: only the server has it, under a sealed name, and sends it with
// the reveal.

import { watchLatest } from "../shared/latest.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { filmKey, filmOrder, hiddenState, readSimulateAddress } from "./state.js";

export class FilmCover {
  // `desk`: {state}, and functions of Simulate: writeAddress(), requestFilm(), goTo(next), draw(), takeFilm(film,
  // order, isLatest), keepOnlyFilm(), showWords(words).
  constructor(server, desk) {
    this.server = server;
    this.desk = desk;
    this.state = desk.state;
    this.sealed = null; // a promise of the sealed name of the film that was hidden last
  }

  toggle() {
    const { state } = this;
    if (!state.shown || state.shown.key !== filmKey(state.wanted)) return;
    if (!state.hidden) this.hide();
    else if (state.wanted.seal) this.reveal();
    else this.desk.goTo(state.wanted); // its sealed name has not arrived yet
  }

  hide() {
    const order = filmOrder(this.state.wanted);
    this.showCovered();
    return (this.sealed = this.requestSeal(order));
  }

  async requestSeal(order) {
    const { state, desk } = this;
    const isLatest = watchLatest(() => state.shown);
    const answer = await callServer(this.server.simulated_seal, order);
    if (!isLatest() || !state.hidden) return;
    if (answer.stage !== "sealed") return desk.showWords(answer.title + ". The address still shows what is on the film.");
    state.wanted = hiddenState({ ...state.wanted, seal: answer.seal });
    state.shown.key = filmKey(state.wanted);
    desk.writeAddress();
    desk.requestFilm(false);
  }

  // Show the film alone: everything known about it is removed at once.
  showCovered() {
    const { state, desk } = this;
    state.hidden = true;
    state.chosen = state.twin = null;
    if (state.shown) state.shown = { ...state.shown, masks: [], address: "", name: "" };
    desk.keepOnlyFilm();
    desk.draw();
  }

  async reveal() {
    const { state, desk } = this;
    const isLatest = watchLatest(() => state.wanted);
    const answer = await callServer(this.server.simulated_reveal, filmOrder(state.wanted));
    if (!isLatest()) return;
    if (answer.stage === "revealed") this.revealed(answer.order);
    else desk.showWords(refusalWords(answer));
  }

  // `order`: the hidden film.
  revealed({ center, seed, version, requests }) {
    const { state, desk } = this;
    state.hidden = false;
    state.wanted = { ...state.wanted, center, seed, version, requests: requestsForServer(requests), show: [], seal: null };
    desk.writeAddress();
    desk.requestFilm(false);
  }

  setQuiz(next) {
    this.showEarlier({ ...(next ? hiddenState({ seal: "" }) : readSimulateAddress("#simulate")), quiz: next });
  }

  // A film that was shown before, or the first one.
  showEarlier(wanted) {
    this.desk.goTo(wanted);
    this.desk.writeAddress();
  }

  // The next film of the quiz; or another patient with the same findings, which only the server knows.
  async nextFilm() {
    const { state, desk } = this;
    if (state.wanted.quiz) return desk.goTo(hiddenState({ ...state.wanted, seal: "" }));
    await this.sealed;
    const isLatest = watchLatest(() => state.wanted);
    desk.takeFilm(await callServer(this.server.simulated_hidden_other, filmOrder(state.wanted)), null, isLatest);
  }
}

// Findings in the server's form: "" for no side.
export const requestsForServer = (requests) => requests.map((each) => ({ ...each, side: each.side || null }));
