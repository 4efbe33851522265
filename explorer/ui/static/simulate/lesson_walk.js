// A lesson as steps of the bar: a hidden film with a question, then its truth, its comment, and the number in its
// place. The truth about the film comes with the answer.

import { correctWords } from "../shared/correct_words.js";
import { refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { verdictText } from "./verdict.js";

// A step of the bar: {words, link, go, mark, question, words of it, place}; `question` is null once it is answered.
export class LessonWalk {
  constructor(server, number, lesson) {
    this.server = server;
    this.number = number;
    this.title = lesson.title;
    this.lesson = lesson;
    this.tally = { hits: 0, n: 0, interval: null };
    this.steps = [...lesson.steps.map((step, at) => this.makeStep(step, at)), { closing: true, link: null }];
  }

  makeStep({ before, words, question, link }, at) {
    const lead = at === 0 ? this.lesson.about + " " : "";
    return { words: lead + before, asked: words, question, link, links: [link], go: "Show the film" };
  }

  // The text at a place.
  wordsAt(place) {
    const { closing, words } = this.steps[place];
    if (!closing) return words;
    const ownScore = this.tally.n ? "You: " + correctWords(this.tally) + ". " : "";
    return ownScore + this.lesson.closing;
  }

  // Resolves to the address to be shown now, or to a refusal in words.
  async sendAnswer(place, given) {
    const { hits, n } = this.tally;
    const answer = await callServer(this.server.lesson_answer, { lesson: this.number, step: place, answer: given, hits, n });
    if (answer.stage !== "judged") return { refused: refusalWords(answer) };
    this.tally = answer.tally;
    const verdict = answer.answered ? verdictText(answer) + " " : "";
    const { link, go, mark } = answer.number;
    const step = this.steps[place];
    this.steps[place] = { words: verdict + answer.note, question: null, shown: answer.shown, models: answer.models, link, go, mark, links: [...step.links, answer.shown, link] };
    return { shown: answer.shown };
  }
}
