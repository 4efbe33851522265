// The cases selected in the gallery, on any page of a slice: star them, or add them to a list.

import { make } from "../shared/elements.js";
import { wholeText } from "../shared/figures.js";
import { showRefusal } from "../shared/refusal.js";

export class Selection {
  constructor(box, explore) {
    this.explore = explore;
    this.tiles = box.querySelector(".tiles");
    this.bar = box.querySelector(".selection");
    this.status = box.querySelector(".selection-said");
    this.cases = new Map(); // id -> the finding that the tile shows
    this.last = null; // the id at which a range begins
    this.tiles.addEventListener("change", (event) => this.toggleBox(event.target));
    this.tiles.addEventListener("keydown", (event) => this.handleKey(event));
    box.querySelector(".selection-star").addEventListener("click", () => this.star([...this.cases.keys()], true));
    box.querySelector(".selection-list").addEventListener("click", () => explore.lists.open());
    box.querySelector(".selection-playlist").addEventListener("click", () => this.addToPlaylist());
    box.querySelector(".selection-export").addEventListener("click", () => this.save());
    box.querySelector(".selection-clear").addEventListener("click", () => this.clear());
  }

  // The check box of a tile. The tab order has the tile itself instead, where X does the same.
  makeCheckBox({ id, finding, case: name }) {
    const box = make("input", "tile-select");
    Object.assign(box, { type: "checkbox", tabIndex: -1, checked: this.cases.has(id), title: "Select (X on the tile; Shift and click for several)" });
    Object.assign(box.dataset, { id, finding });
    box.setAttribute("aria-label", "Select " + name);
    return box;
  }

  get itemsOnPage() {
    return this.explore.gallery.items;
  }

  toggleBox(box) {
    if (box.matches(".tile-select")) this.setSelected([{ id: box.dataset.id, finding: box.dataset.finding }], box.checked);
  }

  // Shift extends the selection from the last tile, Control or Command toggles this one; true where the click was one
  // of these.
  handleClick(event) {
    const { itemsOnPage: items } = this;
    const id = event.target.closest(".tile").dataset.case;
    const at = items.findIndex((item) => item.id === id);
    if (this.explore.state.hide || at < 0 || !(event.shiftKey || event.ctrlKey || event.metaKey)) return false;
    const rangeStart = event.shiftKey ? items.findIndex((item) => item.id === this.last) : -1;
    const clicked = rangeStart < 0 ? [items[at]] : items.slice(Math.min(rangeStart, at), Math.max(rangeStart, at) + 1);
    this.setSelected(clicked, event.shiftKey || !this.cases.has(id));
    this.last = id;
    return true;
  }

  // X selects the tile that has the focus, S stars it.
  handleKey(event) {
    const tile = event.target.closest(".tile");
    const keysOff = document.documentElement.dataset.keys === "off" || this.explore.state.hide;
    if (!tile || keysOff || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const item = this.itemsOnPage.find(({ id }) => id === tile.dataset.case);
    const key = event.key.toLowerCase();
    if (key === "x") this.setSelected([item], !this.cases.has(item.id));
    else if (key === "s") this.star([item.id], !item.starred);
    else return;
    event.preventDefault();
  }

  setSelected(items, on) {
    for (const { id, finding } of items) {
      if (on) this.cases.set(id, finding);
      else this.cases.delete(id);
    }
    this.last = items.at(-1).id;
    this.draw();
  }

  clear() {
    this.cases.clear();
    this.last = null;
    this.draw();
  }

  draw() {
    const { size } = this.cases;
    this.bar.hidden = !size;
    this.status.textContent = size ? wholeText(size) + " chosen" : "";
    this.tiles.dataset.selecting = String(size > 0);
    for (const box of this.tiles.querySelectorAll(".tile-select")) box.checked = this.cases.has(box.dataset.id);
  }

  // Each film is asked about the finding on its tile, if the question is about one.
  addToPlaylist() {
    const findings = Object.fromEntries(this.cases);
    const words = this.cases.size === 1 ? "this film" : "these " + wholeText(this.cases.size) + " films";
    this.explore.addFilm.open({ words, sent: () => ({ cases: Object.keys(findings), findings }), findings: [], each: true });
  }

  save() {
    const findings = Object.fromEntries(this.cases);
    return this.explore.tools.save("cases_exported", { cases: Object.keys(findings), findings });
  }

  async star(ids, on) {
    const answer = await this.explore.ask("cases_starred", { cases: ids, on });
    if (!answer) return;
    if (answer.stage === "refused") return showRefusal(this.explore.tools.status, answer);
    this.explore.marksChanged(ids, on);
  }
}
