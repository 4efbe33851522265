// The Read tab: takes a file, follows what the server says of it, lets the visitor choose a finding.
// `element`, `trigger`, `props`, `server`, `upload` and `watch` come from Gradio. All text goes in as text nodes.

const DOT = "  \u00b7  ";
const room = element.querySelector(".room");
const part = (name) => room.querySelector("." + name);
const viewer = new Viewer(room);
const findings = new Findings(part("findings"), choose);
let film = null; // what stands around the film on show
let shown = null; // its token
let opinion = null; // rows and maps, once the model has read it
let asked = 0; // number of the latest request: an answer to an earlier one is not shown

function state(name) {
  room.dataset.state = name;
}

function say(title, detail) {
  part("word-title").textContent = title;
  part("word-detail").textContent = detail || "";
}

function busy(name) {
  asked += 1;
  part("file-name").textContent = name;
  state("opening");
  say("Opening the film", "");
  shown = opinion = null;
  forgetFindings();
}

function forgetFindings() {
  findings.clear();
  hideEvidence();
  part("doubt").textContent = "";
}

function refuse(title, detail) {
  film = shown = opinion = null;
  forgetFindings();
  viewer.clearHeat();
  part("facts").textContent = part("made-model").textContent = part("made-times").textContent = "";
  part("notes").replaceChildren();
  state("refused");
  say(title, detail);
}

// The model could not be had: the film stays.
function leaveUnscored(title, detail) {
  state("unscored");
  say(title, detail);
}

async function send(file) {
  if (room.dataset.state === "opening") return;
  busy(file.name);
  if (file.size > LIMIT) return refuse("The file is too large", "At most " + LIMIT / 2 ** 20 + " MB are read.");
  if (file.size === 0) return refuse("The file is empty", "Choose a file that holds a radiograph.");
  const request = asked;
  try {
    // A name of our own: file names often hold a patient's name, and two visitors may send the same file at once.
    const { path } = await upload(new File([file], crypto.randomUUID()));
    if (request === asked) trigger("uploaded", { path, request });
  } catch {
    refuse("The film could not be sent", "See whether Tailscope is still running, then open the film again.");
  }
}

function sample(button) {
  if (room.dataset.state === "opening") return;
  busy(button.querySelector("strong").textContent);
  trigger("sample", { key: button.dataset.sample, request: asked });
}

// What the server says arrives as a token; film and opinion are fetched with it, one after the other.
async function follow(message) {
  if (!message || isLate(message)) return;
  const { stage, token, title, detail } = message;
  if (stage === "refused") return token ? leaveUnscored(title, detail) : refuse(title, detail);
  try {
    if (stage === "film") await take(server.fetch_film, token, showFilm);
    else await take(server.fetch_opinion, token, showOpinion);
  } catch {
    refuse("The film could not be fetched", "See whether Tailscope is still running, then open the film again.");
  }
}

// Whether the message is about a film that the visitor has since replaced by another.
function isLate(message) {
  return message.request === undefined ? message.token !== shown : message.request !== asked;
}

async function take(fetch, token, show) {
  const request = asked;
  const answer = await fetch(token);
  if (request !== asked) return;
  if (answer) await show(answer, token);
  else refuse("The film is no longer kept", "Films are forgotten after half an hour. Open it again.");
}

async function showFilm(answer, token) {
  film = answer;
  shown = token;
  await viewer.show(film.image);
  const [height, width] = film.size;
  const view = film.view === "unknown" ? "view not stated" : film.view;
  part("facts").textContent = [view, width + " x " + height + " px", film.spacing].filter(Boolean).join(DOT);
  part("notes").replaceChildren(...film.notes.map((note) => make("li", "note", note)));
  part("made-model").textContent = "";
  part("made-times").textContent = times();
  state("scoring");
  say("Scoring the findings", "The first film waits until the model is loaded.");
}

function showOpinion(answer) {
  opinion = { ...answer, values: decodeMaps(answer.maps) };
  findings.show(opinion.rows);
  const { title, name, device } = opinion.model;
  const cells = "map of " + opinion.grid + " x " + opinion.grid + " cells over " + opinion.box.size + " px";
  part("made-model").textContent = [name + ": " + title, device, cells].join(DOT);
  part("made-times").textContent = times();
  state("read");
  summarize();
  choose(0);
}

function times() {
  const ms = (value) => Math.round(value) + " ms";
  return "decode " + ms(film.decode_ms) + (opinion ? "   scores + maps " + ms(opinion.explain_ms) : "");
}

function summarize() {
  // What a card warns of is listed and marked below, but not announced.
  const above = opinion.rows.filter((row) => row.above === true);
  const sound = above.filter((row) => !row.warning).map((row) => row.finding);
  if (sound.length) say(sound.join(", ") + " above threshold", "Scores of one model, not a diagnosis.");
  else if (above.length) say("Only doubtful findings above threshold", "Choose one to read why it is doubtful.");
  else say("No finding above its threshold", "That does not mean that the film is normal.");
}

function choose(index) {
  const row = opinion.rows[index];
  findings.mark(index);
  viewer.clearHeat();
  hideEvidence();
  const doubted = opinion.rows.some((each) => each.warning) ? "? doubtful: choose it to read why." : "";
  part("doubt").textContent = row.warning ? row.finding + ": " + row.warning : doubted;
  if (row.above === true) return viewer.showHeat(opinion, index);
  part("evidence-text").textContent =
    row.above === false
      ? "No evidence to localize: " + row.finding + " is below its threshold."
      : "No threshold is known for " + row.finding + ".";
  part("evidence").hidden = false;
  part("evidence-show").textContent = row.above === false ? "Show the map anyway" : "Show the map";
  part("evidence-show").onclick = () => {
    hideEvidence();
    viewer.showHeat(opinion, index);
  };
}

function hideEvidence() {
  part("evidence").hidden = true;
}

const picker = part("file-input");
picker.addEventListener("change", () => {
  if (picker.files.length) send(picker.files[0]);
  picker.value = "";
});
room.addEventListener("click", (event) => {
  if (event.target.closest(".choose")) picker.click();
  const button = event.target.closest(".sample");
  if (button) sample(button);
});

// Anywhere on the page: a file dropped beside the target would otherwise replace the page.
const carriesFile = (event) => event.dataTransfer && event.dataTransfer.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carriesFile(event)) return;
  event.preventDefault();
  room.classList.add("dragging");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) room.classList.remove("dragging");
});
document.addEventListener("drop", (event) => {
  room.classList.remove("dragging");
  if (!carriesFile(event)) return;
  event.preventDefault();
  if (event.dataTransfer.files.length) send(event.dataTransfer.files[0]);
});
document.addEventListener("tailscope-failed", () => {
  refuse("The film could not be read", "The terminal that Tailscope runs in says why. Open the film again.");
});

let following = Promise.resolve();
watch("value", () => {
  const message = props.value;
  following = following.then(() => follow(message));
});
