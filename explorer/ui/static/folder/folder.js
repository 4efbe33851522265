// Many films at once: sent, listed while they are read, each opened in Read like a film uploaded alone.

import { makePlaceLink } from "../shared/elements.js";
import { namedFiles } from "../shared/dropped_files.js";
import { download } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { openFilms } from "../shared/open_films.js";
import { refusalWords, showRefusal, showWithCommands } from "../shared/refusal.js";
import { SERVER_SILENT, callServer } from "../shared/server_calls.js";
import { FolderTable } from "./folder_table.js";
import { otherModelWords, progressText } from "./folder_words.js";
import { sendFiles } from "./sending.js";

const WHILE_READING = 1000; // ms between two updates while films are read
const AFTERWARDS = 60_000; // and afterwards: an open page keeps its folder

export function mount({ element, trigger, props, server, watch, upload, data }) {
  const section = element.querySelector(".folder");
  const part = (name) => section.querySelector(".folder-" + name);
  const findButton = (name) => section.querySelector("[data-way=" + name + "]");
  const state = { token: null, order: "arrival", page: 0, shown: null, view: "none", film: null, model: "", request: 0, waiting: {}, notes: [] };
  const table = new FolderTable(section, { open, sort, pictures: fetchPictures });
  let timer = 0;

  const ask = (question, sent) => callServer(question, sent);

  function setView(view) {
    state.view = section.dataset.view = view;
    section.hidden = view === "none";
    for (const name of ["back", "previous", "next"]) findButton(name).hidden = view !== "bar";
    for (const name of ["csv", "close"]) findButton(name).hidden = view !== "table";
    showModelChoice();
    showRunning();
    showOther();
  }

  function showRunning() {
    const running = Boolean(state.token) && (state.shown?.running ?? true);
    findButton("stop").hidden = !running || state.view !== "table";
    part("progress").hidden = !running;
    part("keep").hidden = running || !state.shown?.read || Boolean(state.shown.kept);
    findButton("explore").hidden = state.view !== "table" || !state.shown?.read;
    findButton("csv").disabled = !state.shown?.read && !state.shown?.not_read;
  }

  // *Read by* is above the table while the table covers Read's panel.
  function showModelChoice() {
    const { model, simulated } = state.shown ?? {};
    openFilms.keeper?.models.moveTo(state.view === "table" ? part("tools") : null, Boolean(simulated), state.model ? "" : model);
  }

  const chosenModel = () => openFilms.keeper?.models.first ?? "";

  // A note that the table is by another model than the one chosen in *Read by*, and a button to read again.
  function showOther() {
    const other = state.shown?.running === false && chosenModel() !== state.model;
    part("again").hidden = !other;
    if (!other) return;
    const { says, offers } = otherModelWords(state.shown.model, chosenModel());
    part("again").querySelector("span").textContent = says;
    findButton("again").textContent = offers;
  }

  // Send an event of the component; resolves to its answer.
  function sendEvent(event, order) {
    const request = (state.request += 1);
    return new Promise((settle) => {
      state.waiting[request] = settle;
      trigger(event, { ...order, request });
    });
  }

  function takeAnswer(message) {
    if (!message) return;
    state.waiting[message.request]?.(message);
    delete state.waiting[message.request];
  }

  async function beginFolder(coming) {
    const files = await coming;
    if (!files.length) return;
    clear();
    setView("table");
    part("said").textContent = "Sending " + countText(files.length, "file");
    const first = files.slice(0, data.files);
    state.model = chosenModel();
    const begun = await sendEvent("begun", { files: first.length, model: state.model });
    const { token } = begun;
    if (!token) return showNote(refusalWords(begun));
    state.token = token;
    if (files.length > first.length) showNote(countText(files.length - first.length, "file") + " more were not sent: at most " + countText(data.files, "file") + " are taken.");
    update();
    sendFiles(first, { token, server, upload, limit: data.limit, isOver: () => state.token !== token || state.shown?.running === false, say: showNote });
  }

  function clear() {
    clearTimeout(timer);
    Object.assign(state, { token: null, order: "arrival", page: 0, shown: null, film: null, link: "", notes: [] });
    table.clear();
    part("progress").removeAttribute("value");
    for (const name of ["note", "refused", "pages", "simulated", "again"]) part(name).hidden = true;
    part("kept").replaceChildren();
  }

  function showNote(words) {
    if (words && !state.notes.includes(words)) state.notes.push(words);
    showWithCommands(part("note"), [...state.notes, state.shown?.note].filter(Boolean).join(" "));
    part("note").hidden = !part("note").textContent;
  }

  // Show the folder as it is now, and again in a while.
  async function update() {
    clearTimeout(timer);
    const { token, order: wantedOrder, page } = state;
    if (!token) return;
    const shown = await ask(server.folder_shown, { token, order: wantedOrder, page });
    if (token !== state.token || wantedOrder !== state.order || page !== state.page) return;
    if (shown.stage === "shown") show(shown);
    else showNote(refusalWords(shown));
    if (shown.stage === "refused") return;
    timer = setTimeout(update, shown.stage === "shown" && !shown.running ? AFTERWARDS : WHILE_READING);
  }

  function show(shown) {
    if (state.link && !shown.running && (state.shown?.running ?? true)) updateExplore();
    state.shown = shown;
    state.page = shown.page;
    if (state.view === "table") part("said").textContent = progressText(shown);
    part("simulated").hidden = !shown.simulated;
    Object.assign(part("progress"), { max: Math.max(shown.expected, 1), value: shown.read + shown.not_read + shown.passed_over });
    part("pages").hidden = shown.pages < 2;
    part("page").textContent = "Page " + (shown.page + 1) + " of " + shown.pages;
    findButton("earlier").disabled = shown.page === 0;
    findButton("later").disabled = shown.page === shown.pages - 1;
    part("expect").textContent = shown.films.length ? shown.expect : "";
    table.show(shown);
    showModelChoice();
    showNote("");
    showRunning();
    showOther();
  }

  async function fetchPictures(films) {
    const answer = await ask(server.folder_pictures, { token: state.token, films });
    return answer.stage ? {} : answer;
  }

  async function sort(wanted) {
    Object.assign(state, { order: wanted, page: 0 });
    await update();
  }

  async function turnPage(pages) {
    state.page += pages;
    await update();
    section.querySelector(".folder-body").scrollTo(0, 0);
  }

  async function open(film, name) {
    const { token } = state;
    part("said").textContent = "Opening " + name;
    const opened = await sendEvent("wanted", { token, film });
    if (!opened.token) return showNote(refusalWords(opened));
    if (token !== state.token) return;
    state.film = film;
    table.mark(film);
    setView("bar");
    const refusal = await openFilms.keeper.showFilm("a", name, opened.token);
    showWithCommands(part("said"), refusal ? refusalWords(refusal) : positionText());
  }

  // The position of the open film in the table.
  function positionText() {
    const at = state.shown?.films.findIndex(({ number }) => number === state.film) ?? -1;
    return at < 0 ? "A file of the folder" : "Film " + (state.shown.page * state.shown.size + at + 1) + " of " + state.shown.read;
  }

  async function step(delta) {
    let films = state.shown.films;
    let at = films.findIndex(({ number }) => number === state.film) + delta;
    if (at < 0 || at >= films.length) {
      const page = state.page + Math.sign(delta);
      if (page < 0 || page >= state.shown.pages) return;
      await turnPage(Math.sign(delta));
      films = state.shown.films;
      at = delta < 0 ? films.length - 1 : 0;
    }
    if (films[at]) await open(films[at].number, films[at].name);
  }

  function backToTable() {
    setView("table");
    if (state.shown) part("said").textContent = progressText(state.shown);
    section.querySelector('tr[aria-current="true"] button')?.focus();
  }

  async function saveTable() {
    const saved = await ask(server.folder_table, state.token);
    if (saved.stage) return showNote(refusalWords(saved));
    download(new Blob([saved.text], { type: saved.type }), "tailscope_folder_" + (state.shown?.model || "none") + ".csv");
  }

  async function openInExplore() {
    const shown = await ask(server.folder_explore, state.token);
    if (shown.stage !== "link") return showNote(refusalWords(shown));
    location.hash = state.link = shown.link;
  }

  // Explore's copy of the folder is out of date once all films are read; it is updated on this request.
  async function updateExplore() {
    const shown = await ask(server.folder_explore, state.token);
    if (shown.stage === "link") document.dispatchEvent(new CustomEvent("tailscope-read-anew", { detail: shown.link }));
  }

  async function keepAsCohort(name, headers) {
    const kept = await ask(server.folder_keep, { token: state.token, name, headers });
    if (kept.stage !== "kept") return showRefusal(part("kept"), kept);
    const link = makePlaceLink("folder-link", "Open in Explore", kept.link);
    part("kept").replaceChildren(countText(kept.films, "film") + " kept as " + kept.name + ". ", link);
    update();
  }

  async function close() {
    const { token } = state;
    clear();
    setView("none");
    await ask(server.folder_close, token);
  }

  async function stop() {
    await ask(server.folder_stop, state.token);
    update();
  }

  async function readAgain() {
    const model = chosenModel();
    const answer = await ask(server.folder_again, { token: state.token, model });
    if (answer.stage !== "taken") return showNote(refusalWords(answer));
    Object.assign(state, { model, page: 0, order: "arrival", shown: null, notes: [] });
    part("kept").replaceChildren();
    part("again").hidden = true;
    table.clear();
    update();
  }

  const actions = { back: backToTable, again: readAgain, previous: () => step(-1), next: () => step(1), stop, csv: saveTable, explore: openInExplore, close, earlier: () => turnPage(-1), later: () => turnPage(1) };
  section.addEventListener("click", (event) => actions[event.target.closest("[data-way]")?.dataset.way]?.());
  part("keep").addEventListener("submit", (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    keepAsCohort(form.get("name"), form.has("headers"));
  });
  for (const [input, button] of [["#folder-files", ".choose-many"], ["#folder-place", ".choose-place"]]) {
    const picker = section.querySelector(input);
    document.addEventListener("click", (event) => event.target.closest?.(button) && picker.click());
    picker.addEventListener("change", () => {
      if (picker.files.length) beginFolder(Promise.resolve(namedFiles(picker.files)));
      picker.value = "";
    });
  }
  document.addEventListener("tailscope-folder", (event) => {
    event.preventDefault(); // tells the sender that the files are accepted
    beginFolder(event.detail);
  });
  document.addEventListener("tailscope-model", showOther);
  document.addEventListener("tailscope-failed", () => {
    for (const request of Object.keys(state.waiting)) takeAnswer({ ...SERVER_SILENT, request: Number(request) });
  });
  addEventListener("beforeunload", (event) => state.shown?.read && !state.shown.kept && event.preventDefault());
  watch("value", () => takeAnswer(props.value));
  setView("none");
}
