// Prevalence against average precision: plotly draws the server's chart; a table has the same numbers.

import { make } from "../shared/elements.js";
import { countText, wholeText } from "../shared/figures.js";
import { watchLatest } from "../shared/latest.js";
import { loadPlotly } from "../shared/plotly.js";
import { ExplorePanel, chanceText, estimateFigureText, estimateIntervalText, makeColumnHeading, makePlainWords } from "./panel_base.js";

const HOW_TO_READ = "Each mark is a finding: the farther right, the more common; the higher, the better the scores find its films. Guessing lies on the line: a rare finding low on the page may still be found well above chance.";

export class Scatter extends ExplorePanel {
  /** @override */
  question = "prevalence";

  /** @override */
  extra() {
    const { paddingLeft, paddingRight } = getComputedStyle(this.box);
    const width = this.box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return { width, height: Math.min(560, Math.max(320, this.box.clientHeight - 96)), known: this.answer?.known };
  }

  /**
   * @override
   * @param {ui.explore.panel_calls.ScatterPanelPayload} answer
   */
  async draw(answer) {
    const isLatest = watchLatest(() => this.turn);
    const { Plotly, failure } = await loadPlotly(answer.plotly).then((found) => ({ Plotly: found }), (failure) => ({ failure }));
    if (!isLatest()) return;
    if (failure) return this.showRefusal({ title: "The chart could not be drawn", detail: "Its script did not load. Check that Tailscope is still running, then open the panel again." });
    this.makeFrame();
    this.chart.setAttribute("aria-label", answer.sentence + ". Average precision against prevalence; the table below has the numbers.");
    await Plotly.react(this.chart, answer.figure.data, answer.figure.layout, { displayModeBar: false, responsive: true });
    if (!isLatest()) return;
    this.chart.removeAllListeners("plotly_click");
    this.chart.on("plotly_click", ({ points: [point] }) => point.customdata && this.toggle({ finding: point.customdata }));
    this.showBeside(answer);
  }

  // The chart keeps its place from one slice to the next: plotly moves its points.
  makeFrame() {
    if (this.chart && this.box.contains(this.chart)) return;
    this.chart = make("div", "scatter-chart");
    this.chart.setAttribute("role", "img");
    this.words = make("div", "scatter-words");
    this.box.replaceChildren(this.chart, this.words);
  }

  showBeside({ sentence, pairs, films, points, undrawn, computing, few }) {
    const open = this.words.querySelector("details")?.open;
    const counts = countText(pairs, "pair") + ", " + countText(films, "film") + ". ";
    const hollow = points.some(({ positives }) => positives < few) ? "Hollow: fewer than " + few + " positives. " : "";
    const missing = undrawn.length ? "Not drawn: " + undrawn.join("; ") + ". " : "";
    const waiting = computing ? "Intervals: computing." : "Bars: 95 % intervals, resampling patients.";
    const details = make("details", "scatter-table");
    details.open = Boolean(open);
    details.append(make("summary", "", "The same as a table"), this.makeTable(sentence, points));
    this.words.replaceChildren(makePlainWords(HOW_TO_READ), make("p", "cells-legend muted small", counts + hollow + missing + waiting), details);
  }

  makeTable(sentence, points) {
    const table = make("table", "numbers-table");
    table.append(make("caption", "", sentence));
    const head = make("tr", "");
    for (const title of ["Finding", "Group", "n+", "Prevalence", "AP [95 %]"]) head.append(makeColumnHeading(title, ""));
    const body = make("tbody", "");
    for (const point of points) body.append(this.makeRow(point));
    const top = make("thead", "");
    top.append(head);
    table.append(top, body);
    return table;
  }

  makeRow(point) {
    const row = make("tr", "");
    const name = make("th", "");
    name.scope = "row";
    const button = make("button", "panel-link", point.finding);
    button.type = "button";
    button.dataset.key = "scatter " + point.word;
    button.setAttribute("aria-pressed", String(this.explore.state.finding === point.word));
    button.addEventListener("click", () => this.toggle({ finding: point.word }));
    name.append(button);
    const interval = point.low === null ? "computing" : estimateIntervalText(point);
    const cells = [point.group ?? "no group", wholeText(point.positives), chanceText(point.positives / point.films), estimateFigureText(point) + " " + interval];
    row.append(name, ...cells.map((text) => make("td", "", text)));
    return row;
  }

  /** @override */
  clear() {
    super.clear();
    if (this.chart) window.Plotly?.purge(this.chart);
    this.chart = null;
  }
}
