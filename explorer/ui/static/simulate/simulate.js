// The Simulate tab: a film of the simulator. Its state is the address: center, patient, findings. All text is text
// nodes.

import { keepPresented } from "../shared/present_address.js";
import { refusalWords, showRefusal } from "../shared/refusal.js";
import { bindBlink } from "../viewer/blink.js";
import { isInFront } from "../viewer/keys.js";
import { addMaskDots, bindIsolation } from "../viewer/mask_key.js";
import { unpackFilm } from "../viewer/packed.js";
import { SimReadings } from "./answer.js";
import { FilmBeside } from "./beside.js";
import { BesideChoice } from "./beside_choice.js";
import { FilmCover, requestsForServer } from "./cover.js";
import { SimFilms, enlarge, subtractTwin } from "./films.js";
import { NewestOnly } from "./newest.js";
import { patientText } from "./patient.js";
import { Quiz } from "./quiz.js";
import { Readings } from "./readings.js";
import { FindingRequests } from "./requests.js";
import { SeveritySweep } from "./severity_sweep.js";
import { selectHeat } from "./shown_heat.js";
import { presentSimulated } from "./sim_present.js";
import { DEFAULT_NORMALS, NEWEST_VERSION, OTHER_CENTER, filmKey, filmOrder, hiddenState, isSimulateAddress, patientKey, readSimulateAddress, showWordsFor, shownBeside, shownView, showsMasks, simulateAddress } from "./state.js";
import { FilmDestinations } from "./ways_on.js";

