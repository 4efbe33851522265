// The sections of Teach, one of them shown. A section without content is not offered.

import { make } from "../shared/elements.js";

const FIRST_SECTION = "playlists";

export class Sections {
  // `change(words)` puts words into the address. A component that fills a section later sends the event
  // "teach-section" on the document.
  constructor(room, change) {
    this.room = room;
    this.nav = room.querySelector(".teach-sections");
    this.change = change;
    this.wanted = FIRST_SECTION;
    document.addEventListener("teach-section", () => this.show(this.wanted));
  }

  get offeredSections() {
    return [...document.querySelectorAll("#teach-tab .teach-section")].filter(({ childElementCount }) => childElementCount);
  }

  show(name) {
    const { offeredSections: all } = this;
    this.wanted = name || FIRST_SECTION;
    const shown = all.some(({ dataset }) => dataset.section === this.wanted) ? this.wanted : FIRST_SECTION;
    for (const section of all) section.hidden = section.dataset.section !== shown;
    this.room.dataset.elsewhere = String(!all.some((section) => section.dataset.section === shown && this.room.contains(section)));
    this.nav.hidden = all.length < 2;
    this.nav.replaceChildren(...all.map(({ dataset }) => this.makeButton(dataset, shown)));
  }

  /** @param {DOMStringMap} named */
  makeButton({ section, title }, shown) {
    const button = make("button", "teach-section-name", title);
    button.type = "button";
    if (section === shown) button.setAttribute("aria-current", "page");
    button.addEventListener("click", () => this.change({ section: section === FIRST_SECTION ? null : section }));
    return button;
  }
}
