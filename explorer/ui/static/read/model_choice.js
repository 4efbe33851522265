// The classifier that reads the films, and a second one for comparison: two lists behind *Model*, kept in the address.

import { make } from "../shared/elements.js";
import { AddModel } from "./add_model.js";

const DEFAULT_MODEL = "";
const NO_MODEL = "";
const ADDRESS_WORDS = { model: "first", beside: "second" };

// The models in the address: #read?model=NAME&beside=NAME.
export function readModelsInAddress() {
  const words = new URLSearchParams(location.hash.match(/^#read\?(.+)$/)?.[1]);
  return { first: words.get("model") ?? DEFAULT_MODEL, second: words.get("beside") ?? NO_MODEL };
}

function keepInAddress(chosen) {
  const asked = new URLSearchParams(location.hash.match(/^#read\?(.+)$/)?.[1]);
  for (const [word, key] of Object.entries(ADDRESS_WORDS)) {
    if (chosen[key]) asked.set(word, chosen[key]);
    else asked.delete(word);
  }
  const words = asked.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (words ? "#read?" + words : ""));
}

const optionText = ({ name, megabytes, own }) => name + (own ? " (yours)" : megabytes ? ` (${megabytes} MB to fetch)` : "");

export class ModelChoice {
  // `changed(which)`: the visitor, or the address, chose another "first" or "second" model.
  constructor(room, server, changed) {
    const part = room.querySelector(".model-choice");
    const usual = {}; // the default models, by whether films are simulated
    this.part = part;
    this.server = server;
    this.changed = changed;
    this.usual = usual;
    this.fold = part.parentElement;
    this.simulated = false;
    const { first, second } = readModelsInAddress();
    this.first = first;
    this.second = second;
    if (!server.models) return; // a page without models to choose from
    this.selects = { first: this.makeSelect("Read by"), second: this.makeSelect("Compare with") };
    const adding = new AddModel(room, server, async (name) => {
      this.choose("first", name);
      await this.fill();
    });
    const add = Object.assign(make("button", "model-add control", "Add"), { type: "button", title: "Add a model from a file of weights or by an address" });
    add.setAttribute("aria-label", "Add a model");
    add.addEventListener("click", () => adding.open());
    this.selects.first.closest("label").after(add);
    for (const key of ["first", "second"]) {
      this.selects[key].addEventListener("change", () => this.choose(key, this.selects[key].value));
    }
    const follow = () => Object.entries(readModelsInAddress()).forEach(([key, name]) => name === this[key] || this.choose(key, name));
    for (const moved of ["popstate", "hashchange"]) addEventListener(moved, () => /^#read\?/.test(location.hash) && follow());
  }

  makeSelect(words) {
    const label = make("label", "model-label", words);
    const select = make("select", "model-select");
    label.append(select);
    this.part.append(label);
    return select;
  }

  choose(key, name) {
    this[key] = name;
    keepInAddress(this);
    this.show();
    this.changed(key);
    if (key === "first") document.dispatchEvent(new Event("tailscope-model"));
  }

  // Show the lists. `usual`: the default model that read the film, `simulated`: whether the film is simulated;
  // without a film, the choice is about the next one.
  async fill(usual, simulated = this.simulated) {
    if (!this.selects) return;
    this.simulated = simulated;
    if (usual) this.usual[simulated] = usual;
    const known = await this.server.models(null).catch(() => undefined);
    if (!Array.isArray(known)) return;
    this.known = known;
    this.show();
  }

  // Keep the lists in `place`, which covers the panel, until `place` is null: for the films there, and their default
  // model.
  moveTo(place, simulated, usual) {
    this.away = place && { simulated };
    if (place && usual) this.usual[simulated] = usual;
    if (place && this.part.parentElement !== place) place.prepend(this.part);
    else if (!place && this.part.parentElement !== this.fold) this.fold.append(this.part);
    this.show();
  }

  show() {
    this.fold.hidden = !this.known || Boolean(this.away);
    if (!this.known) return;
    const { simulated } = this.away ?? this;
    const fitting = this.known.filter((each) => each.simulated === simulated || [this.first, this.second].includes(each.name));
    const options = fitting.map((each) => [each.name, optionText(each), each.title]);
    const usual = this.usual[simulated];
    fillSelect(this.selects.first, [[DEFAULT_MODEL, usual ? `${usual} (default)` : "Default model", ""], ...options], this.first);
    fillSelect(this.selects.second, [[NO_MODEL, "none", ""], ...options], this.second);
    const first = this.first || usual || "default";
    this.fold.querySelector(".model-fold-names").textContent = this.second ? `${first}, compared with ${this.second}` : first;
  }
}

function fillSelect(select, options, chosen) {
  const missing = chosen && !options.some(([value]) => value === chosen) ? [[chosen, chosen, ""]] : [];
  const optionsKey = JSON.stringify([...options, ...missing]);
  if (select.shown !== optionsKey) { // else a list that is open would close
    select.replaceChildren(
      ...[...options, ...missing].map(([value, words, title]) => Object.assign(make("option", "", words), { value, title })),
    );
    select.shown = optionsKey;
  }
  select.value = chosen;
}
