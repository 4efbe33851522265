// The reader study of a class that has ended: readers, and models beside them, on the same films; saved as a file.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { refusalWords, showWithCommands } from "../shared/refusal.js";

const FILES = { csv: "Save as CSV", imrmc: "Save for iMRMC" };

export class ClassStudy {
  // `call(name, argument)` resolves to the server's answer.
  constructor(call) {
    this.call = call;
    this.box = make("section", "class-study");
    this.box.setAttribute("aria-label", "Readers beside models");
    this.box.hidden = true;
    this.load(null);
  }

  async load(finding, difference = null) {
    const answer = await this.call("class_study", { finding, difference });
    if (answer.stage === "study") this.show(answer);
    else this.showWords(refusalWords(answer));
  }

  /** @param {ui.teach.study_payload.FindingStudyPayload} study */
  show({ findings, finding, title, notes, grids, modalities, difference, switches, command }) {
    if (!findings.length) return;
    this.box.hidden = false;
    this.words = make("p", "class-study-words");
    this.words.setAttribute("role", "status");
    const heading = make("h4", "", "Readers beside models");
    if (!finding) {
      const why = [...new Set(findings.map(({ why_not: reason }) => reason))].join(", or ");
      return this.box.replaceChildren(...makeSwitches(switches), heading, make("p", "", "These answers are not a reader study: " + why + "."));
    }
    const line = make("p", "class-export", "The same in a terminal: ");
    line.append(make("code", "", command));
    this.box.replaceChildren(...makeSwitches(switches), heading, this.makeTools(findings, finding, modalities > 1, difference), this.words, make("p", "", title + "."), ...grids.map(makeGrid), ...notes.map((note) => make("p", "muted", note)), line);
  }

  makeTools(findings, finding, plans, difference) {
    const tools = make("div", "class-study-tools");
    const label = make("label", "", "Finding ");
    const choice = make("select", "class-choice class-study-finding");
    choice.append(...findings.filter(({ why_not: reason }) => !reason).map(makeOption));
    choice.value = finding;
    choice.addEventListener("change", () => this.load(choice.value));
    label.append(choice);
    tools.append(label, ...(plans ? [makeDifference(difference, (typed) => this.load(finding, typed))] : []));
    for (const [format, words] of Object.entries(FILES)) {
      const button = make("button", "class-study-save", words);
      button.type = "button";
      button.addEventListener("click", () => this.save({ finding, format }));
      tools.append(button);
    }
    return tools;
  }

  async save(order) {
    const answer = await this.call("class_study_file", order);
    if (answer.stage !== "text") return this.showWords(refusalWords(answer));
    download(new Blob([answer.content], { type: "text/plain" }), answer.name);
    this.showWords(answer.name + " is saved: readers as codes, no name.");
  }

  showWords(words) {
    if (this.words) showWithCommands(this.words, words);
  }
}

// How large a difference a new study of the same two modalities should find.
function makeDifference(difference, plan) {
  const label = make("label", "", "A new study finds a difference of AUROC of ");
  const typed = Object.assign(make("input", "class-choice class-study-difference"), { type: "number", min: "0.001", max: "0.5", step: "any", value: difference ?? "" });
  typed.addEventListener("change", () => plan(typed.value ? Number(typed.value) : null));
  label.append(typed);
  return label;
}

// What seeing a model's answer changed, where learners saw one.
const makeSwitches = (switches) => (switches ? [make("h4", "", "With the model"), makeGrid(switches), ...switches.notes.map((note) => make("p", "muted", note))] : []);

function makeOption({ finding, present, absent, readers }) {
  const option = make("option", "", finding + ": " + present + " of " + countText(present + absent, "film") + " with it, " + countText(readers, "reader"));
  option.value = finding;
  return option;
}

function makeGrid({ title, header, rows }) {
  const table = make("table", "class-study-table");
  const head = make("tr", "");
  for (const words of header) head.append(Object.assign(make("th", "", words), { scope: "col" }));
  const top = make("thead", "");
  top.append(head);
  const body = make("tbody", "");
  for (const cells of rows) {
    const row = make("tr", "");
    row.append(...cells.map((cell, at) => (at ? make("td", "", cell) : Object.assign(make("th", "", cell), { scope: "row" }))));
    body.append(row);
  }
  table.append(make("caption", "", title), top, body);
  return table;
}
