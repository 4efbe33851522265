// The film of a tab in type for a room: one verdict beside it, reveal and next by keys. The film viewer stays where it
// is; the part of the page around it is laid out anew and covers the window. The address keeps it: present=1.

import { asksToPresent, presentAddress } from "./present_address.js";
import { bindPresentKeys, keysDialog, toggleFull } from "./present_keys.js";
import { followLesson, goInLesson, lessonLine, lessonWay } from "./present_lesson.js";
import { PresentPanel } from "./present_panel.js";
import { tabIn } from "./tab_address.js";

const NO_FULL = "This browser does not allow full screen here.";

export class Present {
  // `host`: the part of the page that has the film side; `tab`: its word in the address; `lightbox`: its viewer.
  // `callbacks`: said(): what PresentPanel.show takes; ways(): words of its buttons; next(), back(), reveal(), each if
  // there is one; ready(): whether there is something to present, if that is not a film. `words`: as keysDialog takes it.
  constructor({ host, tab, lightbox, callbacks, words }) {
    Object.assign(this, { host, tab, lightbox, callbacks });
    this.on = false;
    this.note = "";
    this.panel = new PresentPanel((name) => this.run(name));
    this.keys = keysDialog(words);
    host.append(this.panel.element, this.keys);
    bindPresentKeys(() => this.on && !this.keys.open, (name) => this.run(name));
    // Ahead of the tab, which may write its address anew.
    for (const moved of ["popstate", "hashchange"]) addEventListener(moved, () => this.refresh(), { capture: true });
    followLesson(() => this.draw());
    this.refresh();
  }

  get wanted() {
    return tabIn(location.hash) === this.tab && asksToPresent(location.hash);
  }

  get ready() {
    return this.callbacks.ready ? this.callbacks.ready() : this.lightbox.enabled;
  }

  // By the toolbar's button or its key.
  toggle() {
    history.replaceState(history.state, "", presentAddress(location.hash, !this.on, this.tab));
    this.refresh();
  }

  // The address changed, or what is shown did: the tab says so.
  refresh() {
    const should = this.wanted && this.ready;
    if (should !== this.on) this.turn(should);
    this.draw();
  }

  turn(on) {
    this.on = on;
    this.host.classList.toggle("presenting", on);
    document.documentElement.classList.toggle("presented", on);
    setApart(this.host, on);
    if (on) this.before = document.activeElement;
    this.draw();
    if (on) this.panel.focus();
    else if (this.before?.isConnected) this.before.focus({ preventScroll: true });
    if (!on && this.keys.open) this.keys.close();
  }

  draw() {
    if (!this.on) return;
    const [next, back] = [lessonWay("next"), lessonWay("before")];
    const ways = { back: "", reveal: "", next: "", ...this.callbacks.ways() };
    if (next !== undefined) Object.assign(ways, { next, back });
    const said = this.callbacks.said();
    const lines = [...(said.lines ?? []), heatLine(this.lightbox), this.note].filter(Boolean);
    this.panel.show({ ...said, lines, lesson: lessonLine() }, ways);
  }

  run(name) {
    this.note = "";
    const { lightbox } = this;
    const marks = ["masks", "boxes"].filter((each) => lightbox.commands[each]);
    const commands = {
      next: () => this.step("next"),
      back: () => this.step("back"),
      reveal: () => this.callbacks.reveal?.(),
      heat: () => lightbox.setOverlay(!lightbox.overlayOn),
      outline: () => marks.forEach((each) => lightbox.run(each)),
      full: () => toggleFull().then((allowed) => allowed || this.say(NO_FULL)),
      leave: () => this.toggle(),
      help: () => this.keys.showModal(),
    };
    commands[name]();
    this.draw();
  }

  step(where) {
    if (lessonWay(where === "next" ? "next" : "before")) goInLesson(where);
    else if (lessonWay("next") === undefined) this.callbacks[where]?.();
  }

  say(words) {
    this.note = words;
    this.draw();
  }
}

// Which map lies over the film, or why none does.
function heatLine({ now, opinionHidden }) {
  const { overlay } = now;
  if (opinionHidden) return "";
  if (!overlay.shown) return overlay.map ? "" : overlay.words ?? "";
  const { finding, maximum, worth } = overlay.legendWords;
  return ["Heat map of " + finding + ", brightest at " + maximum, worth].filter(Boolean).join(". ") + ".";
}

// Everything outside of it is out of reach while it covers the window.
function setApart(host, on) {
  for (let part = host; part !== document.body && part.parentElement; part = part.parentElement) {
    for (const beside of part.parentElement.children) {
      if (beside === part || ["SCRIPT", "STYLE", "LINK"].includes(beside.tagName)) continue;
      if (on && !beside.inert) Object.assign(beside, { inert: true }).dataset.apart = "";
      else if (!on && "apart" in beside.dataset) delete Object.assign(beside, { inert: false }).dataset.apart;
    }
  }
}
