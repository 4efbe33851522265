// One answer: the text that was scored, the verdict and why, what is to be doubted, the score and the figures behind it.

import { make } from "../shared/elements.js";
import { score } from "../shared/figures.js";
import { answerLines } from "./answer_lines.js";
import { SpreadBar } from "./spread_bar.js";

const VERDICTS = { present: "\u25cf", absent: "\u25cb", "cannot judge": "\u25cc" }; // a shape beside the word

export class AnswerView {
  constructor(section) {
    this.section = section;
  }

  clear() {
    this.section.hidden = true;
    this.section.replaceChildren();
  }

  show(answer, opinionHidden) {
    const { question, scored, why, warnings } = answer;
    const head = make("h2", "answer-text", scored);
    if (scored !== question) head.append(make("span", "answer-asked", "asked: " + question));
    this.section.replaceChildren(head, this.verdict(answer), make("p", "answer-why", why));
    for (const { words } of warnings) if (words !== why) this.section.append(make("p", "answer-caution", words));
    const lines = answerLines(answer, opinionHidden);
    this.section.append(new SpreadBar(answer).element, this.lines(lines));
    this.section.append(this.fold("Every prompt and its score", this.prompts(answer.spread)));
    this.section.append(this.fold("What these figures are", this.meanings(lines)));
    this.section.hidden = false;
    this.section.scrollTop = 0;
  }

  verdict({ verdict, score: value }) {
    const line = make("p", "answer-verdict");
    line.dataset.verdict = verdict;
    const shape = make("span", "answer-shape", VERDICTS[verdict]);
    shape.ariaHidden = "true";
    line.append(shape, make("span", "answer-word", verdict), make("span", "answer-score", "score " + score(value)));
    return line;
  }

  lines(lines) {
    const list = make("dl", "answer-lines");
    for (const { name, words, note, title = "", doubtful } of lines) {
      const value = make("dd", doubtful ? "doubtful" : "");
      value.append(make("span", "answer-figure", words));
      if (note) value.append(make("span", "answer-note", note));
      value.title = title;
      list.append(make("dt", "", name), value);
    }
    return list;
  }

  fold(title, content) {
    const fold = make("details", "answer-fold");
    fold.append(make("summary", "answer-fold-head", title), content);
    return fold;
  }

  meanings(lines) {
    const list = make("dl", "answer-meanings");
    for (const { name, title } of lines.filter((line) => line.title)) {
      list.append(make("dt", "", name), make("dd", "answer-note", title));
    }
    return list;
  }

  prompts({ prompts }) {
    const list = make("ol", "prompts-list");
    for (const { score: value, positive, negative, paraphrase } of [...prompts].sort((a, b) => b.score - a.score)) {
      const item = make("li", "");
      const wording = make("span", "prompt-words", positive);
      wording.append(make("span", "prompt-against", negative + (paraphrase ? " (paraphrase)" : "")));
      item.append(make("span", "prompt-score", score(value)), wording);
      list.append(item);
    }
    return list;
  }
}
