// "per film | per study": shown where a cohort has studies of several films. By study, every figure counts the cases of
// the study cohort, which is made first if it is missing or out of date.

import { waitBeforeRepeat } from "../shared/asked_again.js";
import { make } from "../shared/elements.js";
import { percentText } from "../shared/figures.js";
import { markTerm } from "../shared/glossary.js";
import { watchLatest } from "../shared/latest.js";
import { refusalWords } from "../shared/refusal.js";
import { makeButtonChoice } from "./tables.js";

const UNITS = [
  { word: "film", name: "per film" },
  { word: "study", name: "per study" },
];

export class UnitSwitch {
  constructor(evaluate) {
    this.evaluate = evaluate;
  }

  /** @param {ui.evaluate.payload.LeaderboardPayload} answer */
  makeParts({ unit }) {
    if (!unit.offered) return [];
    const box = make("span", "evaluate-choice muted");
    box.append(markTerm(make("span", "", "Count"), "study"), makeButtonChoice("Count", UNITS, unit.counted, (word) => word !== unit.counted && this.countBy(word)));
    return [box];
  }

  // Ask until the studies are ready; another question, or another click, ends that.
  async countBy(unit) {
    const { evaluate } = this;
    evaluate.again.stop();
    evaluate.turn += 1;
    const isLatest = watchLatest(() => evaluate.turn);
    evaluate.setPending(true);
    for (let nth = 0; ; nth += 1) {
      const answer = await evaluate.ask("count_by", { unit });
      if (!isLatest()) return;
      if (answer.stage !== "making") return this.finish(answer);
      evaluate.tools.showWords(answer.step + ": " + percentText(answer.share));
      await new Promise((done) => setTimeout(done, waitBeforeRepeat(nth)));
      if (!isLatest()) return;
    }
  }

  finish(answer) {
    const { evaluate } = this;
    evaluate.setPending(false);
    if (answer.stage !== "counted") return evaluate.tools.showWords(refusalWords(answer));
    evaluate.notice = answer.left_out;
    evaluate.goOn(answer.words);
  }
}
