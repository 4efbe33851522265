// Labels that a rule contradicts, with their films.

import { make } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { NEGATIVES_HEAD, countText, wholeText } from "../shared/figures.js";
import { originText } from "./gallery.js";
import { ExplorePanel, makeCountedSentence, makeFilmButton, makePlainWords } from "./panel_base.js";

const FIRST_ISSUES = 12;
const HOW_TO_READ = "Labels that may be wrong. None of these is proof: open the film and look.";

export class LabelIssues extends ExplorePanel {
  /** @override */
  question = "label_issues";

  /**
   * @override
   * @param {ui.explore.panel_calls.IssuesPanelPayload} answer
   */
  draw(answer) {
    const head = make("header", "panel-head-line flex-row flex-wraps");
    head.append(makeCountedSentence(answer));
    this.box.replaceChildren(head, makePlainWords(HOW_TO_READ), ...answer.rules.map((rule) => this.makeRule(rule)));
  }

  makeRule({ rule, title, explains, checked, total, issues, excluded, looked_at: lookedAt }) {
    const section = make("section", "issues");
    section.dataset.rule = rule;
    const head = make("h2", "issues-title", title);
    head.append(make("span", "panel-count muted small", total ? wholeText(total) : "none"));
    section.append(head, make("p", "issues-explains", explains));
    if (checked) section.append(make("p", "issues-explains issues-checked", checked));
    if (lookedAt.length) section.append(this.makeFindingsFold(examinedWords(lookedAt), lookedAt.map(examinedLine)));
    if (excluded.length) section.append(this.makeFindingsFold(countText(excluded.length, "finding") + " left out", excluded.map(({ finding, why }) => finding + ": " + why)));
    const list = make("ul", "issues-list");
    for (const issue of issues) list.append(this.makeIssue(issue));
    for (const place of [...list.querySelectorAll(":scope > li")].slice(FIRST_ISSUES)) place.hidden = true;
    section.append(list);
    if (issues.length > FIRST_ISSUES) section.append(this.makeMoreButton(list, issues.length, total));
    return section;
  }

  makeMoreButton(list, shown, total) {
    const button = make("button", "panel-link", shown - FIRST_ISSUES + " more" + (total > shown ? ", of " + wholeText(total) + " the strongest " + shown : ""));
    button.type = "button";
    button.addEventListener("click", () => {
      for (const place of list.children) place.hidden = false;
      list.children[FIRST_ISSUES].querySelector("button")?.focus();
      button.remove();
    });
    return button;
  }

  // Which findings were examined, and which were not: a line for each.
  makeFindingsFold(title, lines) {
    const box = make("details", "issues-findings muted small");
    const list = make("ul", "");
    list.append(...lines.map((line) => make("li", "", line)));
    box.append(make("summary", "", title), list);
    return box;
  }

  makeIssue({ reason, films }) {
    const place = make("li", "issue");
    const pictures = make("span", "issue-films");
    for (const film of films) pictures.append(makeFilmButton(film, this.explore));
    const text = make("span", "issue-words");
    text.append(make("span", "issue-reason", reason));
    for (const film of films) text.append(make("span", "issue-labels muted small", originText(film) + ": " + labelWords(film)));
    place.append(pictures, text);
    return place;
  }
}

function examinedWords(findings) {
  const counts = findings.map(({ positives }) => positives);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return countText(findings.length, "finding") + " looked at, n+ " + wholeText(least) + (most > least ? " to " + wholeText(most) : "");
}

const examinedLine = ({ finding, positives, negatives, issues }) =>
  finding + ": n+ " + wholeText(positives) + ", " + NEGATIVES_HEAD + " " + wholeText(negatives) + ", " + countText(issues, "issue");