export function mount({ element, trigger, props, server, watch, data }) {
  const room = element.querySelector(".room");
  const part = (name) => room.querySelector("." + name);
  const SETTLED = 160; // ms without a movement after which the film is made at full size

  const state = {
    wanted: readSimulateAddress(location.hash),
    shown: null, // the displayed film: {key, film, pixels, masks, address, name}
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
    turn: (to) => show(shownView(state.wanted) === to ? "film" : to),
    toggleMasks: () => show(shownView(state.wanted), !showsMasks(state.wanted)),
    toggleCenters: () => show(shownView(state.wanted), showsMasks(state.wanted), shownBeside(state.wanted) === OTHER_CENTER ? "" : OTHER_CENTER),
    another: anotherPatient,
    present: () => present.toggle(),
  });
  const present = presentSimulated({ room, films, state, readings: () => readings, another: anotherPatient, cover: () => cover });
  const requests = new FindingRequests(room, data, { change: (next, moving) => change({ requests: next }, moving), choose, add });
  const sweep = new SeveritySweep(part("sim-requests"), server, () => state.wanted);
  const readingView = new SimReadings(part("sim-answer"), { choose, reveal: () => cover.toggle() });
  const preview = new NewestOnly(server.simulated_preview, showPreview);
  const full = new NewestOnly(askFilm, takeFilm);
  const twins = new NewestOnly(server.simulated_twin, takeTwin);
  const readings = new Readings(server, { isShown: (order) => filmKey(order) === state.shown?.key, arrived: draw });
  const beside = new FilmBeside(server, films.lightbox, draw);
  const besideChoice = new BesideChoice(part("sim-beside"), data.exposures, (how) => show(shownView(state.wanted), showsMasks(state.wanted), how));
  const waysOn = new FilmDestinations(room, { trigger, props, watch, server }, { shown: () => state.shown, order: () => filmOrder(state.wanted), known: Object.keys(data.known) });
  const desk = { state, writeAddress, requestFilm, goTo, draw, keepOnlyFilm, takeFilm, showWords: (words) => films.lightbox.now.showReadoutWords(words) };
  const cover = new FilmCover(server, desk);
  const quiz = new Quiz(part("quiz"), server, { known: data.known, groups: [...part("sim-add").querySelectorAll("optgroup")] }, {
    set: (next) => cover.setQuiz(next),
    next: anotherPatient,
    revealed: (order) => cover.revealed(order),
  });

  // `moving`: a slider is held; the film follows at low resolution, without a history entry.
  // A moving film shows the film itself, and so does another patient. Changes are drawn by the newest simulator.
  function change(changes, moving = false) {
    const before = state.wanted;
    state.wanted = { ...state.wanted, version: NEWEST_VERSION, look: null, ...changes };
    if (moving || patientKey(state.wanted) !== patientKey(before)) state.wanted = { ...state.wanted, show: showWordsFor("film", showsMasks(state.wanted)) };
    if (isSimulateAddress(location.hash)) history[moving || filmKey(state.wanted) === filmKey(before) ? "replaceState" : "pushState"](null, "", keepPresented(simulateAddress(state.wanted)));
    requestFilm(moving);
  }

  function writeAddress() {
    if (isSimulateAddress(location.hash)) history.replaceState(null, "", keepPresented(simulateAddress(state.wanted)));
  }

  function goTo(next) {
    state.wanted = next;
    state.hidden = next.seal !== null;
    state.chosen = next.look ?? state.chosen;
    if (next.look) state.model = "classifier"; // the map's model was chosen for another film
    if (state.hidden) cover.showCovered();
    part("sim-seed").value = state.wanted.seed; // also where it has the focus
    requestFilm(false);
  }

  // Request the film of the state.
  function requestFilm(moving) {
    showControls();
    clearTimeout(state.settling);
    if (twins.wanted && patientKey(twins.wanted) !== patientKey(state.wanted)) twins.forget();
    if (filmKey(state.wanted) === state.shown?.key) return keepFilm();
    room.dataset.state = state.hidden ? "next" : "rendering"; // the previous film must not be mistaken for a hidden one
    room.setAttribute("aria-busy", "true");
    full.forget();
    readings.forget();
    if (moving) preview.request(filmOrder(state.wanted));
    state.settling = setTimeout(() => full.request(filmOrder(state.wanted)), moving ? SETTLED : 0);
  }

  // The displayed film is wanted again: other requests are dropped.
  function keepFilm() {
    preview.forget();
    full.forget();
    requestFullSize();
    draw();
    requestReadings();
  }

  function requestFullSize() {
    room.dataset.state = "shown";
    room.removeAttribute("aria-busy");
    document.dispatchEvent(new CustomEvent("simulated-shown"));
  }

  function showControls() {
    if (!state.wanted.requests.some(({ finding }) => finding === state.chosen)) state.chosen = state.wanted.requests.at(-1)?.finding ?? null;
    requests.show(state.hidden ? [] : state.wanted.requests, state.chosen);
    sweep.show();
    quiz.show(state.wanted.quiz, state.shown?.key === filmKey(state.wanted) ? state.wanted.seal : null);
    part("sim-order").hidden = state.hidden || Boolean(state.wanted.quiz);
    part("sim-quiz").setAttribute("aria-pressed", String(Boolean(state.wanted.quiz)));
    for (const radio of room.querySelectorAll("[name=sim-center]")) radio.checked = radio.value === state.wanted.center;
    const seed = part("sim-seed");
    if (document.activeElement !== seed) seed.value = state.wanted.seed;
  }

  async function showPreview({ stage, image, checksum, masks }, order, isLatest) {
    if (stage !== "preview" || !state.shown) return;
    const pixels = enlarge(await unpackFilm(image, checksum), state.shown.pixels.width);
    if (!isLatest()) return; // the film itself came first
    films.showHeat(null);
    films.show({ film: state.shown.film, pixels, masks }, "film", state.chosen);
  }

  function askFilm(order) {
    return (order.question ? server.quiz_film : order.seal ? server.simulated_hidden : server.simulated_film)(order);
  }

  async function takeFilm(answer, order, isLatest) {
    if (!["film", "hidden"].includes(answer.stage)) return showFilmRefusal(answer);
    const pixels = await unpackFilm(answer.film.image, answer.film.checksum);
    if (!isLatest()) return;
    preview.forget();
    if (answer.stage === "hidden") state.wanted = hiddenState({ ...state.wanted, seal: answer.seal });
    else state.wanted = { ...state.wanted, requests: requestsForServer(answer.requests) };
    writeAddress();
    const { film, masks = [], address = "", case: name = "" } = answer;
    state.shown = { key: filmKey(state.wanted), film, pixels, masks, address, name };
    readings.clear();
    part("sim-refusal").hidden = true;
    requestFullSize();
    part("sim-patient").textContent = patientText(answer);
    part("made-times").textContent = !(answer.render_ms >= 1) ? "" : "render " + Math.round(answer.render_ms) + " ms";
    showControls();
    requestReadings();
    draw();
  }

  async function takeTwin(answer, order, isLatest) {
    if (answer.stage !== "film") return showWithoutTwin(answer);
    const pixels = await unpackFilm(answer.film.image, answer.film.checksum);
    if (!isLatest()) return;
    state.twin = { key: patientKey(order), film: answer.film, pixels };
    films.lightbox.now.showReadoutWords("");
    draw();
    requestReadings();
  }

  // The film can be shown and read without its twin. A visitor who asks for the twin starts another attempt.
  function showWithoutTwin(refusal) {
    twins.forget();
    films.lightbox.now.showReadoutWords("The twin could not be drawn. " + refusalWords(refusal));
    requestBoth();
  }

  function showFilmRefusal(refusal) {
    state.shown = null;
    room.dataset.state = "refused";
    room.removeAttribute("aria-busy");
    showRefusal(part("sim-refusal"), refusal);
    part("sim-refusal").hidden = false;
    part("sim-patient").textContent = "";
    readingView.showWaiting("");
  }

  // The address follows, so that a link reproduces the view.
  function show(view, masks = showsMasks(state.wanted), how = shownBeside(state.wanted)) {
    if (state.hidden) return films.lightbox.now.showReadoutWords("Reveal the film first (H): the twin would show what is there.");
    state.wanted = { ...state.wanted, show: showWordsFor(view, masks, how) };
    writeAddress();
    draw();
    if (view === viewOnShow()) return;
    films.lightbox.now.showReadoutWords("The twin is not ready yet: it is shown as soon as it is.");
    requestTwin();
  }

  const twinThere = () => state.twin?.key === patientKey(state.wanted);

  // The wanted view: the twin may still be on its way.
  const viewOnShow = () => (twinThere() ? shownView(state.wanted) : "film");

  // Readings

  // Request what is neither here nor running: the twin first, because the models read both.
  function requestReadings() {
    if (state.hidden) return;
    if (twinThere()) requestBoth();
    else requestTwin();
  }

  function requestTwin() {
    if (state.shown && !state.hidden && !twins.wanted) twins.request(filmOrder(state.wanted));
  }

  // Wait for a running film: its random choices are not known yet.
  function requestBoth() {
    if (state.shown?.key === filmKey(state.wanted) && !state.hidden) readings.request(filmOrder(state.wanted));
  }

  async function showProgress() {
    const waits = () => state.shown && !state.hidden && !readings.isComplete;
    if (waits() && (await readings.areLoading()) && waits()) readingView.show(readings.distinctReadings, state.chosen, state.mapped, "Waiting for the models, which takes a few seconds after a start.");
  }
  setInterval(() => isInFront(room) && showProgress(), 1500);
  bindIsolation(part("sim-requests"), (finding) => films.lightbox.now.masks.isolate(finding));

  // Draw everything that follows from the state.
  function draw() {
    if (!state.shown) return;
    const view = viewOnShow();
    const { film, pixels } = view === "twin" ? state.twin : state.shown;
    const seen = view === "difference" ? subtractTwin(state.shown.pixels, state.twin.pixels) : pixels;
    films.show({ film, pixels: seen, masks: state.shown.masks }, view, state.chosen); // on the twin: where the finding would be
    films.lightbox.setMasks(showsMasks(state.wanted));
    addMaskDots(part("sim-requests"), state.hidden ? [] : state.shown.masks);
    films.lightbox.hideOpinion(state.hidden);
    const how = state.hidden ? "" : shownBeside(state.wanted);
    besideChoice.show(how);
    beside.show(filmOrder(state.wanted), how, state.chosen);
    showHeat(view);
    const waits = readings.isComplete ? "" : "Reading the film and its twin.";
    if (state.hidden) readingView.showCovered(!state.wanted.quiz);
    else readingView.show(readings.distinctReadings, state.chosen, state.mapped, waits, beside.descriptionLines);
    waysOn.hide(state.hidden);
    room.dataset.hidden = String(state.hidden);
    const { modelNames: models } = readings;
    part("made-model").textContent = models.length ? "read by " + models.join(", ") : "SIMULATED, not a patient";
    present.refresh();
  }

  function showHeat(view) {
    const heat = selectHeat(readings.byModel, { chosen: state.chosen, model: state.model, view });
    state.mapped = heat?.model ?? state.model;
    if (!heat) return films.showHeat(null);
    films.showHeat(heat.opinion, heat.place, heat.why);
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
  function keepOnlyFilm() {
    for (const each of [preview, twins, readings]) each.forget();
    readings.clear();
    films.showHeat(null);
    part("sim-patient").textContent = part("sim-seed").value = "";
    requests.show([], null);
  }

  function anotherPatient() {
    if (state.wanted.quiz || state.hidden) return cover.nextFilm();
    const [first, last] = data.own_seeds;
    change({ seed: first + Math.floor(Math.random() * (last + 1 - first)) });
  }

  part("sim-quiz").addEventListener("click", () => cover.setQuiz(state.wanted.quiz ? null : { question: { kind: "findings", finding: null }, normals: DEFAULT_NORMALS }));
  part("sim-another").addEventListener("click", anotherPatient);
  part("sim-order").addEventListener("submit", (event) => event.preventDefault());
  part("sim-seed").addEventListener("change", ({ target }) => target.value !== "" && change({ seed: Number(target.value) }));
  part("sim-centers").addEventListener("change", ({ target }) => change({ center: target.value }));
  part("lessons-list").addEventListener("click", () => (part("lessons").open = false));
  bindBlink(() => shownView(state.wanted) === "twin" && isInFront(room), () => show("film"));
  addEventListener("popstate", () => isSimulateAddress(location.hash) && goTo(readSimulateAddress(location.hash)));
  goTo(state.wanted);
}
