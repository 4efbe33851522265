// Which map lies over each film: that of the chosen finding, or the reason why there is none.

import { NORMAL, whyNoMap } from "../shared/finding_words.js";

const NOT_CHOSEN = "No map yet: choose a finding.";
const NOT_REQUESTED = "No map yet.";
const FINDING_IN_IT = "No map: maps are of the film without the finding.";
const BEING_MADE = "The map is being made.";

export class ShownMaps {
  // `films` by slot; `ask(finding)`: the visitor requests the map of a finding; `covered(item)`: the film is shown with a
  // finding that was put into it.
  constructor(lightbox, films, ask, covered) {
    this.lightbox = lightbox;
    this.films = films;
    this.ask = ask;
    this.covered = covered;
  }

  // Update each film that was read. `chosen`: the chosen finding; `asked`: the visitor requested its map.
  show({ chosen, asked }) {
    for (const [slot, item] of Object.entries(this.films)) {
      const row = item.opinion?.rows.find(({ finding }) => finding === chosen);
      if (row && this.covered(item)) this.lightbox.showNoHeat(slot, FINDING_IN_IT);
      else if (row) this.showOne(slot, item, row, asked);
      else if (item.opinion && !chosen) this.lightbox.showNoHeat(slot, NOT_CHOSEN);
      else this.lightbox.clearHeat(slot);
    }
  }

  showOne(slot, item, row, asked) {
    const { lightbox } = this;
    if (!asked) return lightbox.showNoHeat(slot, NOT_REQUESTED, "Show the map of " + row.finding, () => this.ask(row.finding));
    const why = whyNoMap(row);
    if (why && row.finding === NORMAL) lightbox.showNoHeat(slot, why);
    else if (why) lightbox.showNoHeat(slot, why, "Show the map anyway", () => this.draw(slot, item, row.finding));
    else if (!this.draw(slot, item, row.finding)) lightbox.showNoHeat(slot, BEING_MADE);
  }

  // Draw the map if it is here; otherwise it is drawn when it arrives.
  draw(slot, item, finding) {
    const map = item.maps.find(finding);
    if (map) this.lightbox.showHeat(slot, map, 0);
    return Boolean(map);
  }
}
