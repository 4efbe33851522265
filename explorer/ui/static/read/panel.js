// The column beside the film: which film, whether it can be read, what the model says, where to go on.

import { make, placeLink } from "../shared/elements.js";
import { FilmNames } from "../shared/film_names.js";
import { FilmStatus } from "../shared/film_status.js";
import { headlineOf, isFar } from "../shared/finding_words.js";
import { showModel, timesWords } from "../shared/made_with.js";
import { makeWords, showWords } from "../shared/refusal.js";
import { showChanged } from "./between_films.js";
import { Findings } from "./findings.js";
import { NOTHING_BEHIND, joinWords } from "./join.js";
import { showNothingChosen, showNumbers } from "./numbers.js";

const UNSEEN_MARKS = "\u25c7 marks the score of a model that was not trained on it.";

export class Panel extends FilmStatus {
  // `callbacks`: choose(finding), activate(slot), anyway(), amend(remedy), reveal(), save(kind).
  constructor(room, callbacks) {
    super(room);
    this.callbacks = callbacks;
    this.filmNames = new FilmNames(this.part("film-names"), callbacks.activate);
    this.findings = new Findings(this.part("findings"), callbacks.choose);
    this.part("exports").addEventListener("click", (event) => {
      const button = event.target.closest("[data-export]");
      if (button) callbacks.save(button.dataset.export);
    });
  }

  clear() {
    this.findings.clear();
    this.alike("");
    this.between(null);
    this.training(null);
    this.part("numbers").hidden = this.part("exports").hidden = this.part("made-as").hidden = true;
    for (const name of ["notes", "made-model"]) this.part(name).replaceChildren();
  }

  film({ film, opinion }) {
    this.part("notes").replaceChildren(...film.notes.map((note) => make("li", "note", note)));
    this.times = timesWords({ decode: film.decode_ms, ...opinion?.times_ms, draw: film.draw_ms });
  }

  // The film of the simulator that its file names. The link reveals what is on the film.
  madeAs({ film: { made_as: made } }) {
    this.part("made-as").hidden = !made;
    if (!made) return;
    const link = placeLink("", "Open in Simulate", made.link);
    link.title = made.case + ", as the file says";
    this.part("made-as").replaceChildren(link, " to see what is really there.");
  }

  opinion(item, scores) {
    const { opinion, maps } = item;
    const { model, verdict, rows, not_looked_for: unknown, finding_free: free, thresholds_chosen: thresholds } = opinion;
    this.part("ways").replaceChildren();
    this.headline(item);
    this.offer(verdict.remedy, this.callbacks);
    this.part("verdict").classList.toggle("overruled", verdict.cautions.length > 0);
    this.findings.show(rows, unknown, free, thresholds);
    this.findings.beside(scores);
    this.alike(maps.alike);
    showModel(this.part("made-model"), model);
    this.part("exports").hidden = false;
  }

  // A refused film has the gate's reason as its headline; nothing in the list stands out below such a warning.
  headline(item) {
    const { title, detail } = headlineOf(item);
    const { readable, cautions } = item.opinion.verdict;
    const may = readable ? "Frontal chest film" : "";
    this.part("word-title").textContent = title;
    showWords(this.part("word-detail"), detail);
    this.part("verdict").textContent = [may, ...cautions].filter(Boolean).join(readable ? ". " : " ");
    this.part("findings").classList.toggle("warned-of", !readable || isFar(item));
  }

  chosen({ opinion }, finding) {
    const row = opinion.rows.find((each) => each.finding === finding);
    this.findings.mark(finding);
    this.row = row;
    this.join = undefined;
    this.showNumbers();
  }

  // What the cohort says of the chosen finding, and whether the film resembles its films; undefined: not known yet.
  behind(item) {
    const { join } = item;
    this.headline(item);
    this.join = join;
    this.training(join?.training);
    this.showNumbers();
  }

  showNumbers() {
    if (!this.row) return showNothingChosen(this.part("numbers"));
    const behind = this.join ? joinWords(this.join, this.row) : { ...NOTHING_BEHIND, clause: this.row.right_words };
    const { finding } = this.row;
    const others = { beside: this.findings.scores[finding], unseen: this.join?.training?.unseen[finding] };
    showNumbers(this.part("numbers"), this.row, others, behind, this.times);
  }

  // A note that the model was trained on this film, and the scores of a model that was not.
  training(film) {
    const marked = film && Object.keys(film.unseen).length ? " " + UNSEEN_MARKS : "";
    this.part("training-film").textContent = film ? film.says + marked : "";
    this.part("training-film").hidden = !film;
    this.findings.unseen(film?.unseen ?? {});
  }

  // A sentence where the maps of this film's findings are alike.
  alike(words) {
    this.part("alike-maps").textContent = words;
    this.part("alike-maps").hidden = !words;
  }

  // The state of a second model: still asked, or the reason why it has no scores.
  besideSays(words) {
    this.findings.list.querySelector(".beside-failed")?.remove();
    if (!words) return;
    const said = makeWords("p", "beside-failed", words);
    said.setAttribute("role", "status");
    this.findings.list.prepend(said);
  }

  // The film beside was read while this one is looked at.
  beside(scores) {
    this.findings.beside(scores);
    if (!this.part("numbers").hidden) this.showNumbers();
  }

  // What changed between two films; null where there is one, or one is not read.
  between(films) {
    showChanged(this.part("between"), films, this.callbacks.choose);
  }

  hidden(filmFirst) {
    this.say("The model's opinion is hidden", "Look at the film first.");
    this.way("Reveal", "way-reveal", this.callbacks.reveal);
    const label = make("label", "film-first");
    const box = make("input", "");
    box.type = "checkbox";
    box.checked = filmFirst;
    label.append(box, "Hide it for the next films too");
    this.part("ways").append(label);
  }
}
