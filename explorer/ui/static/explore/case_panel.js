// The facts of a case beside its film: outcome first, scores, labels, nearest cases, facts, SQL.

import { breakable, make, placeLink } from "../shared/elements.js";
import { fixed, plural, score } from "../shared/figures.js";
import { listed } from "../shared/finding_words.js";
import { outcomeBadge } from "../shared/outcome.js";
import { refusalWords, showWords } from "../shared/refusal.js";
import { lookWords, percentOf } from "./case_look.js";
import { CaseNear } from "./case_near.js";
import { CaseRows, caseList } from "./case_rows.js";
import { copyText } from "./case_steps.js";
import { digitsOf, figure, named } from "./margins.js";

export function caseFigures(row) {
  const { label, threshold: cut, margin } = row;
  const said = "Labeled " + label + ", " + named(row.score, row);
  if (cut === null) return said + ", no threshold is known.";
  const side = margin < 0 ? " below" : " above";
  return said + ", " + fixed(Math.abs(margin), digitsOf(row)) + side + " the threshold " + figure(cut, row) + ".";
}

function caseInstead({ missed, called, open }, finding) {
  const others = (names) => names.filter((name) => name !== finding);
  const words = [];
  if (others(called).length) words.push("Called present, labeled absent: " + listed(others(called), 6) + ".");
  if (others(open).length) words.push("Called present, label unknown: " + listed(others(open), 6) + ".");
  if (others(missed).length) words.push((missed.includes(finding) ? "Also missed: " : "Missed: ") + listed(others(missed), 6) + ".");
  return words.join(" ") || "Nothing else was called wrongly.";
}

export class CasePanel {
  // `callbacks`: choose(finding), open(id), reveal(), filmFirst(on), sendToTab("read" or "ask", name), simulate(address), addToPlaylist().
  constructor(panel, callbacks) {
    this.panel = panel;
    this.callbacks = callbacks;
    this.rows = new CaseRows(this.part("case-scores"), callbacks.choose);
    this.nearest = new CaseNear(this.part("case-near"), callbacks.open);
    this.part("case-reveal").addEventListener("click", callbacks.reveal);
    this.part("case-first").addEventListener("change", (event) => callbacks.filmFirst(event.target.checked));
    this.part("case-sql-copy").addEventListener("click", (event) => copyText(this.panel.querySelector("pre").textContent, event.currentTarget));
    this.clear();
  }

  part(name) {
    return this.panel.querySelector("." + name);
  }

  clear() {
    this.facts = this.mapNote = this.masked = null;
    this.rows.clear();
    this.nearest.clear();
    const filled = "outcome figures instead notes on on-said labels about".split(" ");
    for (const name of filled) this.part("case-" + name).replaceChildren();
    this.panel.querySelector("pre").textContent = "";
    this.part("case-sql").hidden = true;
    this.masksShown("");
    this.panel.scrollTop = 0;
  }

  // While hidden, nothing of it stays on the page, not even out of sight.
  cover(covered) {
    const focused = this.panel.contains(document.activeElement);
    if (covered) this.clear();
    this.part("case-covered").hidden = !covered;
    this.part("case-said").hidden = covered;
    if (focused) this.part(covered ? "case-reveal" : "case-outcome").focus({ preventScroll: true }); // its element is gone
  }

  // `always`: labels are hidden in the whole tab.
  ways(filmFirst, always) {
    this.part("case-first").hidden = always;
    this.part("case-first").querySelector("input").checked = filmFirst;
  }

  refused({ title, detail }) {
    this.clear();
    this.part("case-outcome").textContent = title;
    showWords(this.part("case-figures"), detail);
  }

  /** @param {ui.explore.case_payload.FactsPayload} facts */
  show(facts) {
    this.facts = facts;
    this.rows.show(facts);
    this.labels(facts);
    this.waysOn(facts);
    this.about(facts.about);
    this.panel.querySelector("pre").textContent = facts.sql;
    this.part("case-sql").hidden = !facts.sql;
  }

  // The chosen finding: its outcome above, its row marked.
  choose(finding) {
    const { rows, instead } = this.facts;
    const row = rows.find((each) => each.finding === finding);
    const title = this.part("case-outcome");
    if (!row) return title.replaceChildren("This model has no score for the film");
    title.replaceChildren(outcomeBadge(row.outcome), make("strong", "", finding));
    if (this.look(finding)) title.append(make("span", "case-look", this.look(finding)));
    this.part("case-figures").textContent = caseFigures(row);
    this.part("case-instead").textContent = caseInstead(instead, finding);
    this.rows.mark(finding);
    this.notes();
    this.nearest.choose(finding);
  }

