// The other films of the study, and the cases with the nearest features: the outcome of the chosen finding there, their
// distance, their findings.

import { make, makeBreakable } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { makeWithCommands, refusalWords } from "../shared/refusal.js";

const FINDINGS_NAMED = 3; // findings named per near case

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
    const parts = study?.length ? [make("h3", "", "Same study"), this.makeList(study.map((film) => this.makeStudyFilm(film)))] : [];
    parts.push(make("h3", "", "Nearest cases by features"));
    if (stage === "near") {
      parts.push(this.makeList(cases.map((near) => this.makeNearCase(near, finding))), make("p", "case-source", words));
    } else parts.push(makeWithCommands("p", "case-source", refusalWords(this.answer)));
    this.section.replaceChildren(...parts);
  }

  makeList(items) {
    const list = make("ul", "case-nearest");
    list.append(...items);
    return list;
  }

  makeStudyFilm({ id, thumb, case: name, file, view }) {
    const item = make("li", "");
    const button = makeCaseLink("case-near-film", id, this.open);
    button.append(makeCaseThumb(thumb, file || name), make("span", "case-near-labels", view === "unknown" ? "view not known" : view));
    item.append(button);
    return item;
  }

  makeNearCase(nearCase, finding) {
    const { id, thumb, case: name, file, outcomes, words } = nearCase;
    const item = make("li", "");
    const button = makeCaseLink("case-near-film", id, this.open);
    button.append(makeCaseThumb(thumb, file || name), makeOutcomeBadge(outcomes[finding]), make("span", "case-near-labels", labelWords(nearCase, FINDINGS_NAMED)));
    button.append(make("span", "case-near-far", words));
    item.append(button);
    return item;
  }
}

function makeCaseLink(className, id, open, words = "") {
  const button = make("button", className, words);
  button.type = "button";
  button.addEventListener("click", () => open(id));
  return button;
}

// A thumbnail or, if there is none, the name of the film's file.
function makeCaseThumb(source, file) {
  const frame = make("span", "case-thumb");
  const nothing = makeBreakable("case-thumb-file", file);
  if (source) {
    const image = make("img", "");
    image.addEventListener("error", () => image.replaceWith(nothing));
    frame.append(Object.assign(image, { alt: "", loading: "lazy", src: source }));
  } else frame.append(nothing);
  return frame;
}
