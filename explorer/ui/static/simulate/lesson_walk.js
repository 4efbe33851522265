// A lesson as steps of the bar: a hidden film with a question, then its truth, its comment, and the number in its
// place. The truth about the film comes with the answer.

import { correctWords } from "../shared/correct_words.js";
import { refusalWords } from "../shared/refusal.js";
import { call } from "../shared/server_calls.js";
import { verdictWords } from "./verdict.js";

// A step of the bar: {words, link, go, mark, question, words of it, place}; `question` is null once it is answered.
export class LessonWalk {
  constructor(server, number, lesson) {
    this.server = server;
    this.number = number;
    this.title = lesson.title;
    this.lesson = lesson;
    this.tally = { hits: 0, n: 0, interval: null };
    this.steps = [...lesson.steps.map((step, at) => this.asking(step, at)), { closing: true, link: null }];
  }

  asking({ before, words, question, link }, at) {
    const lead = at === 0 ? this.lesson.about + " " : "";
    return { words: lead + before, asked: words, question, link, links: [link], go: "Show the film" };
  }

  // The text at a place.
  wordsAt(place) {
    const { closing, words } = this.steps[place];
    if (!closing) return words;
    const own = this.tally.n ? "You: " + correctWords(this.tally) + ". " : "";
    return own + this.lesson.closing;
  }

  // Resolves to the address to be shown now, or to a refusal in words.
  async answer(place, given) {
    const { hits, n } = this.tally;
    const said = await call(this.server.lesson_answer, { lesson: this.number, step: place, answer: given, hits, n });
    if (said.stage !== "judged") return { refused: refusalWords(said) };
    this.tally = said.tally;
    const verdict = said.answered ? verdictWords(said) + " " : "";
    const { link, go, mark } = said.number;
    const before = this.steps[place];
    this.steps[place] = { words: verdict + said.note, question: null, shown: said.shown, models: said.models, link, go, mark, links: [...before.links, said.shown, link] };
    return { shown: said.shown };
  }
}