  // The appearance of the finding on this film; nothing where it is absent, or unknown.
  look(finding) {
    const known = this.facts.appearances.find((each) => each.finding === finding);
    return known ? lookWords(known) : "";
  }

  // How reliable the score, and the map, are.
  map(maps, finding) {
    const row = maps.stage === "opinion" && maps.rows.find((each) => each.finding === finding);
    const said = row && [maps.honest, "Its own score here is " + score(row.score) + ".", this.inside(maps.inside?.[finding], finding)];
    this.mapNote = row ? said.filter(Boolean).join(" ") : refusalWords(maps);
    this.notes();
  }

  // Whether the map points to the finding: a uniform map would have the mask's share of the film inside.
  // The image's id first, with a button to copy it.
  /** @param {[string, string][]} lines */
  about([[name, id], ...others]) {
    const image = make("p", "case-image-id");
    const copy = make("button", "case-id-copy", "Copy");
    copy.type = "button";
    copy.setAttribute("aria-label", "Copy the image id");
    copy.addEventListener("click", () => copyText(id, copy));
    image.append(make("span", "case-label-word", name), breakable("case-id", id), copy);
    this.part("case-about").replaceChildren(make("h3", "", "Film"), image, caseList(others));
  }

  inside(share, finding) {
    const mask = this.masked?.find((each) => each.finding === finding);
    if (!mask || share === undefined) return ""; // not a finding of this model
    if (share === null) return "It has no heat at all.";
    return percentOf(share) + " of its heat lies inside the mask, which is " + percentOf(mask.share) + " of the film.";
  }

  notes() {
    const { notes } = this.facts;
    const lines = [...notes, this.mapNote].filter(Boolean);
    this.part("case-notes").replaceChildren(...lines.map((line) => make("li", "", line)));
  }

  labels({ labels, boxes, masked }) {
    const none = labels.every(({ label }) => label === "absent"); // by all sources that label it
    const lines = labels.map(({ label, source, counts, findings }) => {
      const line = make("p", "case-label");
      line.append(make("span", "case-label-word", none ? "none of these" : label), make("span", "", findings.join(", ")), make("span", "case-source", counts ? source : source + " (outcomes are not by it)"));
      return line;
    });
    if (!lines.length) lines.push(make("p", "case-source", "No label of this film is known: no outcome can be given."));
    if (boxes.length && !masked) {
      const line = make("p", "case-label");
      const names = boxes.map(({ finding }) => finding);
      const sources = [...new Set(boxes.map(({ source }) => source))];
      line.append(make("span", "case-label-word", plural(boxes.length, "box").replace("boxs", "boxes")), make("span", "", names.join(", ")), make("span", "case-source", sources.join("; ")));
      lines.push(line);
    }
    this.part("case-labels").replaceChildren(make("h3", "", "Labels"), ...lines);
  }

  // The exact outlines of the findings.
  /** @param {ui.explore.case_calls.MasksPayload} shown */
  masks({ masks, source }) {
    this.masked = masks;
    if (!masks.length) return;
    const line = make("p", "case-label");
    const names = masks.map(({ finding, share, global }) => finding + ", " + (this.look(finding) || percentOf(share) + " of the film") + (global ? ": all that it bends or dims" : ""));
    line.append(make("span", "case-label-word", plural(masks.length, "mask")), make("span", "", names.join("; ")), make("span", "case-source", source));
    this.part("case-labels").append(line);
    this.masksShown(plural(masks.length, "exact mask") + " shown (M)");
  }

  // In the header of the case, which its film and this panel share.
  masksShown(words) {
    this.panel.closest("dialog").querySelector(".case-masked").textContent = words;
  }

  // The same film in other tabs: for the models that read films and texts, if it is here, and where it was simulated.
  waysOn({ here, name, simulate }) {
    const way = (words, tab) => {
      const button = make("button", "case-onward", words);
      button.type = "button";
      button.addEventListener("click", () => this.callbacks.sendToTab(tab, name));
      return button;
    };
    /** @type {HTMLElement[]} */
    const ways = here ? [way("Read this film", "read"), way("Ask about this film", "ask")] : [];
    if (simulate) ways.push(this.simulate(simulate));
    if (here) ways.push(this.toPlaylist());
    this.part("case-on").replaceChildren(...ways);
  }

  toPlaylist() {
    const add = make("button", "case-to-playlist", "Add to playlist");
    add.type = "button";
    add.addEventListener("click", () => this.callbacks.addToPlaylist());
    return add;
  }

  simulate(address) {
    const link = placeLink("case-onward case-simulate", "Open in Simulate", address);
    link.addEventListener("click", (event) => {
      event.preventDefault();
      this.callbacks.simulate(address);
    });
    return link;
  }

  // Where messages about opening the film in another tab stand.
  say(words) {
    showWords(this.part("case-on-said"), words);
  }
}
