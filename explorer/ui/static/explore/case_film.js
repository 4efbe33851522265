// The film side of the case view: film, boxes, masks and map of the chosen finding, or a substitute for a missing film.

import { whyNoMap } from "../shared/finding_words.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";
import { COMMANDS, bindKeys, isInFront } from "../viewer/keys.js";
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
  { name: "star", keys: ["s"], shown: "S", words: "Star or unstar the case" },
];
const UNUSED_KEYS = ["next", "previous", "hide", "link", "other", "present"]; // of the viewer's own keys
const FILM_KEYS = COMMANDS.filter(({ name }) => !UNUSED_KEYS.includes(name));

export class CaseFilm {
  // `callbacks`: step(delta), toggleOpinion(), star(), present(), finding(), clicked(slot, point), go("previous" or "next"),
  // folder(path) that resolves to a refusal or null.
  constructor(dialog, callbacks) {
    this.lightbox = new Lightbox(
      dialog.querySelector(".film-side"),
      {
        step: callbacks.step,
        toggleOpinion: callbacks.toggleOpinion,
        activated: () => {},
        closed: () => {},
        clicked: callbacks.clicked,
        more: {
          boxes: () => this.lightbox.setBoxes(!this.lightbox.boxesOn),
          masks: () => this.lightbox.setMasks(!this.lightbox.masksOn),
          nextCase: () => callbacks.go("next"),
          previousCase: () => callbacks.go("previous"),
          star: callbacks.star,
          present: callbacks.present,
          finding: callbacks.finding,
        },
      },
      [...CASE_KEYS, ...FILM_KEYS],
    );
    this.noFilm = new MissingFilm(dialog.querySelector(".no-film"), callbacks.folder);
    // The viewer listens while it has a film; these keys work without one too.
    const { lightbox } = this;
    bindKeys(CASE_KEYS, () => lightbox.keyList.keysOn && isInFront(dialog), (name) => lightbox.run(name), () => {});
  }

  // Hide the previous film and the text around it; the toolbar stays in place.
  showWaiting() {
    this.lightbox.side.classList.add("waiting");
    this.lightbox.showBoxes("a", []);
    this.lightbox.showMasks("a", []);
    this.lightbox.clearHeat("a");
    this.noFilm.clear();
  }

  // `pixels`: from unpackFilm; null: there is no film, `answer` says why.
  show(answer, pixels) {
    this.lightbox.side.classList.remove("waiting");
    if (pixels) return this.lightbox.showFilm("a", answer.film, pixels);
    this.lightbox.clear("a");
    this.noFilm.show(answer);
  }

  clear() {
    this.lightbox.clear("a");
    this.noFilm.clear();
  }

  cover(covered) {
    this.lightbox.hideOpinion(covered);
    if (covered) this.noFilm.showFileName("");
  }

  // Boxes, masks and the map of the chosen finding, as far as they have arrived. `whyNone`: why none of them may lie over
  // the picture that is shown, or "".
  /** @param {{facts?: any, masks?: any, maps: any, finding?: string, hasFilm?: boolean}} item */
  draw({ facts, masks, maps, finding, hasFilm }, whyNone) {
    if (facts?.stage === "case") this.noFilm.showFileName(facts.file);
    if (!hasFilm) return;
    if (whyNone) return this.drawNothing(whyNone);
    if (facts?.boxes && !facts.masked) this.lightbox.showBoxes("a", facts.boxes, finding); // masks show the same exactly
    if (masks?.masks) this.lightbox.showMasks("a", masks.masks, finding);
    const { heat, rows, verdict } = maps[finding] ?? {};
    const index = heat?.findings.indexOf(finding) ?? -1;
    if (index < 0) return this.lightbox.clearHeat("a");
    const mapped = heat.findings.map((each) => rows.find((row) => row.finding === each));
    const show = () => this.lightbox.showHeat("a", { ...heat, rows: mapped }, index);
    const why = verdict.readable ? whyNoMap(mapped[index]) : verdict.reason;
    if (why) this.lightbox.showNoHeat("a", why, "Show the map anyway", show);
    else show();
  }

  drawNothing(why) {
    this.lightbox.showBoxes("a", []);
    this.lightbox.showMasks("a", []);
    this.lightbox.showNoHeat("a", why);
  }
}

// The substitute for a missing film: the name of its file, and how to supply it.
class MissingFilm {
  // `use(path)`: called with a typed folder.
  constructor(box, use) {
    this.box = box;
    this.find("no-film-folder").addEventListener("submit", (event) => {
      event.preventDefault();
      this.takeFolder(use);
    });
    this.find("no-film-copy").addEventListener("click", (event) => copyText(this.find("no-film-command code").textContent, event.currentTarget));
  }

  find(name) {
    return this.box.querySelector("." + name);
  }

  async takeFolder(use) {
    const path = this.find("no-film-path");
    this.find("no-film-said").textContent = "Looking for the films";
    const refusal = await use(path.value);
    showWithCommands(this.find("no-film-said"), refusal ? refusalWords(refusal) : "");
    if (!refusal) path.value = "";
  }

  /** @param {ui.explore.case_film.MissingFilmPayload} missing */
  show({ title, detail = "", command = "", choose = false }) {
    this.box.classList.add("shown");
    this.find("no-film-folder").hidden = !choose;
    this.find("no-film-said").textContent = "";
    this.find("no-film-title").textContent = title;
    showWithCommands(this.find("no-film-detail"), detail);
    this.find("no-film-command").hidden = !command;
    this.find("no-film-command code").textContent = command;
  }

  // The name of the file; it may reveal what is hidden.
  showFileName(file) {
    this.find("no-film-file").textContent = file;
  }

  clear() {
    this.box.classList.remove("shown");
    this.showFileName("");
  }
}
