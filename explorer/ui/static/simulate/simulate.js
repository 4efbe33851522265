// The Simulate tab: a film of the phantom as it is asked for. Its state is the address: center, patient, findings.
// `element`, `trigger`, `props`, `server` and `watch` come from Gradio. All text goes in as text nodes.

const room = element.querySelector(".room");
const part = (name) => room.querySelector("." + name);
const SETTLED = 160; // ms without a movement after which the film is made at full size

let state = readState(location.hash);
let shown = null; // the film on show: {key, film, pixels, masks, address, name}
let twin = null; // of the same patient: {key, film, pixels}
let said = {}; // of the film on show: {classifier, text}
let chosen = null; // a finding of the film
let model = "classifier"; // whose map is shown
let hidden = false;
let settling = 0;

const films = new SimFilms(room.querySelector(".film-side"), {
  step,
  toggleOpinion: () => setHidden(!hidden),
  turn: (to) => show(viewOf(state) === to ? "film" : to),
  toggleMasks: () => show(viewOf(state), !masksOf(state)),
  another: anotherPatient,
});
const requests = new Requests(room, { change: (next, moving) => change({ requests: next }, moving), choose, add });
const answer = new SimAnswer(part("sim-answer"), { choose });
const preview = new Newest(server.simulated_preview, showPreview);
const full = new Newest(server.simulated_film, takeFilm);
const twins = new Newest(server.simulated_twin, takeTwin);
const classifier = new Newest(server.simulated_classifier, (answered, order) => takeSaid("classifier", answered, order));
const textModel = new Newest(server.simulated_text_model, (answered, order) => takeSaid("text", answered, order));

// The state

// `moving`: a slider is held; the film follows at low size, and no step is written into the history.
// A film that moves is looked at itself, and so is another patient.
function change(changes, moving = false) {
  const before = state;
  state = { ...state, ...changes };
  if (moving || patientKey(state) !== patientKey(before)) state.show = showing("film", masksOf(state));
  if (isSimulate(location.hash)) history[moving || filmKey(state) === filmKey(before) ? "replaceState" : "pushState"](null, "", addressOf(state));
  follow(moving);
}

function go(next) {
  state = next;
  part("sim-seed").value = state.seed; // also where it has the focus
  follow(false);
}

// Make what the state says.
function follow(moving) {
  showControls();
  clearTimeout(settling);
  if (twins.wanted && patientKey(twins.wanted) !== patientKey(state)) twins.forget();
  if (filmKey(state) === shown?.key) return stay();
  room.dataset.state = "rendering";
  room.setAttribute("aria-busy", "true");
  for (const asked of [full, classifier, textModel]) asked.forget();
  if (moving) preview.want(orderOf(state));
  settling = setTimeout(() => full.want(orderOf(state)), moving ? SETTLED : 0);
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
  if (!state.requests.some(({ finding }) => finding === chosen)) chosen = state.requests.at(-1)?.finding ?? null;
  requests.show(state.requests, chosen);
  for (const radio of room.querySelectorAll("[name=sim-center]")) radio.checked = radio.value === state.center;
  const seed = part("sim-seed");
  if (document.activeElement !== seed) seed.value = state.seed;
}

// Films

async function showPreview({ stage, image, checksum, masks }, order) {
  if (stage !== "preview" || !shown) return;
  const pixels = enlarged(await unpackFilm(image, checksum), shown.pixels.width);
  if (order !== preview.wanted) return; // the film itself came first
  films.heat(null);
  films.show({ film: shown.film, pixels, masks }, "film", chosen);
}

async function takeFilm(answered, order) {
  if (answered.stage !== "film") return refused(answered);
  const pixels = await unpackFilm(answered.film.image, answered.film.checksum);
  if (order !== full.wanted) return;
  preview.forget();
  state = { ...state, requests: answered.requests.map((each) => ({ ...each, side: each.side || null })) };
  if (isSimulate(location.hash)) history.replaceState(null, "", addressOf(state));
  const { film, masks, address, case: name } = answered;
  shown = { key: filmKey(state), film, pixels, masks, address, name };
  said = {};
  part("sim-refusal").hidden = true;
  settled();
  part("sim-patient").textContent = patientWords(answered);
  part("made-times").textContent = answered.render_ms < 1 ? "" : "render " + Math.round(answered.render_ms) + " ms";
  showControls();
  readOn();
  draw();
}

async function takeTwin(answered, order) {
  if (answered.stage !== "film") return withoutTwin(answered);
  const pixels = await unpackFilm(answered.film.image, answered.film.checksum);
  if (order !== twins.wanted) return;
  twin = { key: patientKey(order), film: answered.film, pixels };
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
  shown = null;
  room.dataset.state = "refused";
  room.removeAttribute("aria-busy");
  part("sim-refusal").textContent = title + ". " + detail;
  part("sim-refusal").hidden = false;
  part("sim-patient").textContent = "";
  answer.wait("");
}

// The address follows, so that a link is what one sees.
function show(view, masks = masksOf(state)) {
  state = { ...state, show: showing(view, masks) };
  if (isSimulate(location.hash)) history.replaceState(null, "", addressOf(state));
  draw();
  if (view === viewOnShow()) return;
  films.lightbox.now.say("The twin is not ready yet: it is shown when it is.");
  wantTwin();
}

const twinThere = () => twin?.key === patientKey(state);

// Of what is wanted: the twin may still be on its way.
const viewOnShow = () => (twinThere() ? viewOf(state) : "film");

// What the models say

