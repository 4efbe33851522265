// Add a model of the visitor's own: its file is examined, missing facts are asked for, then it is tried and kept.

import { make } from "../shared/elements.js";
import { countText } from "../shared/figures.js";
import { makeWithCommands, showRefusal } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";

const SEPARATORS = ["\n", "\t", ";", ","]; // between pasted names: the first one that occurs

// An empty line is an output without a name.
function splitPasted(text) {
  const whole = text.replaceAll("\r", "").replace(/\n+$/, "");
  const between = SEPARATORS.find((each) => whole.includes(each));
  return between ? whole.split(between).map((word) => word.trim().replace(/^"(.*)"$/, "$1")) : [whole];
}

export class AddModel {
  // `added(name)`: the visitor wants to read with it.
  constructor(room, server, added) {
    this.dialog = room.querySelector("dialog.add-model");
    this.server = server;
    this.added = added;
    this.meant = [];
    this.look = this.dialog.querySelector(".add-model-look");
    this.ask = this.dialog.querySelector(".add-model-ask");
    this.done = this.dialog.querySelector(".add-model-done");
    this.steps = [this.look, this.ask, this.done];
    for (const leave of this.dialog.querySelectorAll(".leave")) leave.addEventListener("click", () => this.dialog.close());
    this.ask.querySelector(".back").addEventListener("click", () => this.step(this.look));
    this.look.addEventListener("submit", (event) => this.whileBusy(event, () => this.examineFile()));
    this.ask.addEventListener("submit", (event) => this.whileBusy(event, () => this.keep()));
    this.outputs = this.ask.querySelector(".add-model-outputs");
    this.outputs.addEventListener("paste", (event) => this.paste(event));
    this.done.querySelector(".keep").addEventListener("click", () => {
      this.dialog.close();
      this.added(this.name);
    });
  }

  open() {
    this.look.elements.architecture.value = "";
    this.look.querySelector(".add-model-architecture").hidden = true;
    this.step(this.look);
    if (!this.dialog.open) this.dialog.showModal();
    this.look.elements.address.focus();
  }

  step(shownStep) {
    for (const each of this.steps) each.hidden = each !== shownStep;
    for (const wrong of this.dialog.querySelectorAll(".add-model-wrong")) wrong.textContent = "";
    this.ask.querySelector(".add-model-slips").replaceChildren();
    this.meant = [];
  }

  // One request at a time; the button shows that it is running.
  async whileBusy(event, work) {
    event.preventDefault();
    const form = event.target;
    const button = form.querySelector(".keep");
    const words = button.textContent;
    form.querySelector(".add-model-wrong").textContent = "";
    Object.assign(button, { disabled: true, textContent: form === this.look ? "Looking at it" : "Trying it" });
    await work();
    Object.assign(button, { disabled: false, textContent: words });
  }

  showRefusal(form, refusal) {
    showRefusal(form.querySelector(".add-model-wrong"), refusal);
  }

  async examineFile() {
    const { address, architecture } = this.look.elements;
    const answer = await callServer(this.server.look_at_model, { address: address.value, architecture: architecture.value });
    if (answer.stage === "architecture") {
      this.look.querySelector(".add-model-architecture").hidden = false;
      fillOptions(this.look.querySelector("datalist"), answer.architectures);
      this.showRefusal(this.look, answer);
      return architecture.focus();
    }
    if (answer.stage !== "recognized") return this.showRefusal(this.look, answer);
    if (answer.registered) return this.send({}, this.look);
    this.step(this.ask);
    this.show(answer);
    this.outputs.querySelector("input")?.focus();
  }

