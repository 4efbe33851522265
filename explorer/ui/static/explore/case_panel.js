// The facts of a case beside its film: outcome first, scores, labels, nearest cases, facts, SQL.

import { make, makeBreakable, makePlaceLink } from "../shared/elements.js";
import { countText, fixedText, scoreText } from "../shared/figures.js";
import { shortListText } from "../shared/finding_words.js";
import { makeOutcomeBadge } from "../shared/outcome.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";
import { appearanceWords, sharePercentText } from "./case_look.js";
import { CaseNear } from "./case_near.js";
import { CaseReport } from "./case_report.js";
import { CaseRows, makeFactList } from "./case_rows.js";
import { copyText } from "./case_steps.js";
import { decimalsOf, modelValueText, unitValueText } from "./margins.js";

export function caseFiguresText(row) {
  const { label, doubted, threshold: cut, margin } = row;
  const words = "Labeled " + (doubted ? "uncertain, counted as " : "") + label + ", " + unitValueText(row.score, row);
  if (cut === null) return words + ", no threshold is known.";
  const side = margin < 0 ? " below" : " above";
  return words + ", " + fixedText(Math.abs(margin), decimalsOf(row)) + side + " the threshold " + modelValueText(cut, row) + ".";
}

function calledInsteadWords({ missed, called, open }, finding) {
  const others = (names) => names.filter((name) => name !== finding);
  const words = [];
  if (others(called).length) words.push("Called present, labeled absent: " + shortListText(others(called), 6) + ".");
  if (others(open).length) words.push("Called present, label unknown: " + shortListText(others(open), 6) + ".");
  if (others(missed).length) words.push((missed.includes(finding) ? "Also missed: " : "Missed: ") + shortListText(others(missed), 6) + ".");
  return words.join(" ") || "No other finding was called wrongly.";
}

// Findings to which the readers who made a source gave no label, such as ties: how many hold them present.
/** @param {ui.explore.case_votes.LabelVotesPayload[]} votes */
function makeUnlabeled(votes) {
  const open = votes.filter((each) => each.unlabeled);
  return [...new Set(open.map(({ source }) => source))].map((source) => {
    const line = make("p", "case-label");
    const names = open.filter((each) => each.source === source).map(({ finding, words }) => finding + " (present " + words + ")");
    line.append(make("span", "case-label-word muted", "no label"), make("span", "", names.join(", ")), make("span", "case-source", source));
    return line;
  });
}

export class CasePanel {
  // `callbacks`: choose(finding), open(id), reveal(), filmFirst(on), sendToTab("read" or "ask", name), simulate(address), addToPlaylist().
  constructor(panel, callbacks) {
    this.panel = panel;
    this.callbacks = callbacks;
    this.rows = new CaseRows(this.find("case-scores"), callbacks);
    this.nearest = new CaseNear(this.find("case-near"), callbacks.open);
    this.report = new CaseReport(this.find("case-report"));
    this.insertButton = Object.assign(make("button", "case-onward", "Put a finding into it"), { type: "button", title: "A simulated finding in this film: would the model see it?" });
    this.insertButton.setAttribute("aria-controls", "case-insertion");
    this.find("case-reveal").addEventListener("click", callbacks.reveal);
    this.find("case-first").addEventListener("change", (event) => callbacks.filmFirst(event.target.checked));
    this.find("case-sql-copy").addEventListener("click", (event) => copyText(this.panel.querySelector("pre").textContent, event.currentTarget));
    this.clear();
  }

  find(name) {
    return this.panel.querySelector("." + name);
  }

  clear() {
    this.facts = this.mapNote = this.masked = null;
    this.rows.clear();
    this.nearest.clear();
    this.report.clear();
    const filled = "outcome figures instead notes on on-said labels about".split(" ");
    for (const name of filled) this.find("case-" + name).replaceChildren();
    this.panel.querySelector("pre").textContent = "";
    this.find("case-sql").hidden = true;
    this.setMaskWords("");
    this.panel.scrollTop = 0;
  }

  // While hidden, none of it stays on the page, not even out of sight.
  cover(covered) {
    const focused = this.panel.contains(document.activeElement);
    if (covered) this.clear();
    this.find("case-covered").hidden = !covered;
    this.find("case-said").hidden = covered;
    if (focused) this.find(covered ? "case-reveal" : "case-outcome").focus({ preventScroll: true }); // its element is gone
  }

  // `always`: labels are hidden in the whole tab.
  showCoverControls(filmFirst, always) {
    this.find("case-first").hidden = always;
    this.find("case-first").querySelector("input").checked = filmFirst;
  }

  showRefusal({ title, detail }) {
    this.clear();
    this.find("case-outcome").textContent = title;
    showWithCommands(this.find("case-figures"), detail);
  }

  /** @param {ui.explore.case_payload.FactsPayload} facts */
  show(facts) {
    this.facts = facts;
    this.rows.show(facts);
    this.showLabels(facts);
    this.showOtherTabs(facts);
    this.showFacts(facts.about);
    this.panel.querySelector("pre").textContent = facts.sql;
    this.find("case-sql").hidden = !facts.sql;
  }

  // The chosen finding: its outcome above, its row marked.
  choose(finding) {
    const { rows, instead } = this.facts;
    const row = rows.find((each) => each.finding === finding);
    const title = this.find("case-outcome");
    if (!row) return title.replaceChildren("This model has no score for the film");
    title.replaceChildren(makeOutcomeBadge(row.outcome), make("strong", "", finding));
    if (this.appearanceOf(finding)) title.append(make("span", "case-look muted", this.appearanceOf(finding)));
    this.find("case-figures").textContent = caseFiguresText(row);
    this.find("case-instead").textContent = calledInsteadWords(instead, finding);
    this.rows.mark(finding);
    this.showNotes();
    this.nearest.choose(finding);
    this.report.choose(finding);
  }

