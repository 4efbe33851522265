// The Read tab: which films hang, how far each has come, and what panel and lightbox show of them.
// `element`, `trigger`, `props`, `server`, `upload` and `watch` come from Gradio. All text goes in as text nodes.

const room = element.querySelector(".room");
const films = {}; // by slot: {name, token, place, stage, film, opinion, chosen, refusal}
const GONE = { stage: "unscored", title: "The film is no longer here", detail: "Films are kept for 30 minutes. Open it again." };
const LOST = { stage: "unscored", title: "Tailscope does not answer", detail: "See whether it is still running, then open the film again." };
let hideOpinion = false; // now
let filmFirst = false; // and again with every new film
let coming = ""; // name of the film that is being opened

const lightbox = new Lightbox(room.querySelector(".film-side"), {
  step,
  toggleOpinion: () => setHidden(!hideOpinion),
  activated: refresh,
  closed: takeDown,
  addSecond: () => intake.pick("b"),
});
const panel = new Panel(room, {
  choose,
  save,
  activate: (slot) => lightbox.activate(slot),
  anyway: () => read(lightbox.active, server.anyway),
  amend,
  reveal: () => setHidden(false),
});
const intake = new Intake(room, { opening, opened, failed, slotFor: () => lightbox.active, placeFor });

const now = () => films[lightbox.active];

function opening(slot, name) {
  coming = name;
  panel.note("");
  if (films[slot]) return panel.say("Opening the film");
  if (slot === "b") return panel.note("Opening the second film");
  room.dataset.state = "opening";
  panel.say("Opening the film");
}

// What hangs already stays: a file that cannot be opened is no reason to lose a film.
function failed(slot, title, detail) {
  if (!films.a) {
    room.dataset.state = "refused";
    return panel.say(title, detail);
  }
  refresh();
  panel.note(title + ". " + detail);
}

// The server keeps a visitor's films in two places; a new film takes the one that the film staying beside it has not.
function placeFor(slot) {
  const beside = films[slot === "a" ? "b" : "a"];
  return beside?.place === "a" ? "b" : "a";
}

async function opened(slot, token, place) {
  const item = { name: coming, token, place, stage: "opening" };
  const film = await ask(server.film, token);
  if (!film || film.stage) return failed(slot, film ? film.title : GONE.title, film ? film.detail : GONE.detail);
  films[slot] = item;
  panel.note("");
  await hang(slot, item, film);
}

// Show a film and have it read.
async function hang(slot, item, film) {
  const start = performance.now();
  if (filmFirst) hideOpinion = true;
  lightbox.hideOpinion(hideOpinion);
  item.film = film;
  item.opinion = item.refusal = undefined;
  await lightbox.show(slot, film);
  film.draw_ms = performance.now() - start;
  if (films[slot] !== item) return;
  if (lightbox.active !== slot) lightbox.activate(slot);
  await read(slot, server.opinion);
}

async function read(slot, question) {
  const item = films[slot];
  item.stage = "scoring";
  refresh();
  const timer = setInterval(() => tellProgress(slot, item), 400);
  const answer = (await ask(question, item.token)) || GONE;
  clearInterval(timer);
  if (films[slot] !== item) return;
  item.stage = answer.stage === "opinion" ? "read" : answer.stage;
  if (item.stage === "read") item.opinion = { ...answer, values: decodeMaps(answer.maps) };
  else item.refusal = answer;
  refresh();
}

// A call to the server; an answer that never comes is an answer too.
async function ask(question, argument) {
  try {
    return await question(argument);
  } catch {
    return LOST;
  }
}

async function tellProgress(slot, item) {
  const answer = await ask(server.progress, item.token);
  if (films[slot] !== item || item.stage !== "scoring" || now() !== item) return;
  if (answer.loading) panel.say("Waiting for the model", "It is being loaded, which takes some seconds after a start.");
  else if (answer.ahead) panel.say("Waiting for the model", plural(answer.ahead, "film") + " before this one.");
}

