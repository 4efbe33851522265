// The Read tab: which films are open, how far each has come, and what panel and lightbox show of them.
// All text goes in as text nodes.

import { plural } from "../shared/figures.js";
import { FilmMaps } from "../shared/film_maps.js";
import { firstToShow } from "../shared/finding_words.js";
import { Intake } from "../shared/intake.js";
import { latest } from "../shared/latest.js";
import { openFilms } from "../shared/open_films.js";
import { refusalWords } from "../shared/refusal.js";
import { FAILED, LOST, call, whyGone } from "../shared/server_calls.js";
import { Lightbox } from "../viewer/lightbox.js";
import { followAddress } from "./address.js";
import { Arrivals } from "./arrivals.js";
import { Alike } from "./join.js";
import { ModelChoice } from "./model_choice.js";
import { Panel } from "./panel.js";
import { stayPresent } from "./presence.js";
import { presentRead } from "./read_present.js";
import { save } from "./save.js";
import { SecondModel } from "./second_model.js";
import { ShownMaps } from "./shown_maps.js";

export function mount(gradio) {
  const { element, props, server, watch } = gradio;
  const room = element.querySelector(".room");
  const { films } = openFilms; // by slot: {name, token, stage, film, pixels, opinion, refusal}
  const state = {
    chosen: null, // the chosen finding, on both films
    asked: false, // the visitor chose a finding or requested its map: before that, no map is shown
    hidden: false, // the opinion, now
    filmFirst: false, // and again for each new film
    wanted: null, // the finding that a link names, until its film is read
  };

  const lightbox = new Lightbox(room.querySelector(".film-side"), {
    step,
    toggleOpinion: () => setHidden(!state.hidden),
    activated: refresh,
    closed: takeDown,
    windowed: () => openFilms.look(lightbox),
    more: { compare: () => intake.pick("b"), present: () => present.toggle() },
  });
  const panel = new Panel(room, {
    choose: ask,
    amend,
    save: (kind) => save(kind, now(), { room, server, lightbox, chosen: () => state.chosen, note }),
    activate: (slot) => lightbox.activate(slot),
    reveal: () => setHidden(false),
  });
  const alike = new Alike(room.querySelector(".alike"), (cohort) => joinCohort(now(), cohort));
  const maps = new ShownMaps(lightbox, films, ask);
  const models = new ModelChoice(room, server, (which) => (which === "first" ? readAnew() : second.ask(now())));
  const arrivals = new Arrivals({ room, server, panel, lightbox, state, read: (item) => read(item, asked) });
  const showFilm = (...film) => arrivals.open(...film);
  const lost = async () => (await call(server.progress, "")) === LOST;
  const intake = new Intake(room, gradio, {
    opening: (name) => arrivals.opening(name),
    showFilm,
    failed: (refusals) => arrivals.failed(refusals),
    slot: () => lightbox.active,
    lost,
    many: sendOn,
  });

  const now = () => films[lightbox.active];
  const present = presentRead({ room, lightbox, state, now, step, setHidden });
  const beside = () => films[lightbox.active === "a" ? "b" : "a"];
  const note = (words) => panel.note(words);
  const showMaps = () => (maps.show(state), present.refresh());
  const second = new SecondModel({ server, panel, models, now, hidden: () => state.hidden });

  const chosenFor = new Set(); // tokens of films that were read by a chosen model
  // The opinion of the chosen model, which the server must know first.
  async function asked(token) {
    if (!models.first && !chosenFor.has(token)) return server.opinion(token);
    chosenFor.add(token);
    const told = await server.choose({ token, model: models.first });
    return told === true ? server.opinion(token) : told;
  }

  function readAnew() {
    for (const item of [films.a, films.b]) if (item && item.stage !== "scoring") read(item, asked);
  }

  // Many films go to the folder above the room, once its script has loaded.
  function sendOn(detail) {
    const nobody = document.dispatchEvent(new CustomEvent("tailscope-folder", { detail, cancelable: true }));
    if (nobody) note("The page is still being loaded. Drop the films again.");
  }

  async function read(item, question) {
    item.stage = "scoring";
    item.opinion = item.refusal = item.join = item.second = undefined;
    if (!beside()?.opinion) Object.assign(state, { chosen: null, asked: false }); // an open film beside keeps its finding
    refresh();
    const timer = setInterval(() => tellProgress(item), 400);
    const answer = (await call(question, item.token)) ?? (await whyGone(server, item.token));
    clearInterval(timer);
    if (!openFilms.slotOf(item)) return;
    item.stage = answer.stage === "opinion" ? "read" : answer.stage;
    if (item.stage === "read") item.opinion = answer;
    else item.refusal = answer;
    if (item.stage === "read") item.maps = mapsOf(item);
    if (item.stage === "read") joinCohort(item);
    if (item.stage === "read") second.ask(item);
    if (item === now()) return refresh(), look(state.wanted);
    panel.beside(scoresBeside()); // the visitor goes on with the other film
    if (!state.hidden) panel.between(bothRead());
    showMaps();
    showOverloadedMessage();
  }

  function mapsOf(item) {
    const sameReading = latest(() => item.opinion);
    const fetchHeat = async (findings) =>
      (await call(server.heat, { token: item.token, findings })) ?? (await whyGone(server, item.token));
    return new FilmMaps(item.opinion.rows, fetchHeat, (answer) => {
      if (!sameReading() || !openFilms.slotOf(item)) return;
      if (answer.stage !== "heat") {
        lightbox.noHeat(openFilms.slotOf(item), "No map: " + answer.title + ".");
        return panel.note(refusalWords(answer));
      }
      if (item === now()) panel.alike(item.maps.alike);
      showMaps();
    });
  }

  // Compare the film with a cohort, by default the first one: after the opinion, so that reading waits for nothing.
  async function joinCohort(item, cohort = "") {
    item.cohort = cohort;
    const sameReading = latest(() => item.opinion);
    const sameCohort = latest(() => item.cohort);
    const join = (await call(server.join, { token: item.token, cohort })) ?? (await whyGone(server, item.token));
    if (!sameReading() || !sameCohort()) return; // the film was changed and is read again
    item.join = join;
    if (item === now() && !state.hidden) (showJoin(), present.refresh());
    showOverloadedMessage();
  }

  function showJoin() {
    const { join } = now();
    panel.behind(now());
    if (join) alike.show(join, state.chosen);
  }

  async function tellProgress(item) {
    const { loading, ahead } = (await call(server.progress, item.token)) ?? {};
    const fetched = loading && models.first ? await call(server.fetched, models.first) : null; // of 1
    if (item.stage !== "scoring" || item !== now()) return;
    if (typeof fetched === "number") panel.say("Fetching the model", Math.round(100 * fetched) + " % of its weights are here.");
    else if (loading) panel.say("Waiting for the model", "It is being loaded, which takes a few seconds after a start.");
    else if (ahead) panel.say("Waiting for the model", plural(ahead, "film") + " before this one.");
    else panel.say("Scoring the findings");
  }

  // Draw everything that follows from the state of the active film.
  function refresh() {
    const item = now();
    showOverloadedMessage();
    panel.filmNames.show(films, lightbox.active);
    lightbox.names(films);
    panel.clear();
    room.dataset.state = item ? item.stage : "empty";
    markFilmFirst();
    if (!item) return alike.clear(), models.fill(undefined, false), panel.say("");
    const usual = models.first ? undefined : item.opinion?.model.name;
    models.fill(usual, Boolean(item.film.simulated));
    alike.wait(whyNoCases(item));
    panel.film(item);
    if (!state.hidden) panel.madeAs(item);
    if (item.stage === "scoring") panel.say("Scoring the findings");
    else if (item.stage === "unscored") panel.say(item.refusal.title, item.refusal.detail);
    else if (item.stage === "refused") panel.refused(item.refusal.verdict, "Read it anyway", { amend, anyway });
    else if (state.hidden) panel.hidden(state.filmFirst);
    else {
      panel.opinion(item, scoresBeside());
      panel.between(bothRead());
      second.show(item);
      choose(panel.findings.has(state.chosen) ? state.chosen : firstToShow(item.opinion.rows));
    }
    showMaps();
  }

  function whyNoCases({ stage }) {
    if (stage === "refused" || stage === "unscored") return "None: the film was not read.";
    return state.hidden ? "Hidden with the model's opinion." : "Looked for once the film is read.";
  }

  function bothRead() {
    return films.a?.opinion && films.b?.opinion ? [films.a, films.b] : null;
  }

  // The model's scores on the other film, perhaps an earlier one, to mark beside this one's.
  function scoresBeside() {
    return Object.fromEntries((beside()?.opinion?.rows ?? []).map((row) => [row.finding, row.score]));
  }

  // As a link requests: at once, or when the film is read.
  function look(finding) {
    state.wanted = now()?.stage === "read" ? null : finding;
    if (now()?.stage === "read" && panel.findings.has(finding)) ask(finding);
  }

  // By the visitor.
  function ask(finding) {
    state.asked = true;
    choose(finding);
  }

  function choose(finding) {
    state.chosen = finding;
    panel.chosen(now(), finding);
    showJoin();
    showMaps();
  }

  function step(delta) {
    if (now()?.stage === "read" && !state.hidden) ask(panel.findings.neighbor(state.chosen, delta));
  }

  function setHidden(hidden) {
    state.hidden = hidden;
    if (hidden) state.filmFirst = true;
    lightbox.hideOpinion(hidden);
    refresh();
  }

  const anyway = () => read(now(), server.anyway);

  async function amend(remedy) {
    const item = now();
    if (item.stage === "scoring") return; // a change is running
    Object.assign(item, { stage: "scoring", opinion: undefined });
    refresh();
    panel.say("Changing the film");
    const film = (await call(server.amend, { token: item.token, remedy })) ?? (await whyGone(server, item.token));
    if (film.stage) {
      Object.assign(item, { stage: film.stage, refusal: film });
      return refresh();
    }
    Object.assign(item, { film, stage: "scoring", refusal: undefined });
    await arrivals.hang(item, () => openFilms.slotOf(item));
    if (openFilms.slotOf(item)) read(item, asked);
  }

  function takeDown(slot) {
    call(server.put_away, films[slot].token);
    const left = films[slot === "a" ? "b" : "a"];
    delete films.b;
    if (left) films.a = left;
    else delete films.a;
    lightbox.clear(slot);
    panel.note("");
    refresh();
  }

  function setFilmFirst(first) {
    state.filmFirst = first;
    markFilmFirst();
    showOverloadedMessage();
  }

  function markFilmFirst() {
    for (const box of room.querySelectorAll(".film-first input")) box.checked = state.filmFirst;
  }

  const showOverloadedMessage = () =>
    openFilms.tell({ active: lightbox.active, windows: lightbox.windows, opinionHidden: state.hidden, filmFirst: state.filmFirst });
  openFilms.followLook(lightbox);
  openFilms.keeper = { models, showFilm, activate: (slot) => lightbox.activate(slot), takeDown, anyway, amend, setFilmFirst };

  room.addEventListener("change", (event) => {
    if (event.target.closest(".film-first")) setFilmFirst(event.target.checked);
  });
  document.addEventListener("tailscope-failed", () => intake.settle(FAILED));
  room.dataset.state = "empty";
  models.fill();
  const answer = () => intake.answer(props.value);
  watch("value", answer);
  followAddress(room, { opened: now, open: (button) => intake.sampleOf(button), look, note });
  answer(); // it may have come before this script
  stayPresent(server, note);
}
