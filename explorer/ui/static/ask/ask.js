// The Ask tab: questions in words about the film of Read, which is shown here too.
// All text goes in as text nodes.

import { make } from "../shared/elements.js";
import { download, fileName } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { FilmNames } from "../shared/film_names.js";
import { FilmStatus } from "../shared/film_status.js";
import { Intake } from "../shared/intake.js";
import { watchLatest } from "../shared/latest.js";
import { showModel, showTimes } from "../shared/made_with.js";
import { openFilms } from "../shared/open_films.js";
import { refusalWords } from "../shared/refusal.js";
import { READING_FAILED, SERVER_SILENT, callServer, explainMissingFilm } from "../shared/server_calls.js";
import { decodeMaps } from "../viewer/heat.js";
import { AnswerView } from "./answer.js";
import { AskedFilms } from "./asked_films.js";
import { presentAsk } from "./ask_present.js";
import { AskedList } from "./asked_list.js";
import { QuestionLine } from "./question_line.js";
import { Templates } from "./templates.js";

function makeExampleButton(text, ask) {
  const button = make("button", "example", text);
  button.type = "button";
  button.addEventListener("click", () => ask(text));
  return button;
}

export function mount(gradio) {
  const { element, props, server, watch, data } = gradio;
  const room = element.querySelector(".room");
  const stories = new WeakMap(); // keyed by a film's pixels: a rotated film is another film
  const known = {}; // the server's description of the model, for patients' films and for simulated ones
  const state = {
    hidden: false, // answers are hidden, so that the film is read without them
    met: null, // the model whose templates are shown; requested when the visitor begins to type
  };

  const films = new AskedFilms(room.querySelector(".film-side"), {
    step,
    toggleOpinion: () => setHidden(!state.hidden),
    activated: (slot) => openFilms.keeper.activate(slot),
    closed: (slot) => openFilms.keeper.takeDown(slot),
    windowed: () => openFilms.shareWindows(films.lightbox),
    more: { compare: () => intake.chooseFile("b"), line: () => line.focus(), present: () => present.toggle() },
  });
  const present = presentAsk({
    room,
    lightbox: films.lightbox,
    now: () => openFilms.now,
    shown: () => openFilms.now && storyOfFilm(openFilms.now).shown,
    hidden: () => state.hidden,
    step,
    setHidden,
  });
  const word = new FilmStatus(room);
  const names = new FilmNames(room.querySelector(".film-names"), (slot) => openFilms.keeper.activate(slot));
  const line = new QuestionLine(room.querySelector(".question"), data.known, {
    ask,
    leave: () => films.lightbox.enabled && films.lightbox.now.stage.focus({ preventScroll: true }),
  });
  const examples = room.querySelector(".examples");
  examples.append(...data.examples.map((text) => makeExampleButton(text, askFor)));
  const templates = new Templates(room.querySelector(".templates"));
  const view = new AnswerView(room.querySelector(".answer"), { ask: askFor, judge });
  const list = new AskedList(room.querySelector(".asked"), { again: lookAt, save });
  const lost = async () => (await callServer(server.ask_progress, "")) === SERVER_SILENT;
  const intake = new Intake(room, gradio, { opening, showFilm, failed, slot: () => openFilms.active, lost });

  // The questions about a film: {asked: answers, the latest first; shown; asking: a text; refusal}. A question that
  // waits is kept with the film itself, because the film may be rotated before it is read.
  function storyOfFilm(item) {
    if (!stories.has(item.pixels)) stories.set(item.pixels, { asked: [], shown: null });
    return stories.get(item.pixels);
  }

  // Films coming in

  function opening(name) {
    word.showNote(openFilms.films.a ? "Opening " + name : "");
    if (!openFilms.films.a) showState("opening", "Opening the film");
  }

  function failed(refusals) {
    const words = refusals.map(refusalWords);
    if (!openFilms.films.a) showState("refused", refusals[0].title, refusals[0].detail);
    word.showNote((openFilms.films.a ? words : words.slice(1)).join(" "));
  }

  function showState(state, title, detail) {
    room.dataset.state = state;
    word.show(title, detail);
    word.find("word").hidden = false;
  }

  async function showFilm(...film) {
    const refusal = await openFilms.keeper.showFilm(...film);
    word.showNote("");
    if (!refusal && !typing()) line.focus();
    return refusal;
  }

  const typing = () => document.activeElement.matches("input:not([type=file]), textarea") && room.contains(document.activeElement);

  // Questions

  function ask(text) {
    const item = openFilms.now;
    if (!item) return line.showWords("Open a film first, then ask.");
    if (!text) return line.showWords("Type a finding first.");
    const story = storyOfFilm(item);
    const before = story.asked.find((answer) => answer.typed === text && answer.sent === templates.sent);
    if (before) return lookAt(before);
    item.waiting = { text, templates: templates.sent };
    story.refusal = null;
    setHidden(false); // a visitor who asks wants to see the answer
    answerNext(item);
  }

  // One question about a film at a time: text typed meanwhile is asked next. A film is read before it is asked about.
  async function answerNext(item) {
    const story = storyOfFilm(item);
    if (story.asking || !item.waiting || item.stage !== "read") return;
    const order = (story.asking = item.waiting);
    const { shown } = story;
    item.waiting = null;
    refresh();
    const timer = setInterval(() => showProgress(item, story), 400);
    const answer = (await callServer(server.ask, { token: item.token, ...order })) ?? (await explainMissingFilm(server, item.token));
    clearInterval(timer);
    story.asking = null;
    if (answer.stage === "answer") {
      keep(story, answer, order);
      if (story.shown === shown) story.shown = answer; // otherwise the visitor is looking at another one
    } else story.refusal = answer;
    refresh();
    answerNext(item);
  }

  function keep(story, answer, { text, templates: templatesSent }) {
    if (answer.heat) answer.heat.values = decodeMaps(answer.heat.map);
    story.asked.unshift(Object.assign(answer, { typed: text, sent: templatesSent }));
  }

  function askFor(text) {
    line.text = text;
    ask(text);
  }

  // The value of an answer at the prevalence that the visitor typed, by default at that of the labeled films.
  async function judge(answer, prevalence) {
    const item = openFilms.now;
    const order = { token: item.token, text: answer.typed, templates: answer.sent, prevalence };
    const found = (await callServer(server.ask_at, order)) ?? (await explainMissingFilm(server, item.token));
    const { stage, title, detail, ...judgment } = found;
    const judged = stage === "judged";
    if (judged) Object.assign(answer, judgment);
    answer.prevalence = { text: judged && !prevalence.trim() ? null : prevalence, refusal: judged ? "" : refusalWords({ title, detail }) };
    refresh();
  }

  async function showProgress(item, story) {
    const { loading, ahead } = (await callServer(server.ask_progress, item.token)) ?? {};
    if (!story.asking || item !== openFilms.now) return;
    if (loading) line.showWords("Loading the text model: a few seconds, once.");
    else if (ahead) line.showWords("Waiting for the model: " + countText(ahead, "question") + " before this one.");
  }

  function lookAt(answer) {
    Object.assign(storyOfFilm(openFilms.now), { shown: answer, refusal: null });
    line.text = answer.typed;
    refresh();
  }

  function step(delta) {
    const { asked, shown } = storyOfFilm(openFilms.now);
    const next = asked[asked.indexOf(shown) + delta];
    if (next && !state.hidden) lookAt(next);
  }

  function setHidden(now) {
    state.hidden = now;
    films.lightbox.hideOpinion(state.hidden);
    refresh();
  }

  // Draw everything that follows from the state of the active film.
  function refresh() {
    const item = openFilms.now;
    films.follow(openFilms);
    names.show(openFilms.films, openFilms.active);
    for (const box of room.querySelectorAll(".film-first input")) box.checked = openFilms.filmFirst;
    describeFilm(item);
    const story = item ? storyOfFilm(item) : { asked: [], shown: null };
    line.showWords(storyWords(story, item));
    examples.hidden = Boolean(story.asked.length || story.asking || item?.waiting);
    list.show(state.hidden ? [] : story.asked, story.shown);
    if (story.shown && !state.hidden) {
      view.show(story.shown, openFilms.opinionHidden, trainedOnWords(item, story.shown));
      showMadeWith(story.shown);
    } else view.clear();
    for (const [slot, each] of Object.entries(openFilms.films)) films.draw(slot, storyOfFilm(each).shown);
    present.refresh();
  }

  // The features of a classifier that was trained on the film are more certain there, as is everything computed from
  // them.
  function trainedOnWords(item, { beside }) {
    if (!item.join?.training || !beside?.same_tower) return "";
    return "These scores use features of " + beside.model + ", which was trained on this film: expect lower accuracy on new films.";
  }

  function describeFilm(item) {
    const { stage = "empty", refusal, opinion } = item ?? {};
    showState(stage, "");
    if (stage === "refused") word.showRefusal(refusal.verdict, "Ask about it anyway", openFilms.keeper);
    else if (stage === "unscored") word.show(refusal.title, refusal.detail);
    else if (opinion && !opinion.verdict.readable) word.show("", "", "Read anyway. " + opinion.verdict.reason);
    if (state.hidden) word.show("The answers are hidden", "Look at the film first.");
    if (state.hidden) word.addButton("Reveal", "way-reveal", () => setHidden(false));
    const hasStatus = stage !== "read" && stage !== "scoring";
    word.find("word").hidden = !(hasStatus || state.hidden || word.find("verdict").textContent);
  }

  function storyWords({ asking, refusal }, item) {
    if (refusal) return refusalWords(refusal);
    if (asking) return "Asking: " + asking.text;
    if (item?.waiting && item.stage === "scoring") return "The film is read first, then asked about.";
    return "";
  }

  // Load the model once a visitor wants to ask: its own templates are unknown before.
  async function loadModel() {
    const origin = (state.met = provenance());
    const isLatest = watchLatest(() => state.met);
    known[origin] ??= callServer(server.ask_about, openFilms.now?.token ?? null);
    const { templates: ownTemplates, stage } = await known[origin];
    if (stage) {
      delete known[origin];
      loadModelSoon(); // another attempt
    } else if (isLatest()) templates.takeModelLines(ownTemplates);
  }

  function loadModelSoon() {
    line.input.addEventListener("input", loadModel, { once: true });
    room.querySelector(".templates").addEventListener("toggle", loadModel, { once: true });
  }

  const provenance = () => (openFilms.now?.film.simulated ? "simulated" : "real");

  function showMadeWith({ model: name, title, device, timings_ms: times }) {
    showModel(room.querySelector(".made-model"), { name, title, device });
    showTimes(room.querySelector(".made-times"), times);
  }

  async function save() {
    const { token, film } = openFilms.now;
    const answer = (await callServer(server.export_asked, token)) ?? (await explainMissingFilm(server, token));
    if (answer.stage) return word.showNote(refusalWords(answer));
    download(new Blob([answer.text], { type: answer.type }), fileName("csv", { tab: "ask", sha256: film.sha256 }));
  }

  room.addEventListener("change", (event) => {
    if (event.target.closest(".film-first")) openFilms.keeper.setFilmFirst(event.target.checked);
  });
  openFilms.takeWindows(films.lightbox);
  openFilms.addEventListener("change", () => {
    refresh();
    if (state.met && state.met !== provenance()) loadModel();
    for (const item of Object.values(openFilms.films)) answerNext(item);
  });
  document.addEventListener("tailscope-failed", () => intake.settle(READING_FAILED));
  const answer = () => intake.takeAnswer(props.value);
  watch("value", answer);
  answer(); // the film may have arrived before this script
  loadModelSoon();
  refresh();
}
