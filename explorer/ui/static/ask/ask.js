// The Ask tab: questions in words about the film of Read, which is shown here too.
// All text goes in as text nodes.

import { make } from "../shared/elements.js";
import { download, fileName } from "../shared/exports.js";
import { plural } from "../shared/figures.js";
import { FilmNames } from "../shared/film_names.js";
import { FilmStatus } from "../shared/film_status.js";
import { Intake } from "../shared/intake.js";
import { latest } from "../shared/latest.js";
import { showModel, showTimes } from "../shared/made_with.js";
import { openFilms } from "../shared/open_films.js";
import { refusalWords } from "../shared/refusal.js";
import { FAILED, LOST, call, whyGone } from "../shared/server_calls.js";
import { decodeMaps } from "../viewer/heat.js";
import { AnswerView } from "./answer.js";
import { AskedFilms } from "./asked_films.js";
import { presentAsk } from "./ask_present.js";
import { AskedList } from "./asked_list.js";
import { QuestionLine } from "./question_line.js";
import { Templates } from "./templates.js";

function exampleButton(text, ask) {
  const button = make("button", "example", text);
  button.type = "button";
  button.addEventListener("click", () => ask(text));
  return button;
}

export function mount(gradio) {
  const { element, props, server, watch, data } = gradio;
  const room = element.querySelector(".room");
  const stories = new WeakMap(); // by the pixels of a film: a rotated film is another film
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
    windowed: () => openFilms.look(films.lightbox),
    more: { compare: () => intake.pick("b"), line: () => line.focus(), present: () => present.toggle() },
  });
  const present = presentAsk({
    room,
    lightbox: films.lightbox,
    now: () => openFilms.now,
    shown: () => openFilms.now && storyOf(openFilms.now).shown,
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
  examples.append(...data.examples.map((text) => exampleButton(text, askFor)));
  const templates = new Templates(room.querySelector(".templates"));
  const view = new AnswerView(room.querySelector(".answer"), { ask: askFor, judge });
  const list = new AskedList(room.querySelector(".asked"), { again: look, save });
  const lost = async () => (await call(server.ask_progress, "")) === LOST;
  const intake = new Intake(room, gradio, { opening, showFilm, failed, slot: () => openFilms.active, lost });

  // The questions about a film: {asked: answers, the latest first; shown; asking: a text; refusal}. A question that
  // waits is kept with the film itself, because the film may be rotated before it is read.
  function storyOf(item) {
    if (!stories.has(item.pixels)) stories.set(item.pixels, { asked: [], shown: null });
    return stories.get(item.pixels);
  }

  // Films coming in

  function opening(name) {
    word.note(openFilms.films.a ? "Opening " + name : "");
    if (!openFilms.films.a) sayState("opening", "Opening the film");
  }

  function failed(refusals) {
    const words = refusals.map(refusalWords);
    if (!openFilms.films.a) sayState("refused", refusals[0].title, refusals[0].detail);
    word.note((openFilms.films.a ? words : words.slice(1)).join(" "));
  }

  function sayState(state, title, detail) {
    room.dataset.state = state;
    word.say(title, detail);
    word.part("word").hidden = false;
  }

  async function showFilm(slot, name, token, uploaded) {
    const refusal = await openFilms.keeper.showFilm(slot, name, token, uploaded);
    word.note("");
    if (!refusal && !typing()) line.focus();
    return refusal;
  }

  const typing = () => document.activeElement.matches("input:not([type=file]), textarea") && room.contains(document.activeElement);

  // Questions

  function ask(text) {
    const item = openFilms.now;
    if (!item) return line.say("Open a film first, then ask.");
    if (!text) return line.say("Type a finding first.");
    const story = storyOf(item);
    const before = story.asked.find((answer) => answer.typed === text && answer.sent === templates.sent);
    if (before) return look(before);
    item.waiting = { text, templates: templates.sent };
    story.refusal = null;
    setHidden(false); // a visitor who asks wants to see the answer
    answerNext(item);
  }

  // One question about a film at a time: text typed meanwhile is asked next. A film is read before it is asked about.
  async function answerNext(item) {
    const story = storyOf(item);
    if (story.asking || !item.waiting || item.stage !== "read") return;
    const order = (story.asking = item.waiting);
    const { shown } = story;
    item.waiting = null;
    refresh();
    const timer = setInterval(() => tellProgress(item, story), 400);
    const answer = (await call(server.ask, { token: item.token, ...order })) ?? (await whyGone(server, item.token));
    clearInterval(timer);
    story.asking = null;
    if (answer.stage === "answer") {
      keep(story, answer, order);
      if (story.shown === shown) story.shown = answer; // else the visitor looks at another one
    } else story.refusal = answer;
    refresh();
    answerNext(item);
  }

  function keep(story, answer, { text, templates: sent }) {
    if (answer.heat) answer.heat.values = decodeMaps(answer.heat.map);
    story.asked.unshift(Object.assign(answer, { typed: text, sent }));
  }

  function askFor(text) {
    line.text = text;
    ask(text);
  }

  // The value of an answer at the prevalence that the visitor typed; without one, at that of the labeled films.
  async function judge(answer, prevalence) {
    const item = openFilms.now;
    const order = { token: item.token, text: answer.typed, templates: answer.sent, prevalence };
    const found = (await call(server.ask_at, order)) ?? (await whyGone(server, item.token));
    const { stage, title, detail, ...judgment } = found;
    const judged = stage === "judged";
    if (judged) Object.assign(answer, judgment);
    answer.prevalence = { text: judged && !prevalence.trim() ? null : prevalence, refusal: judged ? "" : refusalWords({ title, detail }) };
    refresh();
  }

  async function tellProgress(item, story) {
    const { loading, ahead } = (await call(server.ask_progress, item.token)) ?? {};
    if (!story.asking || item !== openFilms.now) return;
    if (loading) line.say("Loading the text model: a few seconds, once.");
    else if (ahead) line.say("Waiting for the model: " + plural(ahead, "question") + " before this one.");
  }

  function look(answer) {
    Object.assign(storyOf(openFilms.now), { shown: answer, refusal: null });
    line.text = answer.typed;
    refresh();
  }

  function step(delta) {
    const { asked, shown } = storyOf(openFilms.now);
    const next = asked[asked.indexOf(shown) + delta];
    if (next && !state.hidden) look(next);
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
    sayFilm(item);
    const story = item ? storyOf(item) : { asked: [], shown: null };
    line.say(storyWords(story, item));
    examples.hidden = Boolean(story.asked.length || story.asking || item?.waiting);
    list.show(state.hidden ? [] : story.asked, story.shown);
    if (story.shown && !state.hidden) {
      view.show(story.shown, openFilms.opinionHidden, trainedOn(item, story.shown));
      madeWith(story.shown);
    } else view.clear();
    for (const [slot, each] of Object.entries(openFilms.films)) films.draw(slot, storyOf(each).shown);
    present.refresh();
  }

  // A classifier that was trained on the film has more certain features there, and so has everything computed from
  // them.
  function trainedOn(item, { beside }) {
    if (!item.join?.training || !beside?.same_tower) return "";
    return "These scores are of the features of " + beside.model + ", which was trained on this film: expect less on one it has not seen.";
  }

  function sayFilm(item) {
    const { stage = "empty", refusal, opinion } = item ?? {};
    sayState(stage, "");
    if (stage === "refused") word.refused(refusal.verdict, "Ask about it anyway", openFilms.keeper);
    else if (stage === "unscored") word.say(refusal.title, refusal.detail);
    else if (opinion && !opinion.verdict.readable) word.say("", "", "Read anyway. " + opinion.verdict.reason);
    if (state.hidden) word.say("The answers are hidden", "Look at the film first.");
    if (state.hidden) word.way("Reveal", "way-reveal", () => setHidden(false));
    const said = stage !== "read" && stage !== "scoring";
    word.part("word").hidden = !(said || state.hidden || word.part("verdict").textContent);
  }

  function storyWords({ asking, refusal }, item) {
    if (refusal) return refusalWords(refusal);
    if (asking) return "Asking: " + asking.text;
    if (item?.waiting && item.stage === "scoring") return "The film is read first, then asked about.";
    return "";
  }

  // Load the model once a visitor wants to ask: its own templates are unknown before.
  async function meet() {
    const whose = (state.met = provenance());
    const isLatest = latest(() => state.met);
    known[whose] ??= call(server.ask_about, openFilms.now?.token ?? null);
    const { templates: own, stage } = await known[whose];
    if (stage) {
      delete known[whose];
      meetLater(); // another attempt
    } else if (isLatest()) templates.offer(own);
  }

  function meetLater() {
    line.input.addEventListener("input", meet, { once: true });
    room.querySelector(".templates").addEventListener("toggle", meet, { once: true });
  }

  const provenance = () => (openFilms.now?.film.simulated ? "simulated" : "real");

  function madeWith({ model: name, title, device, timings_ms: times }) {
    showModel(room.querySelector(".made-model"), { name, title, device });
    showTimes(room.querySelector(".made-times"), times);
  }

  async function save() {
    const { token, film } = openFilms.now;
    const answer = (await call(server.export_asked, token)) ?? (await whyGone(server, token));
    if (answer.stage) return word.note(refusalWords(answer));
    download(new Blob([answer.text], { type: answer.type }), fileName("csv", { tab: "ask", sha256: film.sha256 }));
  }

  room.addEventListener("change", (event) => {
    if (event.target.closest(".film-first")) openFilms.keeper.setFilmFirst(event.target.checked);
  });
  openFilms.followLook(films.lightbox);
  openFilms.addEventListener("change", () => {
    refresh();
    if (state.met && state.met !== provenance()) meet();
    for (const item of Object.values(openFilms.films)) answerNext(item);
  });
  document.addEventListener("tailscope-failed", () => intake.settle(FAILED));
  const answer = () => intake.answer(props.value);
  watch("value", answer);
  answer(); // the film may have come before this script
  meetLater();
  refresh();
}
