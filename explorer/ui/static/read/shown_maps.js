// Which map lies over each film: that of the chosen finding, or the reason why there is none.

import { NORMAL, whyNoMap } from "../shared/finding_words.js";

const NOT_CHOSEN = "No map yet: choose a finding.";
const NOT_ASKED = "No map yet.";
const ON_ITS_WAY = "The map is being made.";

export class ShownMaps {
  // `films` by slot; `ask(finding)`: the visitor requests the map of a finding.
  constructor(lightbox, films, ask) {
    this.lightbox = lightbox;
    this.films = films;
    this.ask = ask;
  }

  // Update each film that was read. `chosen`: the chosen finding; `asked`: the visitor requested its map.
  show({ chosen, asked }) {
    for (const [slot, item] of Object.entries(this.films)) {
      const row = item.opinion?.rows.find(({ finding }) => finding === chosen);
      if (row) this.showOne(slot, item, row, asked);
      else if (item.opinion && !chosen) this.lightbox.noHeat(slot, NOT_CHOSEN);
      else this.lightbox.clearHeat(slot);
    }
  }

  showOne(slot, item, row, asked) {
    const { lightbox } = this;
    if (!asked) return lightbox.noHeat(slot, NOT_ASKED, "Show the map of " + row.finding, () => this.ask(row.finding));
    const why = whyNoMap(row);
    if (why && row.finding === NORMAL) lightbox.noHeat(slot, why);
    else if (why) lightbox.noHeat(slot, why, "Show the map anyway", () => this.draw(slot, item, row.finding));
    else if (!this.draw(slot, item, row.finding)) lightbox.noHeat(slot, ON_ITS_WAY);
  }

  // Draw the map if it is here; else it is drawn when it comes.
  draw(slot, item, finding) {
    const map = item.maps.of(finding);
    if (map) this.lightbox.heat(slot, map, 0);
    return Boolean(map);
  }
}
