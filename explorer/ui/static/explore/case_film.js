// The film side of the case view: film, boxes, masks and map of the chosen finding, or a substitute for a missing film.

import { whyNoMap } from "../shared/finding_words.js";
import { refusalWords, showWords } from "../shared/refusal.js";
import { COMMANDS, bindKeys, inFront } from "../viewer/keys.js";
import { Lightbox } from "../viewer/lightbox.js";
import { copyText } from "./case_steps.js";

const CASE_KEYS = [
  { name: "nextCase", keys: ["ArrowRight"], shown: "\u2192", words: "Next case of the slice" },
  { name: "previousCase", keys: ["ArrowLeft"], shown: "\u2190", words: "Previous case of the slice" },
  { name: "next", keys: ["ArrowDown"], shown: "\u2193", words: "Next finding" },
  { name: "previous", keys: ["ArrowUp"], shown: "\u2191", words: "Previous finding" },
  { name: "boxes", keys: ["b"], shown: "B", words: "Show or hide the boxes" },
  { name: "masks", keys: ["m"], shown: "M", words: "Show or hide the masks" },
  { name: "hide", keys: ["h"], shown: "H", words: "Hide or reveal labels and scores, of later cases too" },
  COMMANDS.find(({ name }) => name === "present"),
  { name: "star", keys: ["s"], shown: "S", words: "Star the case, or take its star away" },
];
const NOT_FOR_CASES = ["next", "previous", "hide", "link", "other", "present"]; // of the viewer's own keys
const FILM_KEYS = COMMANDS.filter(({ name }) => !NOT_FOR_CASES.includes(name));

export class CaseFilm {
  // `callbacks`: step(delta), toggleOpinion(), star(), present(), go("previous" or "next"), folder(path) that resolves to a refusal or null.
  constructor(dialog, callbacks) {
    this.lightbox = new Lightbox(
      dialog.querySelector(".film-side"),
      {
        step: callbacks.step,
        toggleOpinion: callbacks.toggleOpinion,
        activated: () => {},
        closed: () => {},
        more: {
          boxes: () => this.lightbox.setBoxes(!this.lightbox.boxesOn),
          masks: () => this.lightbox.setMasks(!this.lightbox.masksOn),
          nextCase: () => callbacks.go("next"),
          previousCase: () => callbacks.go("previous"),
          star: callbacks.star,
          present: callbacks.present,
        },
      },
      [...CASE_KEYS, ...FILM_KEYS],
    );
    this.noFilm = new NoFilm(dialog.querySelector(".no-film"), callbacks.folder);
    // The viewer listens while it has a film; these keys work without one too.
    const { lightbox } = this;
    bindKeys(CASE_KEYS, () => lightbox.keyList.keysOn && inFront(dialog), (name) => lightbox.run(name), () => {});
  }

  // Hide the last film and the text around it; the toolbar stays in place.
  wait() {
    this.lightbox.side.classList.add("waiting");
    this.lightbox.boxes("a", []);
    this.lightbox.masks("a", []);
    this.lightbox.clearHeat("a");
    this.noFilm.clear();
  }

  // `pixels`: from unpackFilm; null: there is no film, `answer` says why.
  show(answer, pixels) {
    this.lightbox.side.classList.remove("waiting");
    if (pixels) return this.lightbox.put("a", answer.film, pixels);
    this.lightbox.clear("a");
    this.noFilm.show(answer);
  }

  clear() {
    this.lightbox.clear("a");
    this.noFilm.clear();
  }

  cover(covered) {
    this.lightbox.hideOpinion(covered);
    if (covered) this.noFilm.name("");
  }

  // Boxes, masks and the map of the chosen finding, as far as they have come.
  /** @param {{facts?: any, masks?: any, maps: any, finding?: string, hasFilm?: boolean}} item */
  draw({ facts, masks, maps, finding, hasFilm }) {
    if (facts?.stage === "case") this.noFilm.name(facts.file);
    if (!hasFilm) return;
    if (facts?.boxes && !facts.masked) this.lightbox.boxes("a", facts.boxes, finding); // masks show the same exactly
    if (masks?.masks) this.lightbox.masks("a", masks.masks, finding);
    const { heat, rows, verdict } = maps[finding] ?? {};
    const index = heat?.findings.indexOf(finding) ?? -1;
    if (index < 0) return this.lightbox.clearHeat("a");
    const mapped = heat.findings.map((each) => rows.find((row) => row.finding === each));
    const show = () => this.lightbox.heat("a", { ...heat, rows: mapped }, index);
    const why = verdict.readable ? whyNoMap(mapped[index]) : verdict.reason;
    if (why) this.lightbox.noHeat("a", why, "Show the map anyway", show);
    else show();
  }
}

// The substitute for a missing film: the name of its file, and how to supply it.
class NoFilm {
  // `use(path)`: called with a typed folder.
  constructor(box, use) {
    this.box = box;
    this.part("no-film-folder").addEventListener("submit", (event) => {
      event.preventDefault();
      this.take(use);
    });
    this.part("no-film-copy").addEventListener("click", (event) => copyText(this.part("no-film-command code").textContent, event.currentTarget));
  }

  part(name) {
    return this.box.querySelector("." + name);
  }

  async take(use) {
    const path = this.part("no-film-path");
    this.part("no-film-said").textContent = "Looking for the films";
    const refusal = await use(path.value);
    showWords(this.part("no-film-said"), refusal ? refusalWords(refusal) : "");
    if (!refusal) path.value = "";
  }

  /** @param {ui.explore.case_film.MissingFilmPayload} missing */
  show({ title, detail = "", command = "", choose = false }) {
    this.box.classList.add("shown");
    this.part("no-film-folder").hidden = !choose;
    this.part("no-film-said").textContent = "";
    this.part("no-film-title").textContent = title;
    showWords(this.part("no-film-detail"), detail);
    this.part("no-film-command").hidden = !command;
    this.part("no-film-command code").textContent = command;
  }

  // The name of the file; it may reveal what is hidden.
  name(file) {
    this.part("no-film-file").textContent = file;
  }

  clear() {
    this.box.classList.remove("shown");
    this.name("");
  }
}
