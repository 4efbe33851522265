// One page to print: the film as shown, the model's scores, its error rates, and the limits of use.
// It is a document in a frame, so that paper gets neither the page around it nor its dark colors.

import { make } from "../shared/elements.js";
import { countText, rateText, scoreText, wholeText } from "../shared/figures.js";
import { NORMAL, STATE_WORDS, VERDICT_WORDS, headlineWords, rowsInState, warningWords } from "../shared/finding_words.js";

const WARNING = "NOT FOR MEDICAL USE";
const COLUMNS = ["Finding", "Score", "Threshold", "Sensitivity", "n with it", "Specificity", "n without"];
const CORRECT_COLUMNS = ["Correct when flagged", "n"]; // of flagged findings, before these columns
const STYLE = `
@page { size: auto; margin: 10mm; }
* { box-sizing: border-box; margin: 0; padding: 0; }
body { max-width: 190mm; margin: 0 auto; color: #000; background: #fff; font: 8pt/1.3 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.warning { padding: 1.5mm; border: 1pt solid #000; font-size: 11pt; font-weight: 700; text-align: center; }
header, .film { display: flex; gap: 5mm; justify-content: space-between; margin: 2.5mm 0; }
h1 { font-size: 12pt; }
.film img { flex: none; align-self: flex-start; max-width: 70mm; max-height: 78mm; }
.film div { flex: 1; }
.film p { margin-bottom: 1.5mm; }
.head { font-size: 10pt; font-weight: 600; }
table { width: 100%; margin-bottom: 2mm; border-collapse: collapse; page-break-inside: avoid; }
caption { padding: 1mm 0; font-weight: 600; text-align: left; }
th, td { padding: 0.3mm 1.5mm 0.3mm 0; white-space: nowrap; border-bottom: 0.4pt solid #999; text-align: left; font-weight: 400; }
thead th { color: #444; white-space: normal; vertical-align: bottom; }
td:first-child { white-space: normal; }
.small { margin-bottom: 1.5mm; color: #333; font-size: 7.5pt; }
`;

// Resolves once the frame is ready to be printed. `finding`: the chosen one; `study`: a line about the film's study.
export async function printReport(room, item, picture, { finding, study }) {
  room.querySelector("iframe.report")?.remove();
  const frame = make("iframe", "report");
  frame.title = "Report to print";
  frame.hidden = true;
  frame.srcdoc = "<!doctype html>"; // else the browser uses quirks mode
  const loaded = new Promise((settle) => frame.addEventListener("load", settle, { once: true }));
  room.append(frame);
  await loaded;
  const page = frame.contentDocument;
  page.title = "Tailscope report";
  const style = page.createElement("style");
  style.textContent = STYLE;
  page.head.append(style);
  const image = new Image();
  image.src = picture.toDataURL("image/png");
  image.alt = "The film as it was shown";
  page.body.append(...makeReport(item, image, { finding, study }));
  await image.decode();
  frame.contentWindow.print();
}

function makeReport(item, image, { finding, study }, now = new Date()) {
  const { film, opinion, join, stability } = item;
  const { model, verdict, rows, not_looked_for: unknown, finding_free: free } = opinion;
  const { title, detail } = headlineWords(item);
  const head = make("header", "");
  head.append(make("h1", "", "Tailscope: what a model says of one film"), make("p", "", now.toLocaleString("en-US")));
  const notes = make("div", "");
  const lines = [
    film.simulated ? "SIMULATED: this is not a patient's film." : "",
    ...verdict.cautions,
    join?.training ? join.training.says : "",
    study,
    stability?.answer?.says,
    free ? free.says : "",
    finding ? "Chosen on the page: " + finding + "." : "",
    "Model " + model.name + ": " + model.title + ".",
    "Film " + film.sha256 + (film.view === "unknown" ? "" : ", " + film.view) + ". No name and no header of the file is on this page.",
    ...film.notes,
  ];
  notes.append(make("p", "head", title), make("p", "", detail), ...lines.filter(Boolean).map((words) => make("p", "", words)));
  const filmPart = make("div", "film");
  filmPart.append(image, notes);
  return [
    make("p", "warning", WARNING),
    head,
    filmPart,
    ...makeTable("Flagged", reliableRows(rows, "above")),
    ...makeTable("Uncertain", reliableRows(rows, "unsure")),
    ...makeOtherFindings(rows, unknown),
    make("p", "small", ruleText(rows, opinion.thresholds_chosen)),
    make("p", "warning", WARNING),
  ];
}

// Rates of an unreliable finding would be taken at face value: those findings are below the tables.
const reliableRows = (rows, state) => rowsInState(rows, state).filter((row) => !row.warning);

function makeTable(title, rows) {
  if (!rows.length) return [];
  const part = make("table", "");
  const head = make("tr", "");
  const right = rows.some((row) => row.verdict) ? CORRECT_COLUMNS : [];
  head.append(...[...COLUMNS.slice(0, 3), ...right, ...COLUMNS.slice(3)].map((words) => make("th", "", words)));
  const body = make("tbody", "");
  body.append(...rows.map(makeRow));
  part.append(make("caption", "", title + " (" + rows.length + ")"), make("thead", ""), body);
  part.tHead.append(head);
  return [part];
}

function makeRow(row) {
  const figureAndCount = (figure) => (figure ? [rateText(figure), wholeText(figure.n)] : ["not known", ""]);
  const name = row.finding + (row.verdict ? ": " + VERDICT_WORDS[row.verdict] : "");
  const right = row.verdict ? figureAndCount(row.right) : [];
  const cells = [name, scoreText(row.score), scoreText(row.threshold), ...right, ...figureAndCount(row.sensitivity), ...figureAndCount(row.specificity)];
  const part = make("tr", "");
  part.append(...cells.map((words) => make("td", "", words)));
  return part;
}

// Findings outside the tables: each kind by name, with informative scores.
function makeOtherFindings(rows, unknown) {
  const scored = (those) => those.map((row) => row.finding + " " + scoreText(row.score)).join(", ");
  const normal = rows.find((row) => row.finding === NORMAL);
  const cannot = rowsInState(rows, "cannot judge").map((row) => row.finding);
  const related = [...rowsInState(rows, "above"), ...rowsInState(rows, "unsure")].filter((row) => row.relations?.length);
  const doubts = [...rowsInState(rows, "above"), ...rowsInState(rows, "unsure")].filter((row) => row.warning);
  const lines = [
    ["No threshold known", scored(rows.filter((row) => row.state === null))],
    ["Not flagged", scored(rowsInState(rows, "below"))],
    ["Cannot judge", cannot.join(", ")],
    ["Normal", normal ? "score " + scoreText(normal.score) + (normal.state === null ? "" : ", " + STATE_WORDS[normal.state]) : ""],
    ["Not looked for: " + countText(unknown.length, "finding"), unknown.join(", ")],
    ...doubts.map((row) => [row.finding + " " + scoreText(row.score) + " (threshold " + scoreText(row.threshold) + ")", warningWords(row)]),
    ...related.map((row) => [row.finding + " is", row.relations.join("; ")]),
  ];
  return lines.filter(([, words]) => words).map(([name, words]) => make("p", "small", name + ": " + words + (words.endsWith(".") ? "" : ".")));
}

function ruleText(rows, chosen) {
  const thresholdRule = rows.find((row) => row.rule && !row.chosen_here)?.rule;
  return (thresholdRule ? "Thresholds: " + thresholdRule + "; 95 % intervals. " : "") + (chosen ? chosen + " " : "") + "One model's scores, not a diagnosis. A score is not a probability. Expect lower accuracy on other films.";
}
