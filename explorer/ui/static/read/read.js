// The Read tab: which films are open, what stage each has reached, and what the panel and the lightbox show of them.
// All text goes in as text nodes.

import { countText } from "../shared/figures.js";
import { FilmMaps } from "../shared/film_maps.js";
import { firstFindingToShow } from "../shared/finding_words.js";
import { Insertion } from "../shared/insertion.js";
import { Intake } from "../shared/intake.js";
import { watchLatest } from "../shared/latest.js";
import { openFilms } from "../shared/open_films.js";
import { refusalWords } from "../shared/refusal.js";
import { READING_FAILED, SERVER_SILENT, callServer, explainMissingFilm } from "../shared/server_calls.js";
import { Lightbox } from "../viewer/lightbox.js";
import { followAddress } from "./address.js";
import { FilmArrivals } from "./arrivals.js";
import { FilmPair } from "./film_pair.js";
import { NearestCases } from "./join.js";
import { HeartSize } from "./heart_size.js";
import { isLateralNotRead } from "./lateral.js";
import { ModelChoice } from "./model_choice.js";
import { ReadPanel } from "./panel.js";
import { reportPresence } from "./presence.js";
import { presentRead } from "./read_present.js";
import { saveFilm } from "./save.js";
import { SecondOpinion } from "./second_model.js";
import { ShownMaps } from "./shown_maps.js";
import { Stability } from "./stability.js";

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
    closed: closeFilm,
    windowed: () => openFilms.shareWindows(lightbox),
    clicked: (slot, point) => insertion.clicked(slot, point),
    more: { compare: () => intake.chooseFile("b"), present: () => present.toggle(), finding: () => insertion.turn() },
  });
  const panel = new ReadPanel(room, {
    choose: requestMap,
    amend: correctFilm,
    save: (kind) => saveFilm(kind, now(), { room, server, lightbox, chosen: () => state.chosen, pair, insertion, note }),
    activate: (slot) => lightbox.activate(slot),
    reveal: () => setHidden(false),
    stabilityOf: (finding) => stability.of(finding),
  });
  const nearestCases = new NearestCases(room.querySelector(".alike"), (cohort) => joinCohort(now(), cohort));
  const pair = new FilmPair(room.querySelector(".between"), { server, films, choose: requestMap, changed: showPair, note: (words) => note(words) });
  const covered = (item) => Boolean(insertion.shownOn(item));
  const maps = new ShownMaps(lightbox, films, requestMap, covered);
  const models = new ModelChoice(room, server, (which) => (which === "first" ? readAllAgain() : askSecond(now())));
  const arrivals = new FilmArrivals({ room, server, panel, lightbox, state, read: (item) => read(item, askForOpinion) });
  const showFilm = (...film) => arrivals.open(...film);
  const lost = async () => (await callServer(server.progress, "")) === SERVER_SILENT;
  const intake = new Intake(room, gradio, {
    opening: (name) => arrivals.showOpening(name),
    showFilm,
    failed: (refusals) => arrivals.showFailures(refusals),
    slot: () => lightbox.active,
    lost,
    many: sendToFolder,
  });

  const now = () => films[lightbox.active];
  const present = presentRead({ room, lightbox, state, now, step, setHidden, inserted: () => insertion.shownOn(now()) });
  const beside = () => films[lightbox.active === "a" ? "b" : "a"];
  const note = (words) => panel.showNote(words);
  const showMaps = () => (maps.show(state), present.refresh());
  const stability = new Stability(room, { server, findings: panel.findings, now, hidden: () => state.hidden, changed: () => panel.showNumbers() });
  const heart = new HeartSize(room, { server, lightbox, now, hidden: () => state.hidden, slotOf: (item) => openFilms.slotOf(item), covered });
  const second = new SecondOpinion({ server, panel, models, now, hidden: () => state.hidden });

  const insertion = new Insertion({ room, button: room.querySelector(".insertion-ask"), section: room.querySelector(".insertion") }, {
    server: () => server,
    lightbox,
    now,
    filmIn: (slot) => films[slot],
    hidden: () => state.hidden,
    beside: () => now()?.second?.model ?? "",
    changed: () => (showMaps(), heart.show(now())),
  });

  const askSecond = async (item) => (await second.ask(item), insertion.besideChanged(item));

  const chosenFor = new Set(); // tokens of films that were read by a chosen model
  // The opinion of the chosen model, which the server must know first.
  async function askForOpinion(token) {
    if (!models.first && !chosenFor.has(token)) return server.opinion(token);
    chosenFor.add(token);
    const choice = await server.choose({ token, model: models.first });
    return choice === true ? server.opinion(token) : choice;
  }

  function readAllAgain() {
    for (const item of [films.a, films.b]) if (item && item.stage !== "scoring") read(item, askForOpinion);
  }

  // Many films go to the folder above the room, once its script has loaded.
  function sendToFolder(detail) {
    const nobody = document.dispatchEvent(new CustomEvent("tailscope-folder", { detail, cancelable: true }));
    if (nobody) note("The page is still being loaded. Drop the films again.");
  }

  async function read(item, question) {
    item.stage = "scoring";
    item.opinion = item.refusal = item.join = item.second = item.heartSize = item.stability = item.insertion = undefined;
    // the film beside it keeps its finding
    if (!beside()?.opinion) Object.assign(state, { chosen: null, asked: false });
    refresh();
    const timer = setInterval(() => showProgress(item), 400);
    const answer = (await callServer(question, item.token)) ?? (await explainMissingFilm(server, item.token));
    clearInterval(timer);
    if (!openFilms.slotOf(item)) return;
    item.stage = answer.stage === "opinion" ? "read" : answer.stage;
    if (item.stage === "read") item.opinion = answer;
    else item.refusal = answer;
    if (item.stage === "read") item.maps = makeMaps(item);
    if (item.stage === "read") joinCohort(item);
    if (item.stage === "read") askSecond(item);
    if (item === now()) return refresh(), lookAt(state.wanted);
    panel.showSecondModel(scoresBeside()); // the visitor continues with the other film
    pair.update();
    showMaps();
    showOverloadedMessage();
  }

  function makeMaps(item) {
    const sameReading = watchLatest(() => item.opinion);
    const fetchHeat = async (findings) =>
      (await callServer(server.heat, { token: item.token, findings })) ?? (await explainMissingFilm(server, item.token));
    return new FilmMaps(item.opinion.rows, fetchHeat, (answer) => {
      if (!sameReading() || !openFilms.slotOf(item)) return;
      if (answer.stage !== "heat") {
        lightbox.showNoHeat(openFilms.slotOf(item), "No map: " + answer.title + ".");
        return panel.showNote(refusalWords(answer));
      }
      if (item === now()) (panel.showAlikeMaps(item.maps.alike), panel.showMapPlace());
      showMaps();
    });
  }

  // Compare the film with a cohort, by default the first one: after the opinion, so that reading waits for nothing.
  async function joinCohort(item, cohort = "") {
    item.cohort = cohort;
    const sameReading = watchLatest(() => item.opinion);
    const sameCohort = watchLatest(() => item.cohort);
    const join = (await callServer(server.join, { token: item.token, cohort })) ?? (await explainMissingFilm(server, item.token));
    if (!sameReading() || !sameCohort()) return; // the film was changed and is read again
    item.join = join;
    showPair();
    if (item === now() && !state.hidden) (showJoin(), present.refresh());
    showOverloadedMessage();
  }

  function showJoin() {
    const { join } = now();
    panel.showCohort(now());
    if (join) nearestCases.show(join, state.chosen);
  }

  async function showProgress(item) {
    const { loading, ahead } = (await callServer(server.progress, item.token)) ?? {};
    const fetched = loading && models.first ? await callServer(server.fetched, models.first) : null; // of 1
    if (item.stage !== "scoring" || item !== now()) return;
    if (typeof fetched === "number") panel.show("Fetching the model", Math.round(100 * fetched) + " % of its weights are here.");
    else if (loading) panel.show("Waiting for the model", "It is being loaded, which takes a few seconds after a start.");
    else if (ahead) panel.show("Waiting for the model", countText(ahead, "film") + " before this one.");
    else panel.show("Scoring the findings");
  }

  // Draw everything that follows from the state of the active film.
  function refresh() {
    const item = now();
    showOverloadedMessage();
    panel.filmNames.show(films, lightbox.active);
    lightbox.showNames(films);
    panel.clear();
    room.dataset.state = isLateralNotRead(item) ? "lateral" : (item?.stage ?? "empty");
    pair.update();
    showPair();
    markFilmFirst();
    stability.show(undefined);
    insertion.show(item);
    heart.show(item);
    if (!item) return nearestCases.clear(), models.fill(undefined, false), panel.show("");
    const usual = models.first ? undefined : item.opinion?.model.name;
    models.fill(usual, Boolean(item.film.simulated));
    nearestCases.showWaiting(noCasesWords(item));
    panel.showFilmFacts(item);
    if (!state.hidden) panel.showMadeAs(item);
    if (item.stage === "scoring") panel.show("Scoring the findings");
    else if (item.stage === "unscored") panel.show(item.refusal.title, item.refusal.detail);
    else if (isLateralNotRead(item)) panel.showLateral(item, frontalFilm(), anyway);
    else if (item.stage === "refused") panel.showRefusal(item.refusal.verdict, "Read it anyway", { amend: correctFilm, anyway });
    else if (state.hidden) panel.showHidden(state.filmFirst);
    else {
      panel.showOpinion(item, scoresBeside());
      second.show(item);
      stability.show(item);
      choose(panel.findings.has(state.chosen) ? state.chosen : firstFindingToShow(item.opinion.rows));
      keepPairInView();
    }
    showMaps();
  }

  function noCasesWords({ stage }) {
    if (stage === "refused" || stage === "unscored") return "None: the film was not read.";
    return state.hidden ? "Hidden with the model's opinion." : "Looked for once the film is read.";
  }

  function showPair() {
    pair.show(state.hidden);
    keepPairInView();
  }

  // Until the visitor chooses a finding: the one that is chosen by itself may be far down the list.
  function keepPairInView() {
    if (pair.answer && !state.asked) room.querySelector(".list").scrollTop = 0;
  }

  // The way from a lateral film to the frontal one of its study; null if the film beside it is not read either.
  function frontalFilm() {
    const other = beside();
    if (!other) return { words: "Add the frontal film of the study", take: () => intake.chooseFile("b") };
    if (other.refusal) return null;
    return { words: "Show the frontal film", take: () => lightbox.activate(openFilms.slotOf(other)) };
  }

  // The model's scores on the other film, perhaps an earlier one, to mark beside this one's.
  function scoresBeside() {
    return Object.fromEntries((beside()?.opinion?.rows ?? []).map((row) => [row.finding, row.score]));
  }

  // As a link requests: at once, or when the film is read.
  function lookAt(finding) {
    state.wanted = now()?.stage === "read" ? null : finding;
    if (now()?.stage === "read" && panel.findings.has(finding)) requestMap(finding);
  }

  // By the visitor.
  function requestMap(finding) {
    state.asked = true;
    choose(finding);
  }

  function choose(finding) {
    state.chosen = finding;
    panel.showChosen(now(), finding);
    showJoin();
    showMaps();
  }

  function step(delta) {
    if (now()?.stage === "read" && !state.hidden) requestMap(panel.findings.neighbor(state.chosen, delta));
  }

  function setHidden(hidden) {
    state.hidden = hidden;
    if (hidden) state.filmFirst = true;
    lightbox.hideOpinion(hidden);
    refresh();
  }

  const anyway = () => read(now(), server.anyway);

  async function correctFilm(remedy) {
    const item = now();
    if (item.stage === "scoring") return; // a change is running
    Object.assign(item, { stage: "scoring", opinion: undefined });
    refresh();
    panel.show("Changing the film");
    const film = (await callServer(server.amend, { token: item.token, remedy })) ?? (await explainMissingFilm(server, item.token));
    if (film.stage) {
      Object.assign(item, { stage: film.stage, refusal: film });
      return refresh();
    }
    Object.assign(item, { film, stage: "scoring", refusal: undefined });
    await arrivals.showInLightbox(item, () => openFilms.slotOf(item));
    if (openFilms.slotOf(item)) read(item, askForOpinion);
  }

  function closeFilm(slot) {
    callServer(server.put_away, films[slot].token);
    const left = films[slot === "a" ? "b" : "a"];
    delete films.b;
    if (left) films.a = left;
    else delete films.a;
    lightbox.clear(slot);
    panel.showNote("");
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
    openFilms.update({ active: lightbox.active, windows: lightbox.windows, opinionHidden: state.hidden, filmFirst: state.filmFirst });
  openFilms.takeWindows(lightbox);
  openFilms.keeper = { models, showFilm, activate: (slot) => lightbox.activate(slot), takeDown: closeFilm, anyway, amend: correctFilm, setFilmFirst, server };

  room.addEventListener("change", (event) => {
    if (event.target.closest(".film-first")) setFilmFirst(event.target.checked);
  });
  document.addEventListener("tailscope-failed", () => intake.settle(READING_FAILED));
  room.dataset.state = "empty";
  models.fill();
  const answer = () => intake.takeAnswer(props.value);
  watch("value", answer);
  followAddress(room, { opened: now, open: (button) => intake.openSample(button), look: lookAt, note });
  answer(); // it may have arrived before this script
  reportPresence(server, note);
}