  /** @param {ui.read.payload.RecognizedPayload} found */
  show(found) {
    const { file, architecture, outputs, in_chans: channels, guessed, findings } = found;
    this.ask.querySelector(".add-model-file").textContent =
      `${file}: ${architecture}, ${countText(outputs, "output")}, ${channels === 1 ? "gray" : "three-channel"} input.`;
    fillList(this.ask.querySelector(".add-model-guessed"), guessed);
    this.ask.querySelector("legend").textContent = outputs === 1 ? "What is its output?" : `What are its ${outputs} outputs?`;
    fillOptions(this.ask.querySelector("datalist"), found.vocabulary);
    this.outputs.replaceChildren(...Array.from({ length: outputs }, (_, at) => makeOutputField(at, findings[at] ?? "")));
    const fields = this.ask.elements;
    fields.function.options[0].textContent = found.function ? `${found.function}, as its file says` : "not stated in its file";
    const defaults = { size: String(found.size), mean: shortNumbers(found.mean), std: shortNumbers(found.std), name: found.name };
    for (const [name, value] of Object.entries(defaults)) Object.assign(fields[name], { defaultValue: value, value });
  }

  // A pasted list of names fills the fields from the one that it is pasted into.
  paste(event) {
    const words = splitPasted(event.clipboardData.getData("text"));
    if (words.length < 2) return;
    event.preventDefault();
    const fields = [...this.outputs.querySelectorAll("input")];
    const first = fields.indexOf(event.target);
    words.forEach((word, at) => fields[first + at] && (fields[first + at].value = word));
    const surplus = first + words.length - fields.length;
    if (surplus > 0) this.showRefusal(this.ask, { title: `${countText(words.length, "name")} were pasted`, detail: `${surplus} more than there are outputs: check their order.` });
  }

  keep() {
    const { size, mean, std, name, function: functionField } = this.ask.elements;
    const findings = [...this.outputs.querySelectorAll("input")].map((each) => each.value);
    const changed = ({ value, defaultValue }) => (value === defaultValue ? "" : value); // an unchanged guess stays a guess
    const order = { findings, size: changed(size), mean: changed(mean), std: changed(std), name: name.value, function: functionField.value, meant: this.meant };
    return this.send(order, this.ask);
  }

  async send(order, form) {
    const { address, architecture } = this.look.elements;
    const answer = await callServer(this.server.add_model, { address: address.value, architecture: architecture.value, ...order });
    if (answer.stage === "names") return this.showCloseNames(answer.slips);
    if (answer.stage !== "added") return this.showRefusal(form, answer);
    this.step(this.done);
    this.name = answer.name;
    this.done.querySelector(".add-model-file").textContent = `${answer.name} can be used. It is now in the list.`;
    fillList(this.done.querySelector(".add-model-guessed"), answer.says);
    const read = this.done.querySelector(".keep");
    read.textContent = "Read by " + answer.name;
    read.focus();
  }

  // Words close to a known name: the visitor says which is meant.
  showCloseNames(found) {
    const lines = found.map(({ word, near: closeName }) => {
      const line = make("p", "", `${word}: did you mean ${closeName}?`);
      const take = make("button", "control", closeName);
      const leave = make("button", "control", "Keep " + word);
      for (const button of [take, leave]) button.type = "button";
      const settled = () => (line.remove(), this.ask.querySelector(".add-model-ways .keep").focus());
      take.addEventListener("click", () => {
        for (const field of this.outputs.querySelectorAll("input")) if (field.value.trim() === word) field.value = closeName;
        settled();
      });
      leave.addEventListener("click", () => (this.meant.push(word), settled()));
      line.append(take, leave);
      return line;
    });
    this.ask.querySelector(".add-model-slips").replaceChildren(...lines);
    lines[0]?.querySelector("button").focus();
  }
}

function makeOutputField(at, name) {
  const line = make("li", "");
  const label = make("label", "");
  const field = make("input", "");
  Object.assign(field, { type: "text", value: name, maxLength: 80, autocomplete: "off", spellcheck: false });
  field.setAttribute("list", "add-model-vocabulary");
  field.setAttribute("aria-label", "Output " + (at + 1));
  label.append(make("span", "", String(at + 1)), field);
  line.append(label);
  return line;
}

// A single number if all channels have the same one.
const shortNumbers = (numbers) => (new Set(numbers).size === 1 ? String(numbers[0]) : numbers.join(", "));

const fillOptions = (datalist, names) => datalist.replaceChildren(...names.map((value) => Object.assign(make("option", ""), { value })));

const fillList = (box, sentences) => box.replaceChildren(...sentences.map((words) => makeWithCommands("li", "", words)));
