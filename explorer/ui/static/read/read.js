// The Read tab: which films are open, how far each has come, and what panel and lightbox show of them.
// All text goes in as text nodes.

import { caption, download, fileName, mayLeave } from "../shared/exports.js";
import { plural } from "../shared/figures.js";
import { FilmMaps } from "../shared/film_maps.js";
import { firstToShow, whyNoMap } from "../shared/finding_words.js";
import { Intake } from "../shared/intake.js";
import { latest } from "../shared/latest.js";
import { openFilms } from "../shared/open_films.js";
import { FAILED, LOST, call, whyGone } from "../shared/server_calls.js";
import { Lightbox } from "../viewer/lightbox.js";
import { unpackFilm } from "../viewer/packed.js";
import { followAddress } from "./address.js";
import { Alike } from "./join.js";
import { Panel } from "./panel.js";
import { printReport } from "./report.js";

const NOT_ASKED = "No map yet: choose a finding.";

export function mount(gradio) {
  const { element, props, server, watch } = gradio;
  const room = element.querySelector(".room");
  const { films } = openFilms; // by slot: {name, token, stage, film, pixels, opinion, refusal}
  const PRESENT_EVERY = 60_000; // ms
  const state = {
    chosen: null, // the finding that is looked at, on both films
    asked: false, // the visitor chose a finding or asked for its map: until then there is none
    hidden: false, // the opinion, now
    filmFirst: false, // and again with every new film
    wanted: null, // the finding that a link asked for, until its film is read
    coming: {}, // by slot, the token that came last: an older film does not take its place
  };

  const lightbox = new Lightbox(room.querySelector(".film-side"), {
    step,
    toggleOpinion: () => setHidden(!state.hidden),
    activated: refresh,
    closed: takeDown,
    windowed: () => openFilms.look(lightbox),
    more: { compare: () => intake.pick("b") },
  });
  const panel = new Panel(room, {
    choose: ask,
    amend,
    save,
    activate: (slot) => lightbox.activate(slot),
    reveal: () => setHidden(false),
  });
  const alike = new Alike(room.querySelector(".alike"), (cohort) => joinCohort(now(), cohort));
  const lost = async () => (await call(server.progress, "")) === LOST;
  const intake = new Intake(room, gradio, { opening, showFilm, failed, slot: () => lightbox.active, lost });

  const now = () => films[lightbox.active];
  const slotOf = (item) => Object.keys(films).find((slot) => films[slot] === item); // undefined: taken down meanwhile
  const beside = () => films[lightbox.active === "a" ? "b" : "a"];

  // What is shown stays until the new film can take its place: a file that cannot be opened must not cost the visitor a film.
  function opening(name) {
    panel.note("");
    if (films.a) return panel.note("Opening " + name);
    room.dataset.state = "opening";
    panel.say("Opening the film");
  }

  function failed(refusals) {
    const [first, ...others] = refusals;
    const words = (those) => those.map(({ title, detail }) => title + ". " + detail).join(" ");
    if (films.a) return panel.note(words(refusals));
    room.dataset.state = "refused";
    panel.say(first.title, first.detail);
    panel.note(words(others));
  }

  // Show a film that the server has opened. Resolves to a refusal or null; the reading is not waited for.
  // `uploaded`: the visitor's own file, which nobody has once the page is left.
  async function showFilm(wanted, name, token, uploaded = false) {
    state.coming[wanted] = token;
    const isLatest = latest(() => state.coming[wanted]);
    const film = (await call(server.film, token)) ?? (await whyGone(server, token));
    if (film.stage) return film;
    const item = { name, token, film, uploaded, stage: "scoring" };
    let former;
    await show(item, () => {
      if (!isLatest()) return void call(server.put_away, token);
      const slot = films.a ? wanted : "a"; // it may have been taken down meanwhile
      former = films[slot];
      films[slot] = item;
      return slot;
    });
    if (!slotOf(item)) return null;
    if (former) call(server.put_away, former.token);
    panel.note("");
    read(item, server.opinion);
    return null;
  }

  // `place` tells, once the film is unpacked, where it is shown now; undefined: nowhere any more.
  async function show(item, place) {
    const start = performance.now();
    const pixels = await unpackFilm(item.film.image, item.film.checksum);
    item.pixels = pixels;
    const slot = place();
    if (!slot) return;
    const focused = document.activeElement;
    if (state.filmFirst) state.hidden = true;
    lightbox.put(slot, item.film, pixels);
    lightbox.hideOpinion(state.hidden);
    lightbox.activate(slot);
    if (focused === document.body || focused.closest(".drop, .ways")) lightbox.now.stage.focus({ preventScroll: true });
    item.film.draw_ms = performance.now() - start;
  }

  async function read(item, question) {
    item.stage = "scoring";
    item.opinion = item.refusal = item.join = undefined;
    if (!beside()?.opinion) Object.assign(state, { chosen: null, asked: false }); // a film beside keeps its finding
    refresh();
    const timer = setInterval(() => tellProgress(item), 400);
    const answer = (await call(question, item.token)) ?? (await whyGone(server, item.token));
    clearInterval(timer);
    if (!slotOf(item)) return;
    item.stage = answer.stage === "opinion" ? "read" : answer.stage;
    if (item.stage === "read") item.opinion = answer;
    else item.refusal = answer;
    if (item.stage === "read") item.maps = mapsOf(item);
    if (item.stage === "read") joinCohort(item);
    if (item === now()) return refresh(), look(state.wanted);
    panel.beside(scoresBeside()); // the visitor goes on with the other film
    if (!state.hidden) panel.between(bothRead());
    showMaps();
    tellHung();
  }

  function mapsOf(item) {
    const sameReading = latest(() => item.opinion);
    const fetchHeat = async (findings) =>
      (await call(server.heat, { token: item.token, findings })) ?? (await whyGone(server, item.token));
    return new FilmMaps(item.opinion.rows, fetchHeat, (answer) => {
      if (!sameReading() || !slotOf(item)) return;
      if (answer.stage !== "heat") return panel.note(answer.title + ". " + answer.detail);
      if (item === now()) panel.alike(item.maps.alike);
      showMaps();
    });
  }

  // Set the film beside a cohort, by default the first one: after the opinion, so that reading waits for nothing.
  async function joinCohort(item, cohort = "") {
    item.cohort = cohort;
    const sameReading = latest(() => item.opinion);
    const sameCohort = latest(() => item.cohort);
    const join = (await call(server.join, { token: item.token, cohort })) ?? (await whyGone(server, item.token));
    if (!sameReading() || !sameCohort()) return; // the film was changed and is read anew
    item.join = join;
    if (item === now() && !state.hidden) showJoin();
    tellHung();
  }

  function showJoin() {
    const { join } = now();
    panel.behind(join);
    if (join) alike.show(join, state.chosen);
  }

  async function tellProgress(item) {
    const { loading, ahead } = (await call(server.progress, item.token)) ?? {};
    if (item.stage !== "scoring" || item !== now()) return;
    if (loading) panel.say("Waiting for the model", "It is being loaded, which takes a few seconds after a start.");
    else if (ahead) panel.say("Waiting for the model", plural(ahead, "film") + " before this one.");
    else panel.say("Scoring the findings");
  }

  // Everything that follows from the state of the film that is active.
  function refresh() {
    const item = now();
    tellHung();
    panel.filmNames.show(films, lightbox.active);
    lightbox.names(films);
    panel.clear();
    room.dataset.state = item ? item.stage : "empty";
    markFilmFirst();
    if (!item) return alike.clear(), panel.say("");
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

  // What the model says of the film beside it, a prior perhaps: to be set beside the scores of this one.
  function scoresBeside() {
    return Object.fromEntries((beside()?.opinion?.rows ?? []).map((row) => [row.finding, row.score]));
  }

  // As a link asks: at once, or when the film is read.
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

  // The map of the chosen finding on every film that was read.
  function showMaps() {
    for (const [slot, item] of Object.entries(films)) {
      const row = item.opinion?.rows.find(({ finding }) => finding === state.chosen);
      if (row) showMap(slot, item, row);
      else if (item.opinion && !state.chosen) lightbox.noHeat(slot, NOT_ASKED);
      else lightbox.clearHeat(slot);
    }
  }

  function showMap(slot, item, row) {
    if (!state.asked) return lightbox.noHeat(slot, NOT_ASKED, "Show the map of " + row.finding, () => ask(row.finding));
    const why = whyNoMap(row);
    if (why) lightbox.noHeat(slot, why, "Show the map anyway", () => drawMap(slot, item, row.finding));
    else if (!drawMap(slot, item, row.finding)) lightbox.clearHeat(slot);
  }

  // Whether it is here; else it is drawn when it comes.
  function drawMap(slot, item, finding) {
    const map = item.maps.of(finding);
    if (map) lightbox.heat(slot, map, 0);
    return Boolean(map);
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
    if (item.stage === "scoring") return; // it is being changed
    Object.assign(item, { stage: "scoring", opinion: undefined });
    refresh();
    panel.say("Changing the film");
    const film = (await call(server.amend, { token: item.token, remedy })) ?? (await whyGone(server, item.token));
    if (film.stage) {
      Object.assign(item, { stage: film.stage, refusal: film });
      return refresh();
    }
    Object.assign(item, { film, stage: "scoring", refusal: undefined });
    await show(item, () => slotOf(item));
    if (slotOf(item)) read(item, server.opinion);
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

  async function save(kind) {
    const item = now();
    if (kind === "report") return saveReport(item, lightbox.picture(lightbox.active, []));
    if (kind === "png") return savePicture(item, lightbox.picture(lightbox.active, caption(item, state.chosen)));
    const answer = (await call(server.export, { token: item.token, kind })) ?? (await whyGone(server, item.token));
    if (answer.stage) return panel.note(answer.title + ". " + answer.detail);
    download(new Blob([answer.text], { type: answer.type }), nameOf(item, kind));
  }

  // Printed with the map only where the page shows one.
  async function saveReport(item, canvas) {
    const hasText = await call(server.text, item.token);
    if (!(await mayLeave(room.querySelector(".burned-in"), hasText !== false))) return;
    await printReport(room, item, canvas, state.chosen);
  }

  function nameOf({ opinion, film }, kind, finding) {
    return fileName(kind, { tab: "read", model: opinion.model.name, finding, sha256: film.sha256 });
  }

  // The picture is made before anybody is asked: another film may be shown by the time of the answer.
  async function savePicture(item, canvas) {
    const name = nameOf(item, "png", state.chosen ?? "");
    const hasText = await call(server.text, item.token); // where nobody answers, better ask once too often
    if (!(await mayLeave(room.querySelector(".burned-in"), hasText !== false))) return;
    canvas.toBlob((blob) => download(blob, name));
  }

  function setFilmFirst(first) {
    state.filmFirst = first;
    markFilmFirst();
    tellHung();
  }

  function markFilmFirst() {
    for (const box of room.querySelectorAll(".film-first input")) box.checked = state.filmFirst;
  }

  // An open page counts as a visitor who is present, whose films go last. Where one had to go all the same, it says so.
  async function tellPresent() {
    const there = Object.values(films).filter(({ gone }) => !gone);
    if (!there.length) return;
    const gone = await call(server.still_here, there.map(({ token }) => token));
    for (const item of there) {
      item.gone = gone[item.token];
      if (item.gone && slotOf(item)) panel.note(item.name + ": " + item.gone.title + ". " + item.gone.detail);
    }
  }

  const tellHung = () =>
    openFilms.tell({ active: lightbox.active, windows: lightbox.windows, opinionHidden: state.hidden, filmFirst: state.filmFirst });
  openFilms.followLook(lightbox);
  openFilms.keeper = { showFilm, activate: (slot) => lightbox.activate(slot), takeDown, anyway, amend, setFilmFirst };

  room.addEventListener("change", (event) => {
    if (event.target.closest(".film-first")) setFilmFirst(event.target.checked);
  });
  document.addEventListener("tailscope-failed", () => intake.settle(FAILED));
  room.dataset.state = "empty";
  const answer = () => intake.answer(props.value);
  watch("value", answer);
  followAddress(room, { opened: now, open: (button) => intake.sampleOf(button), look, note: (words) => panel.note(words) });
  answer(); // it may have come before this script
  setInterval(tellPresent, PRESENT_EVERY);
  // The browser asks whether to leave: a page that is loaded anew has none of the visitor's films.
  addEventListener("beforeunload", (event) => Object.values(films).some(({ uploaded, gone }) => uploaded && !gone) && event.preventDefault());
}
