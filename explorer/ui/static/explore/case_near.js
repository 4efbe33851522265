// The other films of the study, and the cases with the nearest features: the outcome of the chosen finding there, their
// distance, their findings.

import { breakable, make } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { outcomeBadge } from "../shared/outcome.js";
import { makeWords, refusalWords } from "../shared/refusal.js";

const FEW = 3; // findings named per near case

export class CaseNear {
  constructor(section, open) {
    this.section = section;
    this.open = open;
    this.clear();
  }

  clear() {
    this.answer = null;
    this.section.replaceChildren();
  }

  show(answer, finding) {
    this.answer = answer;
    this.choose(finding);
  }

  choose(finding) {
    if (!this.answer) return;
    const { stage, cases, words, same_study: study } = this.answer;
    const parts = study?.length ? [make("h3", "", "Same study"), this.list(study.map((film) => this.film(film)))] : [];
    parts.push(make("h3", "", "Nearest cases by features"));
    if (stage === "near") {
      parts.push(this.list(cases.map((near) => this.item(near, finding))), make("p", "case-source", words));
    } else parts.push(makeWords("p", "case-source", refusalWords(this.answer)));
    this.section.replaceChildren(...parts);
  }

  list(items) {
    const list = make("ul", "case-nearest");
    list.append(...items);
    return list;
  }

  film({ id, thumb, case: name, file, view }) {
    const item = make("li", "");
    const button = caseLink("case-near-film", id, this.open);
    button.append(caseThumb(thumb, file || name), make("span", "case-near-labels", view === "unknown" ? "view not known" : view));
    item.append(button);
    return item;
  }

  item(near, finding) {
    const { id, thumb, case: name, file, outcomes, words } = near;
    const item = make("li", "");
    const button = caseLink("case-near-film", id, this.open);
    button.append(caseThumb(thumb, file || name), outcomeBadge(outcomes[finding]), make("span", "case-near-labels", labelWords(near, FEW)));
    button.append(make("span", "case-near-far", words));
    item.append(button);
    return item;
  }
}

function caseLink(className, id, open, words = "") {
  const button = make("button", className, words);
  button.type = "button";
  button.addEventListener("click", () => open(id));
  return button;
}

// A thumbnail; without one, the name of the film's file.
function caseThumb(source, file) {
  const frame = make("span", "case-thumb");
  const nothing = breakable("case-thumb-file", file);
  if (source) {
    const image = make("img", "");
    image.addEventListener("error", () => image.replaceWith(nothing));
    frame.append(Object.assign(image, { alt: "", loading: "lazy", src: source }));
  } else frame.append(nothing);
  return frame;
}
