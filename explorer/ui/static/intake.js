// How a film comes in: chosen, dropped or a sample; uploaded under a random name, opened by the server.

class Intake {
  // `told`: opening(slot, name), opened(slot, token, place), failed(slot, title, detail), slotFor(), placeFor(slot).
  constructor(room, told) {
    this.room = room;
    this.told = told;
    this.asked = 0; // number of the latest request: an answer to an earlier one is not shown
    this.slot = "a"; // where its film will hang
    this.waiting = false;
    this.picker = room.querySelector(".file-input");
    this.bind();
  }

  bind() {
    this.picker.addEventListener("change", () => {
      if (this.picker.files.length) this.send([...this.picker.files], this.slot);
      this.picker.value = "";
    });
    this.room.addEventListener("click", (event) => {
      if (event.target.closest(".choose")) this.pick(this.told.slotFor());
      const button = event.target.closest(".sample");
      if (button) this.sample(button);
    });
    this.bindDrop();
  }

  // Anywhere on the page: a file dropped beside the target would otherwise replace the page.
  bindDrop() {
    const carriesFile = (event) => event.dataTransfer && event.dataTransfer.types.includes("Files");
    document.addEventListener("dragover", (event) => {
      if (!carriesFile(event)) return;
      event.preventDefault();
      this.room.classList.add("dragging");
    });
    document.addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) this.room.classList.remove("dragging");
    });
    document.addEventListener("drop", (event) => {
      this.room.classList.remove("dragging");
      if (!carriesFile(event)) return;
      event.preventDefault();
      const files = [...event.dataTransfer.files];
      if (files.length) this.send(files, files.length > 1 ? "a" : this.told.slotFor());
    });
  }

  pick(slot) {
    if (this.waiting) return;
    this.slot = slot;
    this.picker.click();
  }

  // The first file hangs in `slot`; a second one dropped with it hangs beside.
  async send(files, slot) {
    if (this.waiting) return;
    const [file, second] = files;
    const request = this.begin(slot, file.name);
    if (file.size > LIMIT) return this.fail("The file is too large", "At most " + LIMIT / 2 ** 20 + " MB are read.");
    if (file.size === 0) return this.fail("The file is empty", "Choose a file that holds a radiograph.");
    this.second = second;
    try {
      // A name of our own: file names often hold a patient's name, and two visitors may send the same file at once.
      const { path } = await upload(new File([file], crypto.randomUUID()));
      if (request === this.asked) trigger("uploaded", { path, request, slot: this.place });
    } catch {
      this.fail("The film could not be sent", "See whether Tailscope is still running, then open the film again.");
    }
  }

  sample(button) {
    if (this.waiting) return;
    const request = this.begin("a", button.querySelector("strong").textContent);
    trigger("sample", { key: button.dataset.sample, request, slot: this.place });
  }

  begin(slot, name) {
    this.asked += 1;
    this.slot = slot;
    this.place = this.told.placeFor(slot);
    this.waiting = true;
    this.second = null;
    this.told.opening(slot, name);
    return this.asked;
  }

  // What the server says of the latest request.
  answer(message) {
    if (!message || message.request !== this.asked || !this.waiting) return;
    if (message.stage === "refused") return this.fail(message.title, message.detail);
    this.waiting = false;
    this.told.opened(this.slot, message.token, this.place);
    if (this.second) this.send([this.second], "b");
  }

  fail(title, detail) {
    this.waiting = false;
    this.told.failed(this.slot, title, detail);
  }
}
