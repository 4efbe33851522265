// The Simulate tab: a film of the phantom as it is asked for. Its state is the address: center, patient, findings.
// All text goes in as text nodes.

import { AddFilm } from "../shared/add_film.js";
import { DOT } from "../shared/figures.js";
import { presentKept } from "../shared/present_address.js";
import { SendToTab } from "../shared/send_to_tab.js";
import { inFront } from "../viewer/keys.js";
import { dotRows, isolateFrom } from "../viewer/mask_key.js";
import { unpackFilm } from "../viewer/packed.js";
import { SimAnswer } from "./answer.js";
import { copyLink } from "./copy_link.js";
import { SimFilms, bindBlink, difference, enlarged } from "./films.js";
import { Newest } from "./newest.js";
import { presentSimulated } from "./sim_present.js";
import { Readings } from "./readings.js";
import { Requests } from "./requests.js";
import { heatShown } from "./shown_heat.js";
import { addressOf, filmKey, isSimulate, masksOf, orderOf, patientKey, readState, showing, viewOf } from "./state.js";

export function mount({ element, trigger, props, server, watch, data }) {
  const room = element.querySelector(".room");
  const part = (name) => room.querySelector("." + name);
  const SETTLED = 160; // ms without a movement after which the film is made at full size

  const state = {
    wanted: readState(location.hash),
    shown: null, // the film on show: {key, film, pixels, masks, address, name}
    twin: null, // of the same patient: {key, film, pixels}
    chosen: null, // a finding of the film
    model: "classifier", // whose map is shown
    hidden: false,
    settling: 0, // a timer: the film is made at full size when it ends
  };

  const films = new SimFilms(room.querySelector(".film-side"), {
    step,
    toggleOpinion: () => setHidden(!state.hidden),
    turn: (to) => show(viewOf(state.wanted) === to ? "film" : to),
    toggleMasks: () => show(viewOf(state.wanted), !masksOf(state.wanted)),
    another: anotherPatient,
    present: () => present.toggle(),
  });
  const present = presentSimulated({ room, films, state, readings: () => readings, another: anotherPatient, setHidden });
  const requests = new Requests(room, data, { change: (next, moving) => change({ requests: next }, moving), choose, add });
  const answer = new SimAnswer(part("sim-answer"), { choose });
  const preview = new Newest(server.simulated_preview, showPreview);
  const full = new Newest(server.simulated_film, takeFilm);
  const twins = new Newest(server.simulated_twin, takeTwin);
  const readings = new Readings(server, { isShown: (order) => filmKey(order) === state.shown?.key, arrived: draw });

  // The state

  // `moving`: a slider is held; the film follows at low size, and no step is written into the history.
  // A film that moves is looked at itself, and so is another patient.
  function change(changes, moving = false) {
    const before = state.wanted;
    state.wanted = { ...state.wanted, ...changes };
    if (moving || patientKey(state.wanted) !== patientKey(before)) state.wanted.show = showing("film", masksOf(state.wanted));
    if (isSimulate(location.hash)) history[moving || filmKey(state.wanted) === filmKey(before) ? "replaceState" : "pushState"](null, "", presentKept(addressOf(state.wanted)));
    follow(moving);
  }

  function go(next) {
    state.wanted = next;
    part("sim-seed").value = state.wanted.seed; // also where it has the focus
    follow(false);
  }

  // Make what the state says.
  function follow(moving) {
    showControls();
    clearTimeout(state.settling);
    if (twins.wanted && patientKey(twins.wanted) !== patientKey(state.wanted)) twins.forget();
    if (filmKey(state.wanted) === state.shown?.key) return stay();
    room.dataset.state = "rendering";
    room.setAttribute("aria-busy", "true");
    full.forget();
    readings.forget();
    if (moving) preview.want(orderOf(state.wanted));
    state.settling = setTimeout(() => full.want(orderOf(state.wanted)), moving ? SETTLED : 0);
  }

  // The film on show is the one that is wanted (again): what another was asked for is of no use any more.
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
  }

  function showControls() {
    if (!state.wanted.requests.some(({ finding }) => finding === state.chosen)) state.chosen = state.wanted.requests.at(-1)?.finding ?? null;
    requests.show(state.wanted.requests, state.chosen);
    for (const radio of room.querySelectorAll("[name=sim-center]")) radio.checked = radio.value === state.wanted.center;
    const seed = part("sim-seed");
    if (document.activeElement !== seed) seed.value = state.wanted.seed;
  }

  // Films

  async function showPreview({ stage, image, checksum, masks }, order, isLatest) {
    if (stage !== "preview" || !state.shown) return;
    const pixels = enlarged(await unpackFilm(image, checksum), state.shown.pixels.width);
    if (!isLatest()) return; // the film itself came first
    films.heat(null);
    films.show({ film: state.shown.film, pixels, masks }, "film", state.chosen);
  }

  async function takeFilm(answered, order, isLatest) {
    if (answered.stage !== "film") return refused(answered);
    const pixels = await unpackFilm(answered.film.image, answered.film.checksum);
    if (!isLatest()) return;
    preview.forget();
    state.wanted = { ...state.wanted, requests: answered.requests.map((each) => ({ ...each, side: each.side || null })) };
    if (isSimulate(location.hash)) history.replaceState(null, "", presentKept(addressOf(state.wanted)));
    const { film, masks, address, case: name } = answered;
    state.shown = { key: filmKey(state.wanted), film, pixels, masks, address, name };
    readings.clear();
    part("sim-refusal").hidden = true;
    settled();
    part("sim-patient").textContent = patientWords(answered);
    part("made-times").textContent = answered.render_ms < 1 ? "" : "render " + Math.round(answered.render_ms) + " ms";
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

  // The film stands without it, and is read. Whoever wants to see the twin has it tried again.
  function withoutTwin({ title, detail }) {
    twins.forget();
    films.lightbox.now.say("The twin could not be drawn. " + title + ". " + detail);
    readBoth();
  }

  function refused({ title, detail }) {
    state.shown = null;
    room.dataset.state = "refused";
    room.removeAttribute("aria-busy");
    part("sim-refusal").textContent = title + ". " + detail;
    part("sim-refusal").hidden = false;
    part("sim-patient").textContent = "";
    answer.wait("");
  }

  // The address follows, so that a link is what one sees.
  function show(view, masks = masksOf(state.wanted)) {
    state.wanted = { ...state.wanted, show: showing(view, masks) };
    if (isSimulate(location.hash)) history.replaceState(null, "", presentKept(addressOf(state.wanted)));
    draw();
    if (view === viewOnShow()) return;
    films.lightbox.now.say("The twin is not ready yet: it is shown as soon as it is.");
    wantTwin();
  }

  const twinThere = () => state.twin?.key === patientKey(state.wanted);

  // Of what is wanted: the twin may still be on its way.
  const viewOnShow = () => (twinThere() ? viewOf(state.wanted) : "film");

  // What the models say

  // What is not there yet and not on its way: the twin first, for the models read both.
  function readOn() {
    if (twinThere()) readBoth();
    else wantTwin();
  }

  function wantTwin() {
    if (state.shown && !twins.wanted) twins.want(orderOf(state.wanted));
  }

  // Not while another film is on its way: what is drawn by the seed is not known of it yet.
  function readBoth() {
    if (state.shown?.key !== filmKey(state.wanted)) return;
    readings.want(orderOf(state.wanted));
  }

  async function tellProgress() {
    const waits = () => state.shown && !state.hidden && !readings.complete;
    if (waits() && (await readings.areLoading()) && waits()) answer.show(readings.shown, state.chosen, state.model, "Waiting for the models, which takes a few seconds after a start.");
  }
  setInterval(() => inFront(room) && tellProgress(), 1500);
  isolateFrom(part("sim-requests"), (finding) => films.lightbox.now.masks.isolate(finding));

  // Everything that follows from what is there.
  function draw() {
    if (!state.shown) return;
    drawFilm();
    present.refresh();
  }

  function drawFilm() {
    const view = viewOnShow();
    const { film, pixels } = view === "twin" ? state.twin : state.shown;
    const seen = view === "difference" ? difference(state.shown.pixels, state.twin.pixels) : pixels;
    films.show({ film, pixels: seen, masks: state.shown.masks }, view, state.chosen); // on the twin: where the finding would be
    films.lightbox.setMasks(masksOf(state.wanted));
    dotRows(part("sim-requests"), state.hidden ? [] : state.shown.masks);
    films.lightbox.hideOpinion(state.hidden);
    showHeat(view);
    const waits = readings.complete ? "" : "Reading the film and its twin.";
    if (state.hidden) answer.wait("Findings and scores are hidden. Look at the film first.");
    else answer.show(readings.shown, state.chosen, state.model, waits);
    room.dataset.hidden = String(state.hidden);
    const { models } = readings;
    part("made-model").textContent = models.length ? "read by " + models.join(", ") : "SIMULATED, not a patient";
  }

  function showHeat(view) {
    const shown = heatShown(readings.said, { chosen: state.chosen, model: state.model, view });
    if (!shown) return films.heat(null);
    state.model = shown.model;
    films.heat(shown.opinion, shown.place, shown.why);
  }

  function choose(finding, by = state.model) {
    state.chosen = finding;
    state.model = by;
    requests.show(state.wanted.requests, state.chosen);
    draw();
  }

  // Side and severity are drawn from the seed.
  function add(finding) {
    state.chosen = finding;
    change({ requests: [...state.wanted.requests, { finding, side: null, severity: null }] });
  }

  function step(delta) {
    const findings = state.wanted.requests.map(({ finding }) => finding);
    const next = findings[findings.indexOf(state.chosen) + delta];
    if (next && !state.hidden) choose(next);
  }

  function setHidden(now) {
    state.hidden = now;
    draw();
  }

  function anotherPatient() {
    const [first, last] = data.own_seeds;
    change({ seed: first + Math.floor(Math.random() * (last + 1 - first)) });
  }

  // The film is shown in Read and Ask too, where the full list is: opened by its address, as a sample is.
  const say = (words) => (part("sim-said").textContent = words);
  const toTab = new SendToTab({ order: (what) => trigger("sample", what), say });
  const open = (tab) => state.shown && toTab.open(tab, state.shown.name + " (simulated)", { key: state.shown.address });

  part("sim-read").addEventListener("click", () => open("read"));
  part("sim-ask").addEventListener("click", () => open("ask"));
  const addFilm = new AddFilm({ call: (question, sent) => server[question](sent).catch(() => undefined), question: "simulated_to_playlist" });
  part("sim-add-film").addEventListener("click", () => {
    const findings = state.wanted.requests.map(({ finding }) => finding);
    const order = orderOf(state.wanted);
    addFilm.open({ words: "this film", sent: () => ({ order }), findings: findings.length ? findings : Object.keys(data.known), pairs: findings });
  });
  part("sim-another").addEventListener("click", anotherPatient);
  part("sim-copy").addEventListener("click", (event) => copyLink(event.currentTarget, say));
  part("sim-order").addEventListener("submit", (event) => event.preventDefault());
  part("sim-seed").addEventListener("change", ({ target }) => target.value !== "" && change({ seed: Number(target.value) }));
  part("sim-centers").addEventListener("change", ({ target }) => change({ center: target.value }));
  part("lessons-list").addEventListener("click", () => (part("lessons").open = false));
  bindBlink(() => viewOf(state.wanted) === "twin" && inFront(room), () => show("film"));
  addEventListener("popstate", () => isSimulate(location.hash) && go(readState(location.hash)));
  const arrive = () => toTab.answer(props.value ?? {});
  watch("value", arrive);
  arrive(); // it may have come before this script
  go(state.wanted);
}

function patientWords({ case: name, patient: { sex, age, view: seen, trained } }) {
  return [name, sex + ", " + age + " y", seen, ...(trained ? ["in-sample: a patient of the training films"] : [])].join(DOT);
}
