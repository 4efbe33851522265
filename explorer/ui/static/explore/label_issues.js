// Labels that a rule contradicts, with their films.

import { make } from "../shared/elements.js";
import { labelWords } from "../shared/finding_words.js";
import { NEGATIVES, plural, whole } from "../shared/figures.js";
import { whereFrom } from "./gallery.js";
import { ExplorePanel, filmButton, plain, said } from "./panel_base.js";

const FIRST_ISSUES = 12;
const READS = "Labels that may be wrong. None of these is proof: open the film and look.";

export class LabelIssues extends ExplorePanel {
  /** @override */
  question = "label_issues";

  /**
   * @override
   * @param {ui.explore.panel_calls.IssuesPanelPayload} answer
   */
  draw(answer) {
    const head = make("header", "panel-head-line");
    head.append(said(answer));
    this.box.replaceChildren(head, plain(READS), ...answer.rules.map((rule) => this.rule(rule)));
  }

  rule({ rule, title, explains, total, issues, excluded, looked_at: lookedAt }) {
    const section = make("section", "issues");
    section.dataset.rule = rule;
    const head = make("h2", "issues-title", title);
    head.append(make("span", "panel-count", total ? whole(total) : "none"));
    section.append(head, make("p", "issues-explains", explains));
    if (lookedAt.length) section.append(this.findings(lookedAtWords(lookedAt), lookedAt.map(lookedAtLine)));
    if (excluded.length) section.append(this.findings(plural(excluded.length, "finding") + " left out", excluded.map(({ finding, why }) => finding + ": " + why)));
    const list = make("ul", "issues-list");
    for (const issue of issues) list.append(this.issue(issue));
    for (const place of [...list.querySelectorAll(":scope > li")].slice(FIRST_ISSUES)) place.hidden = true;
    section.append(list);
    if (issues.length > FIRST_ISSUES) section.append(this.moreWay(list, issues.length, total));
    return section;
  }

  moreWay(list, shown, total) {
    const button = make("button", "panel-link", shown - FIRST_ISSUES + " more" + (total > shown ? ", of " + whole(total) + " the strongest " + shown : ""));
    button.type = "button";
    button.addEventListener("click", () => {
      for (const place of list.children) place.hidden = false;
      list.children[FIRST_ISSUES].querySelector("button")?.focus();
      button.remove();
    });
    return button;
  }

  // Which findings were examined, and which were not: a line for each.
  findings(title, lines) {
    const box = make("details", "issues-findings");
    const list = make("ul", "");
    list.append(...lines.map((line) => make("li", "", line)));
    box.append(make("summary", "", title), list);
    return box;
  }

  issue({ reason, films }) {
    const place = make("li", "issue");
    const pictures = make("span", "issue-films");
    for (const film of films) pictures.append(filmButton(film, this.explore));
    const text = make("span", "issue-words");
    text.append(make("span", "issue-reason", reason));
    for (const film of films) text.append(make("span", "issue-labels", whereFrom(film) + ": " + labelWords(film)));
    place.append(pictures, text);
    return place;
  }
}

function lookedAtWords(findings) {
  const counts = findings.map(({ positives }) => positives);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return plural(findings.length, "finding") + " looked at, n+ " + whole(least) + (most > least ? " to " + whole(most) : "");
}

const lookedAtLine = ({ finding, positives, negatives, issues }) =>
  finding + ": n+ " + whole(positives) + ", " + NEGATIVES + " " + whole(negatives) + ", " + plural(issues, "issue");
