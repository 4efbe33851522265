// The report of a case: its text, with what was read in it marked by finding and state.

import { make } from "../shared/elements.js";

const STATES = ["present", "uncertain", "absent", "not labeled"];

export class CaseReport {
  constructor(section) {
    this.section = section;
    this.clear();
  }

  clear() {
    this.section.replaceChildren();
  }

  /** @param {ui.explore.report_payload.CaseReportPayload | ui.explore.report_payload.NoReportPayload} report */
  show(report, finding) {
    this.clear();
    if (report.stage !== "report") return;
    const text = make("p", "case-report-text");
    text.append(...report.parts.map(makePart));
    this.section.append(make("h3", "", "Report"), text, makeKey(report.parts), make("p", "case-source", "Label source: " + report.source));
    this.choose(finding);
  }

  // The mentions and cues of the chosen finding stand out.
  choose(finding) {
    for (const mark of this.section.querySelectorAll("[data-findings]")) {
      mark.classList.toggle("chosen", JSON.parse(mark.dataset.findings).includes(finding));
    }
  }
}

/** @param {ui.explore.report_payload.ReportPartPayload} part */
function makePart({ text, said, cue_of: cueOf }) {
  if (!said.length && !cueOf.length) return document.createTextNode(text);
  const mark = make(said.length ? "mark" : "span", said.length ? "report-mention" : "report-cue", text);
  const words = said.map(({ finding, state }) => finding + ": " + state);
  mark.title = words.join("\n") || "decides on " + cueOf.join(", ");
  mark.dataset.findings = JSON.stringify([...said.map(({ finding }) => finding), ...cueOf]);
  if (said.length) mark.dataset.state = STATES.find((state) => said.some((each) => each.state === state));
  return mark;
}

// What the marks mean, with the findings in words: a mark alone says it neither to the color-blind nor to a screen reader.
/** @param {ui.explore.report_payload.ReportPartPayload[]} parts */
function makeKey(parts) {
  const said = parts.flatMap((part) => part.said);
  const list = make("dl", "case-list case-report-key");
  for (const state of STATES) {
    const findings = [...new Set(said.filter((each) => each.state === state).map(({ finding }) => finding))];
    if (!findings.length) continue;
    const name = make("dt", "");
    const mark = make("mark", "report-mention", state);
    mark.dataset.state = state;
    name.append(mark);
    list.append(name, make("dd", "", findings.join(", ")));
  }
  return list;
}
