// The films of Read, shown here too, each with the map of the displayed question.

import { MARGIN_DIGITS } from "../shared/figures.js";
import { NORMAL, noBetterMapWords } from "../shared/finding_words.js";
import { COMMANDS } from "../viewer/keys.js";
import { Lightbox } from "../viewer/lightbox.js";

const QUESTION_WORDS = { next: "Earlier question", previous: "Later question", hide: "Hide or reveal the answers" };
const QUESTION_KEYS = [
  { name: "line", keys: ["/"], shown: "/", words: "Go to the line for questions; Escape leads back" },
  ...COMMANDS.map((command) => ({ ...command, words: QUESTION_WORDS[command.name] ?? command.words })),
];

export class AskedFilms {
  // `callbacks`: those of a Lightbox.
  constructor(side, callbacks) {
    this.lightbox = new Lightbox(side, callbacks, QUESTION_KEYS);
    this.pixels = {}; // by slot, as shown here
  }

  // Show what Read shows; if one of two films stays, it is not drawn again.
  follow({ films, active, windows }) {
    if (this.pixels.b && !films.b) this.takeDown(this.pixels.b === films.a?.pixels ? "a" : "b");
    if (this.pixels.a && !films.a) this.takeDown("a");
    for (const slot of Object.keys(films).sort()) this.showFilm(slot, films[slot]);
    this.lightbox.showNames(films);
    this.lightbox.activate(active);
    this.lightbox.windows = windows;
  }

  showFilm(slot, { film, pixels }) {
    if (this.pixels[slot] === pixels) return;
    this.pixels[slot] = pixels;
    this.lightbox.showFilm(slot, film, pixels);
  }

  takeDown(slot) {
    this.lightbox.clear(slot);
    this.pixels = slot === "a" && this.pixels.b ? { a: this.pixels.b } : slot === "b" ? { a: this.pixels.a } : {};
  }

  // `answer`: the displayed answer for the film in this slot, if there is one.
  draw(slot, answer) {
    if (!answer) return this.lightbox.clearHeat(slot);
    const show = () => this.lightbox.showHeat(slot, viewerMapOf(answer), 0);
    const why = noHeatWords(answer);
    if (!answer.heat) this.lightbox.showNoHeat(slot, "No map. " + answer.no_heat);
    else if (why) this.lightbox.showNoHeat(slot, why, "Show the map anyway", show);
    else show();
  }
}

// The answer's map in the form that the viewer takes: one row, in margins.
function viewerMapOf({ scored, score: value, heat }) {
  return { ...heat, rows: [{ finding: scored, score: value, map: heat.worth }], places: [heat.place], unit: "margin", digits: MARGIN_DIGITS };
}

function noHeatWords({ verdict, spread, taken_for: matchedFinding, heat }) {
  if (matchedFinding?.finding === NORMAL) return "No map: Normal is the absence of findings.";
  if (spread.answer < spread.threshold) return "No map: the text is not flagged.";
  if (verdict === "cannot judge") return "Map hidden: the model cannot answer this question.";
  return noBetterMapWords(heat?.worth);
}
