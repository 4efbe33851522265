// The dialog of a cohort's lists: add the selected cases to one; show, rename, export or delete each.

import { focusedKey, make } from "../shared/elements.js";
import { download } from "../shared/exports.js";
import { countText, wholeText } from "../shared/figures.js";
import { showRefusal } from "../shared/refusal.js";
import { makeDatalist } from "./case_marks.js";

const FILE_PIECE = 50_000; // characters of a file per request

export class CaseLists {
  constructor(room, explore) {
    this.explore = explore;
    this.opener = room.querySelector(".lists-open");
    this.dialog = room.querySelector("dialog.lists");
    const find = (name) => this.dialog.querySelector(name);
    this.form = find(".lists-add");
    this.name = find(".lists-name");
    this.status = find(".lists-said");
    this.rows = find("tbody");
    this.notes = find(".lists-notes");
    this.file = find(".lists-file");
    this.opener.addEventListener("click", () => this.open());
    find(".lists-close").addEventListener("click", () => this.dialog.close());
    find(".lists-take").addEventListener("click", () => this.form.reportValidity() && this.moveCases("list_without"));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.moveCases("list_added");
    });
    this.file.addEventListener("change", () => this.importFile());
    this.dialog.addEventListener("close", () => this.changed && explore.askAgain());
  }

  get selectedCases() {
    return this.explore.gallery.selection;
  }

  // While labels are hidden, lists are hidden too.
  show() {
    this.opener.disabled = Boolean(this.explore.state.hide);
    if (this.opener.disabled) this.dialog.close();
  }

  async open() {
    const answer = await this.explore.ask("lists_shown");
    if (!answer) return;
    this.changed = false;
    this.draw(answer);
    if (!this.dialog.open) this.dialog.showModal();
    if (!this.form.hidden) this.name.focus();
  }

  /** @param {ui.explore.list_calls.ListsPayload | (ui.shared.refusals.RefusedPayload & { stage: "refused" })} answer */
  draw(answer) {
    const { size } = this.selectedCases.cases;
    this.form.hidden = !size;
    this.dialog.querySelector(".lists-selected").textContent = countText(size, "chosen case");
    if (answer.stage === "refused") return showRefusal(this.status, answer);
    this.dialog.querySelector("h2").textContent = "Lists of " + answer.cohort;
    this.status.textContent = answer.said;
    this.form.querySelector("datalist")?.remove();
    this.form.append(makeDatalist(this.name, "lists-names", answer.lists.map(({ name }) => name)));
    const focused = focusedKey(this.rows);
    this.rows.replaceChildren(...answer.lists.map((list) => this.makeRow(list)));
    this.dialog.querySelector("table").hidden = !answer.lists.length;
    this.dialog.querySelector(".lists-none").hidden = Boolean(answer.lists.length);
    if (focused) [...this.rows.querySelectorAll("[data-key]")].find(({ dataset }) => dataset.key === focused)?.focus();
  }

  async ask(question, extra) {
    const answer = await this.explore.ask(question, extra);
    if (!answer) return null;
    if (answer.stage === "lists") this.changed = true;
    this.draw(answer);
    return answer;
  }

  async moveCases(question) {
    const cases = Object.fromEntries(this.selectedCases.cases);
    const answer = await this.ask(question, { name: this.name.value, cases: Object.keys(cases), findings: cases });
    if (answer?.stage !== "lists") return;
    this.selectedCases.clear();
    this.name.value = "";
    this.form.hidden = true;
    this.dialog.querySelector(".lists-close").focus();
  }

  makeRow(list) {
    const row = make("tr", "");
    const head = make("th", "");
    head.scope = "row";
    const field = make("input", "lists-rename");
    Object.assign(field, { type: "text", value: list.name, maxLength: 60 });
    field.setAttribute("aria-label", "Name of the list " + list.name);
    field.dataset.key = "name " + list.word;
    field.addEventListener("change", () => this.ask("list_renamed", { name: list.name, new: field.value }));
    head.append(field);
    const buttonCell = make("td", "");
    const buttons = make("span", "lists-ways");
    buttons.append(this.makeButton(list, "Show", () => this.showCasesOf(list)), this.makeButton(list, "CSV", () => this.saveFile(list, "csv")));
    buttons.append(this.makeButton(list, "JSON", () => this.saveFile(list, "json")), this.makeDeleteButton(list));
    buttonCell.append(buttons);
    row.append(head, make("td", "lists-count", wholeText(list.cases)), buttonCell);
    return row;
  }

  makeButton(list, words, pressed) {
    const button = make("button", "lists-way", words);
    button.type = "button";
    button.dataset.key = words + " " + list.word;
    button.setAttribute("aria-label", words + ": " + list.name);
    button.addEventListener("click", pressed);
    return button;
  }

  // Confirmed once: a deleted list is gone for good.
  makeDeleteButton(list) {
    const button = this.makeButton(list, "Delete", () => {
      if (button.dataset.sure) return this.ask("list_deleted", { name: list.name });
      button.dataset.sure = "1";
      button.textContent = "Delete for good";
      return button.setAttribute("aria-label", "Delete for good: " + list.name);
    });
    return button;
  }

  // Show all cases of the list, without the other filters.
  showCasesOf({ word }) {
    const { filters } = this.explore;
    const wordsToRemove = Object.assign({}, ...filters.chosenFilters().map((filter) => filters.wordsWithout(filter)));
    this.dialog.close();
    this.explore.change({ ...wordsToRemove, marked: word });
  }

  async saveFile({ name }, kind) {
    const answer = await this.explore.ask("list_exported", { name, kind, notes: this.notes.checked });
    if (!answer) return;
    if (answer.stage !== "export") return this.draw(answer);
    const bytes = Uint8Array.from(atob(answer.data), (letter) => letter.charCodeAt(0));
    download(new Blob([bytes], { type: answer.type }), answer.name);
    this.status.textContent = answer.name + " saved.";
  }

  // The list gets the name given inside a JSON file, or the file name of a table.
  async importFile() {
    const [file] = this.file.files;
    if (!file) return;
    this.status.textContent = "Reading";
    const text = await file.text();
    const parts = text.match(new RegExp("[^]{1," + FILE_PIECE + "}", "g")) ?? [];
    const name = file.name.endsWith(".json") ? "" : file.name.replace(/\.[^.]*$/, "").slice(0, 60);
    await this.ask("list_imported", { parts, name });
    this.file.value = "";
  }
}
