// The reader study of a review: its readers, and the model whose films they read, on the same films; saved as a file.

import { make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { countText } from "../shared/figures.js";
import { makeWithCommands, refusalWords } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { makeField, makeGrids } from "./review_parts.js";

const FILES = { csv: "Save ratings as CSV", imrmc: "Save ratings for iMRMC" };

export class ReviewStudy {
  constructor(name, server) {
    this.name = name;
    this.server = server;
    this.button = make("button", "review-study control", "Readers beside models");
    this.button.type = "button";
    this.button.addEventListener("click", () => this.load(""));
    this.box = make("section", "review-tables");
    this.box.setAttribute("aria-label", "Readers beside models");
    this.words = make("p", "review-study-words");
    this.words.setAttribute("role", "status");
  }

  async load(finding) {
    this.button.disabled = true;
    this.words.textContent = "Counting";
    if (!this.box.contains(this.words)) this.box.replaceChildren(this.words);
    const answer = await callServer(this.server.review_study, { name: this.name, finding });
    this.button.disabled = false;
    if (answer.stage !== "study") return void (this.words.textContent = refusalWords(answer));
    this.words.textContent = "";
    this.show(answer);
  }

  /** @param {ui.teach.study_payload.FindingStudyPayload} study */
  show({ findings, finding, title, notes, grids, command }) {
    const heading = make("h4", "", "Readers beside models");
    if (!finding) {
      const why = [...new Set(findings.map(({ why_not: reason }) => reason))].join(", or ");
      return this.box.replaceChildren(heading, make("p", "", "These votes are not a reader study: " + why + "."));
    }
    const terminal = makeWithCommands("p", "muted", "The same in a terminal: `" + command + "`.");
    this.box.replaceChildren(heading, this.makeTools(findings, finding), this.words, make("p", "", title + "."), ...makeGrids(grids), ...notes.map((note) => make("p", "muted", note)), terminal);
  }

  makeTools(findings, finding) {
    const tools = make("div", "review-fields");
    const choice = make("select", "review-study-finding");
    for (const each of findings.filter(({ why_not: reason }) => !reason)) choice.append(new Option(optionWords(each), each.finding));
    choice.value = finding;
    choice.addEventListener("change", () => this.load(choice.value));
    tools.append(makeField("Finding", choice));
    for (const [format, words] of Object.entries(FILES)) {
      const button = make("button", "control", words);
      button.type = "button";
      button.addEventListener("click", () => this.save({ finding, format }));
      tools.append(button);
    }
    return tools;
  }

  async save(order) {
    const answer = await callServer(this.server.review_study_file, { name: this.name, ...order });
    if (answer.stage !== "text") return void (this.words.textContent = refusalWords(answer));
    download(new Blob([answer.content], { type: "text/plain" }), answer.name);
    this.words.textContent = answer.name + " is saved: readers as R1, R2, ..., without codes.";
  }
}

const optionWords = ({ finding, present, absent, readers }) => finding + ": " + present + " of " + countText(present + absent, "film") + " with it, " + countText(readers, "reader");