// What is not there yet and not on its way: the twin first, for the models read both.
function readOn() {
  if (twinThere()) readBoth();
  else wantTwin();
}

function wantTwin() {
  if (shown && !twins.wanted) twins.want(orderOf(state));
}

// Not while another film is on its way: what is drawn by the seed is not known of it yet.
function readBoth() {
  if (shown?.key !== filmKey(state)) return;
  if (!said.classifier && !classifier.wanted) classifier.want(orderOf(state));
  if (!said.text && !textModel.wanted) textModel.want(orderOf(state));
}

function takeSaid(name, answered, order) {
  if (filmKey(order) !== shown?.key) return;
  said[name] = answered;
  if (answered.heat) {
    answered.heat.values = { film: decodeMaps(answered.heat.maps), twin: decodeMaps(answered.heat.twin) };
  }
  draw();
}

// Two refusals for the same reason are told once.
function answersShown() {
  const { classifier: first, text: second } = said;
  const same = first && second && first.stage !== "said" && second.stage !== "said";
  return same ? { classifier: first } : said;
}

async function tellProgress() {
  const waits = () => shown && !hidden && !(said.classifier && said.text);
  if (!waits()) return;
  const { loading } = (await call(server.simulated_progress, null)) ?? {};
  if (loading && waits()) answer.show(answersShown(), chosen, model, "Waiting for the models, which takes some seconds after a start.");
}
setInterval(() => inFront(room) && tellProgress(), 1500);

// Everything that follows from what is there.
function draw() {
  if (!shown) return;
  const view = viewOnShow();
  const { film, pixels } = view === "twin" ? twin : shown;
  const seen = view === "difference" ? difference(shown.pixels, twin.pixels) : pixels;
  films.show({ film, pixels: seen, masks: shown.masks }, view, chosen); // on the twin: where the finding would be
  films.lightbox.setMasks(masksOf(state));
  films.lightbox.hideOpinion(hidden);
  showHeat(view);
  const waits = said.classifier && said.text ? "" : "Reading the film and its twin.";
  if (hidden) answer.wait("Findings and scores are hidden. Look at the film first.");
  else answer.show(answersShown(), chosen, model, waits);
  room.dataset.hidden = String(hidden);
  const made = [said.classifier, said.text].filter((each) => each?.stage === "said").map(({ model: { name } }) => name);
  part("made-model").textContent = made.length ? "read by " + made.join(", ") : "SIMULATED, not a patient";
}

// The map of the chosen finding by the model chosen, or by the other one where that does not know it.
function showHeat(view) {
  const names = model === "text" ? ["text", "classifier"] : ["classifier", "text"];
  const name = names.find((each) => said[each]?.heat?.findings.includes(chosen));
  const heat = said[name]?.heat;
  if (!heat || view === "difference") return films.heat(null);
  model = name;
  const row = said[name].rows.find(({ finding }) => finding === chosen);
  const rows = heat.findings.map((finding) => ({ finding, score: view === "twin" ? row.twin.score : row.score }));
  const unit = name === "text" ? { unit: "margin", digits: MARGIN_DIGITS } : {};
  films.heat({ ...heat, values: heat.values[view], rows, ...unit }, heat.findings.indexOf(chosen), whyNoMapOf(row, view));
}

function choose(finding, by = model) {
  chosen = finding;
  model = by;
  requests.show(state.requests, chosen);
  draw();
}

// Side and severity are drawn from the seed.
function add(finding) {
  chosen = finding;
  change({ requests: [...state.requests, { finding, side: null, severity: null }] });
}

function step(delta) {
  const findings = state.requests.map(({ finding }) => finding);
  const next = findings[findings.indexOf(chosen) + delta];
  if (next && !hidden) choose(next);
}

function setHidden(now) {
  hidden = now;
  draw();
}

function anotherPatient() {
  const [first, last] = OWN_SEEDS;
  change({ seed: first + Math.floor(Math.random() * (last + 1 - first)) });
}

// Going on

async function copyLink(button) {
  const words = (button.dataset.words ??= button.textContent);
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    part("sim-said").textContent = "The browser does not let pages copy: take the link from its address line.";
  }
  setTimeout(() => (button.textContent = words), 1500);
}

// The film hangs in Read and Ask too, where the full list is: opened by its address, as a sample is.
const onward = new Onward("sample", { say: (words) => (part("sim-said").textContent = words) });
const open = (tab) => shown && onward.open(tab, shown.name + " (simulated)", { key: shown.address });

part("sim-read").addEventListener("click", () => open("read"));
part("sim-ask").addEventListener("click", () => open("ask"));
part("sim-another").addEventListener("click", anotherPatient);
part("sim-copy").addEventListener("click", (event) => copyLink(event.currentTarget));
part("sim-order").addEventListener("submit", (event) => event.preventDefault());
part("sim-seed").addEventListener("change", ({ target }) => target.value !== "" && change({ seed: Number(target.value) }));
part("sim-centers").addEventListener("change", ({ target }) => change({ center: target.value }));
part("lessons-list").addEventListener("click", () => (part("lessons").open = false));
bindBlink(() => viewOf(state) === "twin" && inFront(room), () => show("film"));
addEventListener("popstate", () => isSimulate(location.hash) && go(readState(location.hash)));
watch("value", () => onward.answer(props.value ?? {}));
go(state);

function patientWords({ case: name, patient: { sex, age, view: seen, trained } }) {
  return [name, sex + ", " + age + " y", seen, ...(trained ? ["in-sample: a patient of the training films"] : [])].join(DOT);
}
