// The tabs of the left side: one panel at a time, requested only when visible.

import { scrollIntoSight } from "../shared/in_sight.js";

export class PanelTabs {
  // `panels`: the class of each panel by its address word.
  constructor(box, explore, panels) {
    this.box = box;
    this.explore = explore;
    this.panels = panels;
    this.tabs = [...box.querySelectorAll("[role=tab]")];
    this.panelsMade = {}; // by name
    this.narrow = matchMedia("(width <= 760px)"); // on a narrow page the films are one of the tabs
    this.narrow.addEventListener("change", () => this.show(true));
    for (const tab of this.tabs) tab.addEventListener("click", () => this.choose(tab));
    box.querySelector("[role=tablist]").addEventListener("keydown", (event) => this.handleArrow(event));
  }

  get name() {
    const { panel } = this.explore.state;
    if (this.narrow.matches && (!panel || panel === "films")) return "films";
    return Object.hasOwn(this.panels, panel) ? panel : "table";
  }

  choose(tab) {
    const { panel } = tab.dataset;
    const usual = this.narrow.matches ? "films" : "table";
    this.explore.change({ panel: panel === usual ? null : panel }, { keep: true });
  }

  handleArrow(event) {
    const delta = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!delta) return;
    event.preventDefault();
    const seen = this.tabs.filter((tab) => tab.getClientRects().length);
    const next = seen[(seen.indexOf(event.target) + delta + seen.length) % seen.length];
    next.focus();
    next.click();
  }

  // `anew`: the slice has changed since the panels were drawn.
  show(anew) {
    const { name } = this;
    this.explore.room.dataset.panel = name;
    for (const tab of this.tabs) {
      const chosen = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen) scrollIntoSight(tab);
    }
    for (const box of this.box.querySelectorAll("[role=tabpanel]")) box.hidden = box.dataset.panel !== name;
    if (anew) this.stale = new Set(Object.keys(this.panels));
    if (this.explore.state.hide) this.clearHidden(name);
    if (!this.stale.delete(name)) return;
    const box = this.box.querySelector('[role=tabpanel][data-panel="' + name + '"]');
    this.panelsMade[name] ??= new this.panels[name](box, this.explore);
    this.panelsMade[name].show();
  }

  // While labels are hidden, none of them may stay on the page, not even out of sight.
  clearHidden(shownName) {
    for (const [name, panel] of Object.entries(this.panelsMade)) if (name !== shownName) panel.clear();
  }
}
