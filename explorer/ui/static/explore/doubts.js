// Labels that a rule speaks against, with the films.

import { make } from "../shared/elements.js";
import { plural, whole } from "../shared/figures.js";
import { whereFrom } from "./gallery.js";
import { ExplorePanel, filmButton, said } from "./panel_base.js";

const FIRST_DOUBTS = 12;

export class Doubts extends ExplorePanel {
  question = "label_issues";

  draw(answer) {
    const head = make("header", "panel-head-line");
    head.append(said(answer));
    this.box.replaceChildren(head, ...answer.rules.map((rule) => this.rule(rule)));
  }

  rule({ rule, title, explains, total, doubts, excluded }) {
    const section = make("section", "doubts");
    section.dataset.rule = rule;
    const head = make("h2", "doubts-title", title);
    head.append(make("span", "panel-count", total ? whole(total) : "none"));
    section.append(head, make("p", "doubts-explains", explains));
    if (excluded.length) section.append(this.excluded(excluded));
    const list = make("ul", "doubts-list");
    for (const doubt of doubts) list.append(this.doubt(doubt));
    for (const place of [...list.children].slice(FIRST_DOUBTS)) place.hidden = true;
    section.append(list);
    if (doubts.length > FIRST_DOUBTS) section.append(this.more(list, doubts.length, total));
    return section;
  }

  more(list, shown, total) {
    const button = make("button", "panel-link", shown - FIRST_DOUBTS + " more" + (total > shown ? ", of " + whole(total) + " the strongest " + shown : ""));
    button.type = "button";
    button.addEventListener("click", () => {
      for (const place of list.children) place.hidden = false;
      list.children[FIRST_DOUBTS].querySelector("button")?.focus();
      button.remove();
    });
    return button;
  }

  excluded(excluded) {
    const box = make("details", "doubts-excluded");
    box.append(make("summary", "", plural(excluded.length, "finding") + " left out"));
    const list = make("ul", "");
    for (const { finding, why } of excluded) list.append(make("li", "", finding + ": " + why));
    box.append(list);
    return box;
  }

  doubt({ reason, films }) {
    const place = make("li", "doubt");
    const pictures = make("span", "doubt-films");
    for (const film of films) pictures.append(filmButton(film, this.explore));
    const text = make("span", "doubt-words");
    text.append(make("span", "doubt-reason", reason));
    for (const film of films) text.append(make("span", "doubt-labels", whereFrom(film) + ": " + (film.present.join(", ") || "no finding labelled")));
    place.append(pictures, text);
    return place;
  }
}
