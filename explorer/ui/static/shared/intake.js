// How films come in: chosen, dropped or a sample; uploaded under a random name, opened by the server, one at a time.

import { isInFront } from "../viewer/keys.js";
import { belongInFolder, droppedFolder, namedFiles } from "./dropped_files.js";
import { SERVER_SILENT } from "./server_calls.js";

const BUSY = { title: "Another film is being opened", detail: "Open this one once that film is shown." };
const TOO_MANY = { title: "At most two films are shown side by side", detail: "The others were not opened." };
const ALIVE_EVERY = 3000; // ms
const REFUSED = /^HTTP \d+: ([^\n<>{}]+)\n([^\n<>{}]+)$/; // Gradio's client joins a title and a detail like this

// Two films replace those that are open.
const slotFor = (files, slot) => (files.length > 1 ? "a" : slot);

export class Intake {
  // `callbacks`: opening(name), showFilm(slot, name, token, uploaded, batch) that resolves to a refusal or null,
  // failed(refusals), slot(), lost(); many(promise of {file, name}) where a folder of films is accepted.
  // `gradio`: its trigger and upload; `limit`: bytes per file.
  constructor(room, { trigger, upload, data: { limit } }, callbacks) {
    this.room = room;
    this.trigger = trigger;
    this.sendFile = upload;
    this.limit = limit;
    this.callbacks = callbacks;
    this.asked = 0;
    this.slot = null; // the slot for the film that is being chosen
    this.coming = null; // {request, settle}: the request that the server has not answered yet
    this.picker = room.querySelector(".file-input");
    this.bind();
    this.bindDrop();
  }

  bind() {
    this.picker.addEventListener("change", () => {
      const files = [...this.picker.files];
      if (this.callbacks.many && belongInFolder(files)) this.callbacks.many(Promise.resolve(namedFiles(files)));
      else if (files.length) this.send(files, slotFor(files, this.slot ?? this.callbacks.slot()));
      this.picker.value = "";
      this.slot = null;
    });
    this.room.addEventListener("click", (event) => {
      if (event.target.closest(".choose")) this.chooseFile(this.callbacks.slot());
      const button = event.target.closest(".sample");
      if (button) this.openSample(button);
    });
  }

  // Accept drops anywhere: a file dropped beside the target would otherwise replace the page.
  bindDrop() {
    const carriesFile = (event) => event.dataTransfer && event.dataTransfer.types.includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      if (!isInFront(this.room)) return void (event.dataTransfer.dropEffect = "none"); // it would open unseen
      this.room.classList.add("dragging");
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) this.room.classList.remove("dragging");
    });
    document.addEventListener("drop", (event) => {
      this.room.classList.remove("dragging");
      if (!carriesFile(event)) return;
      event.preventDefault();
      const many = isInFront(this.room) && this.callbacks.many && droppedFolder(event.dataTransfer);
      if (many) return this.callbacks.many(many);
      const files = isInFront(this.room) ? [...event.dataTransfer.files] : [];
      if (files.length) this.send(files, slotFor(files, this.callbacks.slot()));
    });
  }

  chooseFile(slot) {
    this.slot = slot;
    this.picker.click();
  }

  // Show the first film that can be opened in `slot`, the next one beside it.
  async send(files, slot) {
    const refusals = [];
    const batch = {}; // shared by films that are sent in one step
    for (const file of files.slice(0, 2)) {
      const refusal = await this.openOnServer(slot, file.name, (request) => this.upload(file, request), { uploaded: true, batch });
      if (refusal) refusals.push(files.length > 1 ? { ...refusal, title: file.name + ": " + refusal.title } : refusal);
      else slot = "b";
    }
    if (files.length > 2) refusals.push(TOO_MANY);
    if (refusals.length) this.callbacks.failed(refusals);
  }

  async openSample(button) {
    const { sample: key } = button.dataset;
    const name = button.querySelector("strong").textContent;
    const refusal = await this.openOnServer("a", name, async (request) => this.trigger("sample", { key, request }));
    if (refusal) this.callbacks.failed([refusal]);
  }

  // Resolves to a refusal, or to null when the film is shown.
  async openOnServer(slot, name, order, { uploaded = false, batch = undefined } = {}) {
    if (this.coming) return BUSY;
    const request = (this.asked += 1);
    const answerPromise = new Promise((settle) => (this.coming = { request, settle }));
    const alive = setInterval(async () => (await this.callbacks.lost()) && this.settle(SERVER_SILENT), ALIVE_EVERY);
    this.callbacks.opening(name);
    order(request).then((refusal) => refusal && this.settle(refusal));
    const answer = await answerPromise;
    clearInterval(alive);
    this.coming = null;
    return answer.token ? this.callbacks.showFilm(slot, name, answer.token, uploaded, batch) : answer;
  }

  // Resolves to a refusal if the file cannot be sent.
  async upload(file, request) {
    if (file.size > this.limit) return { title: "The file is too large", detail: "At most " + this.limit / 2 ** 20 + " MB are read." };
    if (file.size === 0) return { title: "The file is empty", detail: "Choose a file that holds a radiograph." };
    try {
      // A random name: file names often contain a patient's name, and two visitors may send the same file at
      // once.
      const { path } = await this.sendFile(new File([file], crypto.randomUUID()));
      if (request === this.coming?.request) this.trigger("uploaded", { path, request });
    } catch (error) {
      const [, title, detail] = REFUSED.exec(error?.message) ?? [null, "The film could not be sent", SERVER_SILENT.detail];
      return { title, detail };
    }
  }

  // The server's answer; an answer to an earlier request is dropped.
  takeAnswer(message) {
    if (message && message.request === this.coming?.request) this.settle(message);
  }

  settle(answer) {
    this.coming?.settle(answer);
  }
}