// Everything that follows from the state of the film that is active.
function refresh() {
  const item = now();
  panel.names(films, lightbox.active);
  panel.clear();
  room.dataset.state = item ? item.stage : "empty";
  if (!item) return panel.say("");
  if (item.film) panel.film(item);
  if (item.stage === "scoring") panel.say("Scoring the findings");
  else if (item.stage === "unscored") panel.say(item.refusal.title, item.refusal.detail);
  else if (item.stage === "refused") panel.refused(item.refusal.verdict);
  else if (item.stage === "read" && hideOpinion) panel.hidden();
  else if (item.stage === "read") showOpinion(item);
  if (item.stage !== "read") lightbox.clearHeat(lightbox.active);
  showFilmFirst();
}

function showOpinion(item) {
  panel.opinion(item, scoresBeside());
  choose(item.chosen ?? panel.findings.order[0]);
}

// What the model says of the film that hangs beside, a prior perhaps: to be set beside the scores of this one.
function scoresBeside() {
  const opinion = films[lightbox.active === "a" ? "b" : "a"]?.opinion;
  return Object.fromEntries((opinion?.rows ?? []).map((row) => [row.finding, row.score]));
}

function choose(index) {
  const [slot, item] = [lightbox.active, now()];
  item.chosen = index;
  panel.chosen(item);
  const { finding, above } = item.opinion.rows[index];
  const map = () => lightbox.heat(slot, item.opinion, index);
  if (above === true) map();
  else if (above === null) lightbox.noHeat(slot, "No threshold is known for " + finding + ".", "Show the map", map);
  else {
    const words = "No evidence to localize: " + finding + " is below its threshold.";
    lightbox.noHeat(slot, words, "Show the map anyway", map);
  }
}

function step(delta) {
  const item = now();
  if (item?.stage !== "read" || hideOpinion) return;
  const { order } = panel.findings;
  const place = order.indexOf(item.chosen) + delta;
  choose(order[Math.min(order.length - 1, Math.max(0, place))]);
}

function setHidden(hidden) {
  hideOpinion = hidden;
  if (hidden) filmFirst = true;
  lightbox.hideOpinion(hidden);
  refresh();
}

function showFilmFirst() {
  for (const box of room.querySelectorAll(".film-first input")) box.checked = filmFirst;
}

async function amend(remedy) {
  const [slot, item] = [lightbox.active, now()];
  panel.say("Changing the film");
  const film = (await ask(server.amend, { token: item.token, remedy })) || GONE;
  if (films[slot] !== item) return;
  if (!film.stage) return hang(slot, item, film);
  Object.assign(item, { stage: film.stage, refusal: film });
  refresh();
}

function takeDown(slot) {
  ask(server.put_away, films[slot].token);
  const left = films[slot === "a" ? "b" : "a"];
  delete films.b;
  lightbox.clear("b");
  films.a = left;
  if (slot === "a") lightbox.show("a", left.film).then(refresh);
  refresh();
}

async function save(kind) {
  const item = now();
  if (kind === "png") return savePicture(item);
  const answer = await ask(server.export, { token: item.token, kind });
  if (!answer?.text) return panel.note((answer || GONE).title + ". " + (answer || GONE).detail);
  download(new Blob([answer.text], { type: answer.type }), fileName(item, kind));
}

async function savePicture(item) {
  const slot = lightbox.active;
  const hasText = await ask(server.text, item.token); // where nobody answers, better ask once too often
  if (!(await mayLeave(room.querySelector(".burned-in"), hasText !== false))) return;
  const canvas = lightbox.picture(slot, caption(item));
  canvas.toBlob((blob) => download(blob, fileName(item, "png")));
}

room.addEventListener("change", (event) => {
  if (!event.target.closest(".film-first")) return;
  filmFirst = event.target.checked;
  showFilmFirst();
});
document.addEventListener("tailscope-failed", () => {
  intake.fail("The film could not be read", "The terminal that Tailscope runs in says why. Open the film again.");
});
watch("value", () => intake.answer(props.value));
