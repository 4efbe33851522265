// The Simulate tab: a film of the simulator. Its state is the address: center, patient, findings. All text is text
// nodes.

import { presentKept } from "../shared/present_address.js";
import { refusalWords, showRefusal } from "../shared/refusal.js";
import { inFront } from "../viewer/keys.js";
import { dotRows, isolateFrom } from "../viewer/mask_key.js";
import { unpackFilm } from "../viewer/packed.js";
import { SimAnswer } from "./answer.js";
import { OtherCenter } from "./centers.js";
import { Cover, drawnFrom } from "./cover.js";
import { SimFilms, bindBlink, difference, enlarged } from "./films.js";
import { Newest } from "./newest.js";
import { patientWords } from "./patient.js";
import { Quiz } from "./quiz.js";
import { Readings } from "./readings.js";
import { Requests } from "./requests.js";
import { heatShown } from "./shown_heat.js";
import { presentSimulated } from "./sim_present.js";
import { NEWEST_VERSION, NORMALS, addressOf, centersOf, filmKey, hiddenState, isSimulate, masksOf, orderOf, patientKey, readState, showing, viewOf } from "./state.js";
import { WaysOn } from "./ways_on.js";

export function mount({ element, trigger, props, server, watch, data }) {
  const room = element.querySelector(".room");
  const part = (name) => room.querySelector("." + name);
  const SETTLED = 160; // ms without a movement after which the film is made at full size

  const state = {
    wanted: readState(location.hash),
    shown: null, // the film on show: {key, film, pixels, masks, address, name}
    twin: null, // of the same patient: {key, film, pixels}
    chosen: null, // a finding of the film
    model: "classifier", // whose map was asked for
    mapped: "classifier", // the model whose map is shown: the other one, where the requested one has none
    hidden: false, // the film has nothing but its picture here
    settling: 0, // a timer: the film is made at full size when it ends
  };

  const films = new SimFilms(room.querySelector(".film-side"), {
    step,
    toggleOpinion: () => cover.toggle(),
    turn: (to) => show(viewOf(state.wanted) === to ? "film" : to),
    toggleMasks: () => show(viewOf(state.wanted), !masksOf(state.wanted)),
    toggleCenters: () => show(viewOf(state.wanted), masksOf(state.wanted), !centersOf(state.wanted)),
    another: anotherPatient,
    present: () => present.toggle(),
  });
  const present = presentSimulated({ room, films, state, readings: () => readings, another: anotherPatient, cover: () => cover });
  const requests = new Requests(room, data, { change: (next, moving) => change({ requests: next }, moving), choose, add });
  const answer = new SimAnswer(part("sim-answer"), { choose, reveal: () => cover.toggle() });
  const preview = new Newest(server.simulated_preview, showPreview);
  const full = new Newest(askFilm, takeFilm);
  const twins = new Newest(server.simulated_twin, takeTwin);
  const readings = new Readings(server, { isShown: (order) => filmKey(order) === state.shown?.key, arrived: draw });
  const centers = new OtherCenter(server, films.lightbox, draw);
  const waysOn = new WaysOn(room, { trigger, props, watch, server }, { shown: () => state.shown, order: () => orderOf(state.wanted), known: Object.keys(data.known) });
  const cover = new Cover(server, { state, put, follow, go, draw, forget, take: takeFilm, say: (words) => films.lightbox.now.say(words) });
  const quiz = new Quiz(part("quiz"), server, { known: data.known, groups: [...part("sim-add").querySelectorAll("optgroup")] }, {
    set: (next) => cover.quiz(next),
    next: anotherPatient,
    revealed: (order) => cover.revealed(order),
  });

  // `moving`: a slider is held; the film follows at low resolution, without a history entry.
  // A moving film shows the film itself, and so does another patient. Changes are drawn by the newest simulator.
  function change(changes, moving = false) {
    const before = state.wanted;
    state.wanted = { ...state.wanted, version: NEWEST_VERSION, look: null, ...changes };
    if (moving || patientKey(state.wanted) !== patientKey(before)) state.wanted = { ...state.wanted, show: showing("film", masksOf(state.wanted)) };
    if (isSimulate(location.hash)) history[moving || filmKey(state.wanted) === filmKey(before) ? "replaceState" : "pushState"](null, "", presentKept(addressOf(state.wanted)));
    follow(moving);
  }

  function put() {
    if (isSimulate(location.hash)) history.replaceState(null, "", presentKept(addressOf(state.wanted)));
  }

  function go(next) {
    state.wanted = next;
    state.hidden = next.seal !== null;
    state.chosen = next.look ?? state.chosen;
    if (next.look) state.model = "classifier"; // the map's model was chosen for another film
    if (state.hidden) cover.cover();
    part("sim-seed").value = state.wanted.seed; // also where it has the focus
    follow(false);
  }

  // Request the film of the state.
  function follow(moving) {
    showControls();
    clearTimeout(state.settling);
    if (twins.wanted && patientKey(twins.wanted) !== patientKey(state.wanted)) twins.forget();
    if (filmKey(state.wanted) === state.shown?.key) return stay();
    room.dataset.state = state.hidden ? "next" : "rendering"; // the last film must not be taken for a hidden one
    room.setAttribute("aria-busy", "true");
    full.forget();
    readings.forget();
    if (moving) preview.want(orderOf(state.wanted));
    state.settling = setTimeout(() => full.want(orderOf(state.wanted)), moving ? SETTLED : 0);
  }

  // The film on show is wanted again: other requests are dropped.
  function stay() {
    preview.forget();
    full.forget();
    settled();
    draw();
    readOn();
  }

  function settled() {
    room.dataset.state = "shown";
    room.removeAttribute("aria-busy");
    document.dispatchEvent(new CustomEvent("simulated-shown"));
  }

  function showControls() {
    if (!state.wanted.requests.some(({ finding }) => finding === state.chosen)) state.chosen = state.wanted.requests.at(-1)?.finding ?? null;
    requests.show(state.hidden ? [] : state.wanted.requests, state.chosen);
    quiz.show(state.wanted.quiz, state.shown?.key === filmKey(state.wanted) ? state.wanted.seal : null);
    part("sim-order").hidden = state.hidden || Boolean(state.wanted.quiz);
    part("sim-quiz").setAttribute("aria-pressed", String(Boolean(state.wanted.quiz)));
    for (const radio of room.querySelectorAll("[name=sim-center]")) radio.checked = radio.value === state.wanted.center;
    const seed = part("sim-seed");
    if (document.activeElement !== seed) seed.value = state.wanted.seed;
  }

  async function showPreview({ stage, image, checksum, masks }, order, isLatest) {
    if (stage !== "preview" || !state.shown) return;
    const pixels = enlarged(await unpackFilm(image, checksum), state.shown.pixels.width);
    if (!isLatest()) return; // the film itself came first
    films.heat(null);
    films.show({ film: state.shown.film, pixels, masks }, "film", state.chosen);
  }

  function askFilm(order) {
    return (order.question ? server.quiz_film : order.seal ? server.simulated_hidden : server.simulated_film)(order);
  }

  async function takeFilm(answered, order, isLatest) {
    if (!["film", "hidden"].includes(answered.stage)) return refused(answered);
    const pixels = await unpackFilm(answered.film.image, answered.film.checksum);
    if (!isLatest()) return;
    preview.forget();
    if (answered.stage === "hidden") state.wanted = hiddenState({ ...state.wanted, seal: answered.seal });
    else state.wanted = { ...state.wanted, requests: drawnFrom(answered.requests) };
    put();
    const { film, masks = [], address = "", case: name = "" } = answered;
    state.shown = { key: filmKey(state.wanted), film, pixels, masks, address, name };
    readings.clear();
    part("sim-refusal").hidden = true;
    settled();
    part("sim-patient").textContent = patientWords(answered);
    part("made-times").textContent = !(answered.render_ms >= 1) ? "" : "render " + Math.round(answered.render_ms) + " ms";
    showControls();
    readOn();
    draw();
  }

  async function takeTwin(answered, order, isLatest) {
    if (answered.stage !== "film") return withoutTwin(answered);
    const pixels = await unpackFilm(answered.film.image, answered.film.checksum);
    if (!isLatest()) return;
    state.twin = { key: patientKey(order), film: answered.film, pixels };
    films.lightbox.now.say("");
    draw();
    readOn();
  }

  // The film can be shown and read without its twin. A visitor who asks for the twin starts another attempt.
  function withoutTwin(refusal) {
    twins.forget();
    films.lightbox.now.say("The twin could not be drawn. " + refusalWords(refusal));
    readBoth();
  }

  function refused(refusal) {
    state.shown = null;
    room.dataset.state = "refused";
    room.removeAttribute("aria-busy");
    showRefusal(part("sim-refusal"), refusal);
    part("sim-refusal").hidden = false;
    part("sim-patient").textContent = "";
    answer.wait("");
  }

  // The address follows, so that a link reproduces the view.
  function show(view, masks = masksOf(state.wanted), both = centersOf(state.wanted)) {
    if (state.hidden) return films.lightbox.now.say("Reveal the film first (H): it would tell what is there.");
    state.wanted = { ...state.wanted, show: showing(view, masks, both) };
    put();
    draw();
    if (view === viewOnShow()) return;
    films.lightbox.now.say("The twin is not ready yet: it is shown as soon as it is.");
    wantTwin();
  }

  const twinThere = () => state.twin?.key === patientKey(state.wanted);

  // The wanted view: the twin may still be on its way.
  const viewOnShow = () => (twinThere() ? viewOf(state.wanted) : "film");

  // Readings

  // Request what is neither here nor running: the twin first, because the models read both.
  function readOn() {
    if (state.hidden) return;
    if (twinThere()) readBoth();
    else wantTwin();
  }

  function wantTwin() {
    if (state.shown && !state.hidden && !twins.wanted) twins.want(orderOf(state.wanted));
  }

  // Wait for a running film: its random choices are not known yet.
  function readBoth() {
    if (state.shown?.key === filmKey(state.wanted) && !state.hidden) readings.want(orderOf(state.wanted));
  }

  async function tellProgress() {
    const waits = () => state.shown && !state.hidden && !readings.complete;
    if (waits() && (await readings.areLoading()) && waits()) answer.show(readings.shown, state.chosen, state.mapped, "Waiting for the models, which takes a few seconds after a start.");
  }
  setInterval(() => inFront(room) && tellProgress(), 1500);
  isolateFrom(part("sim-requests"), (finding) => films.lightbox.now.masks.isolate(finding));

  // Draw everything that follows from the state.
  function draw() {
    if (!state.shown) return;
    const view = viewOnShow();
    const { film, pixels } = view === "twin" ? state.twin : state.shown;
    const seen = view === "difference" ? difference(state.shown.pixels, state.twin.pixels) : pixels;
    films.show({ film, pixels: seen, masks: state.shown.masks }, view, state.chosen); // on the twin: where the finding would be
    films.lightbox.setMasks(masksOf(state.wanted));
    dotRows(part("sim-requests"), state.hidden ? [] : state.shown.masks);
    films.lightbox.hideOpinion(state.hidden);
    centers.show(!state.hidden && centersOf(state.wanted) && orderOf(state.wanted), state.chosen);
    showHeat(view);
    const waits = readings.complete ? "" : "Reading the film and its twin.";
    if (state.hidden) answer.cover(!state.wanted.quiz);
    else answer.show(readings.shown, state.chosen, state.mapped, waits, centers.words);
    waysOn.hide(state.hidden);
    room.dataset.hidden = String(state.hidden);
    const { models } = readings;
    part("made-model").textContent = models.length ? "read by " + models.join(", ") : "SIMULATED, not a patient";
    present.refresh();
  }

  function showHeat(view) {
    const shown = heatShown(readings.said, { chosen: state.chosen, model: state.model, view });
    state.mapped = shown?.model ?? state.model;
    if (!shown) return films.heat(null);
    films.heat(shown.opinion, shown.place, shown.why);
  }

  function choose(finding, by = state.model) {
    state.chosen = finding;
    state.model = by;
    requests.show(state.wanted.requests, state.chosen);
    draw();
  }

  // The seed decides side and severity.
  function add(finding) {
    state.chosen = finding;
    change({ requests: [...state.wanted.requests, { finding, side: null, severity: null }] });
  }

  function step(delta) {
    const findings = state.wanted.requests.map(({ finding }) => finding);
    const next = findings[findings.indexOf(state.chosen) + delta];
    if (next && !state.hidden) choose(next);
  }

  // Keep only the film.
  function forget() {
    for (const each of [preview, twins, readings]) each.forget();
    readings.clear();
    films.heat(null);
    part("sim-patient").textContent = part("sim-seed").value = "";
    requests.show([], null);
  }

  function anotherPatient() {
    if (state.wanted.quiz || state.hidden) return cover.another();
    const [first, last] = data.own_seeds;
    change({ seed: first + Math.floor(Math.random() * (last + 1 - first)) });
  }

  part("sim-quiz").addEventListener("click", () => cover.quiz(state.wanted.quiz ? null : { question: { kind: "findings", finding: null }, normals: NORMALS }));
  part("sim-another").addEventListener("click", anotherPatient);
  part("sim-order").addEventListener("submit", (event) => event.preventDefault());
  part("sim-seed").addEventListener("change", ({ target }) => target.value !== "" && change({ seed: Number(target.value) }));
  part("sim-centers").addEventListener("change", ({ target }) => change({ center: target.value }));
  part("lessons-list").addEventListener("click", () => (part("lessons").open = false));
  bindBlink(() => viewOf(state.wanted) === "twin" && inFront(room), () => show("film"));
  addEventListener("popstate", () => isSimulate(location.hash) && go(readState(location.hash)));
  go(state.wanted);
}