  // The appearance of the finding on this film; nothing where it is absent, or unknown.
  appearanceOf(finding) {
    const appearance = this.facts.appearances.find((each) => each.finding === finding);
    return appearance ? appearanceWords(appearance) : "";
  }

  // How reliable the score, and the map, are.
  showMapWorth(maps, finding) {
    const row = maps.stage === "opinion" && maps.rows.find((each) => each.finding === finding);
    const sentences = row && [maps.honest, "Its own score here is " + scoreText(row.score) + ".", this.heatInsideWords(maps.inside?.[finding], finding)];
    this.mapNote = row ? sentences.filter(Boolean).join(" ") : refusalWords(maps);
    this.showNotes();
  }

  // Whether the map points to the finding: a uniform map would have the mask's share of the film inside.
  // The image's id first, with a button to copy it.
  /** @param {[string, string][]} lines */
  showFacts([[name, id], ...others]) {
    const image = make("p", "case-image-id");
    const copy = make("button", "case-id-copy", "Copy");
    copy.type = "button";
    copy.setAttribute("aria-label", "Copy the image id");
    copy.addEventListener("click", () => copyText(id, copy));
    image.append(make("span", "case-label-word muted", name), makeBreakable("case-id", id), copy);
    this.find("case-about").replaceChildren(make("h3", "", "Film"), image, makeFactList(others));
  }

  heatInsideWords(share, finding) {
    const mask = this.masked?.find((each) => each.finding === finding);
    if (!mask || share === undefined) return ""; // not a finding of this model
    if (share === null) return "It has no heat at all.";
    return sharePercentText(share) + " of its heat lies inside the mask, which is " + sharePercentText(mask.share) + " of the film.";
  }

  showNotes() {
    const { notes } = this.facts;
    const lines = [...notes, this.mapNote].filter(Boolean);
    this.find("case-notes").replaceChildren(...lines.map((line) => make("li", "", line)));
  }

  /** @param {ui.explore.case_payload.FactsPayload} facts */
  showLabels({ labels, votes, boxes, masked }) {
    const none = labels.every(({ label }) => label === "absent"); // by all sources that label it
    const voted = new Map(votes.map(({ source, finding, words }) => [source + "\n" + finding, " (" + words + ")"]));
    const lines = labels.map(({ label, source, counts, findings }) => {
      const line = make("p", "case-label");
      line.append(make("span", "case-label-word muted", none ? "none of these" : label), make("span", "", findings.map((name) => name + (voted.get(source + "\n" + name) ?? "")).join(", ")), make("span", "case-source", counts ? source : source + " (not used for outcomes)"));
      return line;
    });
    lines.push(...makeUnlabeled(votes));
    if (!lines.length) lines.push(make("p", "case-source", "This film has no labels, so there is no outcome."));
    if (boxes.length && !masked) {
      const line = make("p", "case-label");
      const names = boxes.map(({ finding }) => finding);
      const sources = [...new Set(boxes.map(({ source }) => source))];
      line.append(make("span", "case-label-word muted", countText(boxes.length, "box").replace("boxs", "boxes")), make("span", "", names.join(", ")), make("span", "case-source", sources.join("; ")));
      lines.push(line);
    }
    this.find("case-labels").replaceChildren(make("h3", "", "Labels"), ...lines);
  }

  // The exact outlines of the findings.
  /** @param {ui.explore.case_calls.MasksPayload} shown */
  showMasks({ masks, source }) {
    this.masked = masks;
    if (!masks.length) return;
    const line = make("p", "case-label");
    const names = masks.map(({ finding, share, global }) => finding + ", " + (this.appearanceOf(finding) || sharePercentText(share) + " of the film") + (global ? ": all that it bends or dims" : ""));
    line.append(make("span", "case-label-word muted", countText(masks.length, "mask")), make("span", "", names.join("; ")), make("span", "case-source", source));
    this.find("case-labels").append(line);
    this.setMaskWords(countText(masks.length, "exact mask") + " shown (M)");
  }

  // In the header of the case, which its film and this panel share.
  setMaskWords(words) {
    this.panel.closest("dialog").querySelector(".case-masked").textContent = words;
  }

  // The same film in other tabs: for the models that read films and texts, if it is here, and where it was simulated.
  showOtherTabs({ here: isHere, name, simulate }) {
    const makeTabButton = (words, tab) => {
      const button = make("button", "case-onward", words);
      button.type = "button";
      button.addEventListener("click", () => this.callbacks.sendToTab(tab, name));
      return button;
    };
    /** @type {HTMLElement[]} */
    const buttons = isHere
      ? [makeTabButton("Read this film", "read"), makeTabButton("Ask about this film", "ask"), this.insertButton]
      : [];
    if (simulate) buttons.push(this.makeSimulateLink(simulate));
    if (isHere) buttons.push(this.makePlaylistButton());
    this.find("case-on").replaceChildren(...buttons);
  }

  makePlaylistButton() {
    const add = make("button", "case-to-playlist", "Add to playlist");
    add.type = "button";
    add.addEventListener("click", () => this.callbacks.addToPlaylist());
    return add;
  }

  makeSimulateLink(address) {
    const link = makePlaceLink("case-onward case-simulate", "Open in Simulate", address);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.callbacks.simulate(address);
    });
    return link;
  }

  // Where messages about opening the film in another tab appear.
  showWords(words) {
    showWithCommands(this.find("case-on-said"), words);
  }
}
