// A film shown to a room: one verdict beside it, keys for reveal and next. The film's element stays; the part of the
// page around it gets another layout and covers the window. The address keeps it: present=1.

import { isPresented, presentAddress } from "./present_address.js";
import { setApart } from "./present_apart.js";
import { bindPresentKeys, makeKeysDialog, toggleFullScreen } from "./present_keys.js";
import { followLesson, lessonButtonText, lessonText, stepLesson } from "./present_lesson.js";
import { PresentPanel } from "./present_panel.js";
import { tabOfHash } from "./tab_address.js";

const NO_FULL_SCREEN = "This browser does not allow full screen here.";

export class Present {
  // `host`: the part of the page with the film; `tab`: its address word; `words`: as keysDialog takes it.
  // `callbacks`: said(): what PresentPanel.show takes; ways(): the labels of its buttons; ready(): whether there is
  // something to present; next(), back(), reveal(), heat(), outline(), each optional. `always`: the words are
  // beside the film even when it is not presented, and its steps are never those of a lesson.
  /** @param {{host: HTMLElement, tab: string, callbacks: any, words?: object, always?: boolean}} given */
  constructor({ host, tab, callbacks, words, always = false }) {
    this.host = host;
    this.tab = tab;
    this.callbacks = callbacks;
    this.always = always;
    this.on = false;
    this.note = "";
    this.panel = new PresentPanel((name) => this.run(name));
    this.keys = makeKeysDialog(words);
    host.querySelector(":scope > .film-side, :scope > .present-film").after(this.panel.element);
    host.append(this.keys);
    this.panel.element.hidden = !always;
    bindPresentKeys(() => this.on && !this.keys.open, (name) => this.run(name));
    // Before the tab handles it, because the tab may rewrite its address.
    for (const moved of ["popstate", "hashchange"]) addEventListener(moved, () => this.refresh(), { capture: true });
    if (!always) followLesson(() => this.draw());
    this.refresh();
  }

  get wanted() {
    return tabOfHash(location.hash) === this.tab && isPresented(location.hash);
  }

  // By the toolbar's button or its key.
  toggle() {
    history.replaceState(history.state, "", presentAddress(location.hash, !this.on, this.tab));
    this.refresh();
  }

  // Called by the tab when the address or the film changed.
  refresh() {
    const should = this.wanted && this.callbacks.ready();
    if (should !== this.on) this.switchTo(should);
    this.draw();
  }

  switchTo(on) {
    this.on = on;
    this.host.classList.toggle("presenting", on);
    this.panel.element.hidden = !on && !this.always;
    document.documentElement.classList.toggle("presented", on);
    setApart(this.host, on);
    if (on) this.before = /** @type {HTMLElement} */ (document.activeElement);
    this.draw();
    if (on) this.panel.focus();
    else if (this.before?.isConnected) this.before.focus({ preventScroll: true });
    if (!on && this.keys.open) this.keys.close();
  }

  draw() {
    if (!this.on && !this.always) return;
    const buttonTexts = { back: "", reveal: "", next: "", ...this.callbacks.ways() };
    if (this.inLesson) Object.assign(buttonTexts, { next: lessonButtonText("next"), back: lessonButtonText("before") });
    const content = this.callbacks.said();
    const lines = [...(content.lines ?? []), this.note].filter(Boolean);
    this.panel.show({ ...content, lines, lesson: this.inLesson ? lessonText() : "" }, buttonTexts);
  }

  run(name) {
    this.note = "";
    const commands = {
      next: () => this.step("next"),
      back: () => this.step("back"),
      reveal: () => this.callbacks.reveal?.(),
      heat: () => this.callbacks.heat?.(),
      outline: () => this.callbacks.outline?.(),
      full: () => toggleFullScreen().then((allowed) => allowed || this.showMessage(NO_FULL_SCREEN)),
      leave: () => this.toggle(),
      help: () => this.keys.showModal(),
    };
    commands[name]();
    this.draw();
  }

  step(where) {
    if (!this.inLesson) this.callbacks[where]?.();
    else if (lessonButtonText(where === "next" ? "next" : "before")) stepLesson(where);
  }

  get inLesson() {
    return !this.always && lessonButtonText("next") !== undefined;
  }

  showMessage(words) {
    this.note = words;
    this.draw();
  }
}
