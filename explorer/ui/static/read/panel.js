// The column beside the film: which film, whether it can be read, what the model says, where to go next.

import { make, makePlaceLink } from "../shared/elements.js";
import { FilmNames } from "../shared/film_names.js";
import { FilmStatus } from "../shared/film_status.js";
import { headlineWords, isFarFromTestFilms } from "../shared/finding_words.js";
import { showModel, timesWords } from "../shared/made_with.js";
import { makeWithCommands, showWithCommands } from "../shared/refusal.js";
import { FindingsList } from "./findings.js";
import { NO_COHORT_WORDS, cohortWords } from "./join.js";
import { lateralTitle } from "./lateral.js";
import { showMapPlace } from "./map_place.js";
import { showNothingChosen, showNumbers } from "./numbers.js";

const UNSEEN_MARKS = "\u25c7 marks the score of a model that was not trained on it.";

export class ReadPanel extends FilmStatus {
  // `callbacks`: choose(finding), activate(slot), anyway(), amend(remedy), reveal(), save(kind), stabilityOf(finding).
  constructor(room, callbacks) {
    super(room);
    this.callbacks = callbacks;
    this.filmNames = new FilmNames(this.find("film-names"), callbacks.activate);
    this.findings = new FindingsList(this.find("findings"), callbacks.choose);
    this.find("exports").addEventListener("click", (event) => {
      const button = event.target.closest("[data-export]");
      if (button) callbacks.save(button.dataset.export);
    });
  }

  clear() {
    this.findings.clear();
    this.showAlikeMaps("");
    this.showTraining(null);
    this.find("numbers").hidden = this.find("exports").hidden = this.find("made-as").hidden = true;
    for (const name of ["notes", "made-model"]) this.find(name).replaceChildren();
  }

  showFilmFacts({ film, opinion }) {
    this.find("notes").replaceChildren(...film.notes.map((note) => make("li", "note", note)));
    this.times = timesWords({ decode: film.decode_ms, ...opinion?.times_ms, draw: film.draw_ms });
  }

  // The film of the simulator that its file names. The link reveals what is on the film.
  showMadeAs({ film: { made_as: simulated } }) {
    this.find("made-as").hidden = !simulated;
    if (!simulated) return;
    const link = makePlaceLink("", "Open in Simulate", simulated.link);
    link.title = simulated.case + ", as the file says";
    this.find("made-as").replaceChildren(link, " to see what is really there.");
  }

  showOpinion(item, scores) {
    const { opinion, maps } = item;
    const { model, verdict, rows, not_looked_for: unknown, finding_free: free, thresholds_chosen: thresholds } = opinion;
    this.find("ways").replaceChildren();
    this.showHeadline(item);
    this.offerRemedy(verdict.remedy, this.callbacks);
    this.find("verdict").classList.toggle("overruled", verdict.cautions.length > 0);
    this.findings.show(rows, unknown, free, thresholds);
    this.findings.markOtherFilm(scores);
    this.showAlikeMaps(maps.alike);
    showModel(this.find("made-model"), model);
    this.find("exports").hidden = false;
  }

  // A refused film has the gate's reason as its headline; nothing in the list stands out below such a warning.
  showHeadline(item) {
    const { title, detail } = headlineWords(item);
    const { readable, cautions } = item.opinion.verdict;
    const may = readable ? "Frontal chest film" : "";
    this.find("word-title").textContent = title;
    showWithCommands(this.find("word-detail"), detail);
    this.find("verdict").textContent = [may, ...cautions].filter(Boolean).join(readable ? ". " : " ");
    this.find("findings").classList.toggle("warned-of", !readable || isFarFromTestFilms(item));
  }

  showChosen({ opinion, maps }, finding) {
    this.maps = maps;
    const row = opinion.rows.find((each) => each.finding === finding);
    this.findings.markChosen(finding);
    this.row = row;
    this.join = undefined;
    this.showNumbers();
  }

  // What the cohort says about the chosen finding, and whether the film resembles its films; undefined: not known yet.
  showCohort(item) {
    const { join } = item;
    this.showHeadline(item);
    this.join = join;
    this.showTraining(join?.training);
    this.showNumbers();
  }

  showNumbers() {
    if (!this.row) return showNothingChosen(this.find("numbers"));
    const behind = this.join ? cohortWords(this.join, this.row) : { ...NO_COHORT_WORDS, clause: this.row.right_words };
    const { finding } = this.row;
    const others = { beside: this.findings.scores[finding], unseen: this.join?.training?.unseen[finding], stability: this.callbacks.stabilityOf(finding) };
    showNumbers(this.find("numbers"), this.row, others, behind, this.times);
    this.showMapPlace();
  }

  // A map of the film has arrived.
  showMapPlace() {
    if (this.row) showMapPlace(this.find("numbers"), this.maps, this.row.finding);
  }

  // A note that the model was trained on this film, and the scores of a model that was not.
  showTraining(film) {
    const marked = film && Object.keys(film.unseen).length ? " " + UNSEEN_MARKS : "";
    this.find("training-film").textContent = film ? film.says + marked : "";
    this.find("training-film").hidden = !film;
    this.findings.markUnseenScores(film?.unseen ?? {});
  }

  // A sentence where the maps of this film's findings are alike.
  showAlikeMaps(words) {
    this.find("alike-maps").textContent = words;
    this.find("alike-maps").hidden = !words;
  }

  // The state of a second model: still being asked, or the reason why it has no scores.
  showSecondModelState(words) {
    this.findings.list.querySelector(".beside-failed")?.remove();
    if (!words) return;
    const note = makeWithCommands("p", "beside-failed", words);
    note.setAttribute("role", "status");
    this.findings.list.prepend(note);
  }

  // The other film was read while this one is being viewed.
  showSecondModel(scores) {
    this.findings.markOtherFilm(scores);
    if (!this.find("numbers").hidden) this.showNumbers();
  }

  // A lateral film that the model does not read. `frontal`: {words, take} leads to the study's frontal film, or null.
  showLateral({ refusal }, frontal, anyway) {
    this.show(lateralTitle(refusal), refusal.verdict.reason);
    if (frontal) this.addButton(frontal.words, "way-frontal", frontal.take);
    this.addButton("Read it anyway", "way-anyway", anyway);
  }

  showHidden(filmFirst) {
    this.show("The model's opinion is hidden", "Look at the film first.");
    this.addButton("Reveal", "way-reveal", this.callbacks.reveal);
    const label = make("label", "film-first muted");
    const box = make("input", "");
    box.type = "checkbox";
    box.checked = filmFirst;
    label.append(box, "Hide it for the next films too");
    this.find("ways").append(label);
  }
}
