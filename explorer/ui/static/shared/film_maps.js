// The heat maps of one film: requested one finding at a time, kept as long as the reading is valid.

import { decodeMaps } from "../viewer/heat.js";
import { whyNoMap } from "./finding_words.js";

export class FilmMaps {
  // `fetchHeat(findings)` resolves to the server's answer; `changed()` is called when maps have arrived.
  constructor(rows, fetchHeat, changed) {
    this.rows = rows;
    this.fetchHeat = fetchHeat;
    this.changed = changed;
    this.mapByFinding = new Map(); // by finding, null while it is being computed
    this.alike = "";
  }

  // A map in the viewer's form; undefined: it is now requested, and the other default maps after it.
  find(finding) {
    const map = this.mapByFinding.get(finding);
    if (map === undefined) this.fetchFirst(finding);
    return map ?? undefined;
  }

  // Where the map of a finding is hottest; undefined if it was not made yet.
  placeOf(finding) {
    return this.mapByFinding.get(finding)?.places?.find((each) => each.finding === finding);
  }

  async fetchFirst(finding) {
    const first = !this.mapByFinding.size;
    if ((await this.fetch([finding])) && first) await this.fetch(this.shownByDefault(), true);
  }

  // The findings whose maps are shown by default. The server can say whether these maps differ.
  shownByDefault() {
    return this.rows.filter((row) => row.state === "above" && !whyNoMap(row)).map(({ finding }) => finding);
  }

  async fetch(findings, together = false) {
    if (!findings.length) return false;
    for (const finding of findings) if (!this.mapByFinding.has(finding)) this.mapByFinding.set(finding, null);
    const answer = await this.fetchHeat(findings);
    if (answer.stage === "heat") this.keep(answer);
    else for (const finding of findings) if (this.mapByFinding.get(finding) === null) this.mapByFinding.delete(finding);
    if (together) this.alike = answer.alike ?? "";
    this.changed(answer);
    return answer.stage === "heat";
  }

  keep({ findings, maps, grid, ...answer }) {
    const values = decodeMaps(maps);
    findings.forEach((finding, place) => {
      const ownValues = values.subarray(place * grid * grid, (place + 1) * grid * grid);
      const row = this.rows.find((each) => each.finding === finding);
      this.mapByFinding.set(finding, { ...answer, grid, values: ownValues, rows: [row] });
    });
  }
}
