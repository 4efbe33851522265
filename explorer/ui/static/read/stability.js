// "How stable is this?": the scores of the active film after small changes, once the visitor asks. Its button opens and
// folds the answer: a sentence above the list, a band behind each bar, and a line below each finding that is not stable.

import { make } from "../shared/elements.js";
import { rangeText, scoreText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer, explainMissingFilm } from "../shared/server_calls.js";

const ASKING = "Scoring 24 small changes of this film\u2026";
const BAND_WORDS = "The band behind a bar holds the scores after these changes, without the two lowest and the two highest. It is this film's alone, also where two films are one study.";
// How often calls were wrong: `python -m tests.benchmarks.stability` prints these figures, see docs/stress.md.
const NO_MORE = "So this tells no more than the distance from the threshold does.";
const WORTH_WORDS = {
  real: "By nih-linear-probe on 300 unseen films, 51 % [48\u201356] of 522 unstable calls were wrong and 31 % [28\u201334] of 3,378 stable ones, but also 51 % [47\u201355] of as many calls nearest to their threshold. " + NO_MORE,
  simulated: "By phantom on 300 SIMULATED test films, 41 % [37\u201346] of 393 unstable calls were wrong and 10 % [9\u201311] of 8,307 stable ones, but also 44 % [39\u201348] of as many calls nearest to their threshold. " + NO_MORE,
};

// A line for the details of a finding: how often its score reaches the threshold, and the band.
/** @param {reading.stability_json.FindingStabilityAnswer} stability */
export function stabilityText({ says, low, high }) {
  const band = "scores " + rangeText([scoreText(low), scoreText(high)]);
  return says ? says + "; " + band : band;
}

export class Stability {
  // `now()`: the active film; `hidden()`: whether its opinion is hidden; `changed()`: the answer is there, or folded.
  constructor(room, { server, findings, now, hidden, changed }) {
    this.button = room.querySelector(".stability-ask");
    this.section = room.querySelector(".stability");
    this.server = server;
    this.findings = findings;
    this.now = now;
    this.hidden = hidden;
    this.changed = changed;
    this.button.addEventListener("click", () => this.toggle(now()));
  }

  // The stability of a finding of the active film, where it is shown.
  of(finding) {
    const { stability } = this.now() ?? {};
    return stability?.open ? stability.answer?.findings.find((each) => each.finding === finding) : undefined;
  }

  async toggle(item) {
    const known = item.stability;
    item.stability = known && !known.failed ? { ...known, open: !known.open } : { open: true };
    this.show(item);
    if (known && !known.failed) return this.changed();
    const sameReading = watchLatest(() => item.opinion);
    const answer = (await callServer(this.server.stability, item.token)) ?? (await explainMissingFilm(this.server, item.token));
    if (!sameReading()) return;
    const { open } = item.stability;
    item.stability = answer.stage === "stability" ? { open, answer } : { open, failed: refusalWords(answer) };
    if (item !== this.now() || this.hidden()) return;
    this.show(item);
    this.changed();
  }

  // Draws what is known of the active film; without an opinion there is nothing to ask.
  show(item) {
    const isRead = item?.stage === "read" && !this.hidden();
    const { open = false, answer, failed } = item?.stability ?? {};
    const isOpen = isRead && open;
    this.button.hidden = !isRead;
    this.button.setAttribute("aria-expanded", String(isOpen));
    this.section.hidden = !isOpen;
    this.section.replaceChildren(...(isOpen ? this.makeAnswer(answer, failed, item.film.simulated) : []));
    this.findings.markStability(isOpen && answer ? answer.findings : []);
  }

  /** @param {ui.read.payload.StabilityPayload | undefined} answer */
  makeAnswer(answer, failed, simulated) {
    const says = make("p", "stability-says", answer ? answer.says || BAND_WORDS : (failed ?? ASKING));
    says.setAttribute("role", "status");
    return answer ? [says, makeFold(answer, simulated ? WORTH_WORDS.simulated : WORTH_WORDS.real)] : [says];
  }
}

function makeFold({ changes }, worth) {
  const fold = make("details", "");
  const names = changes.map((name) => name.replace(/-1(?=$|-)/, "").replaceAll("-", " ")).join(", ");
  fold.append(make("summary", "stability-fold", "What this means"), make("p", "stability-detail", BAND_WORDS), make("p", "stability-detail", worth), make("p", "stability-detail", "The changes: " + names + "."));
  return fold;
}
