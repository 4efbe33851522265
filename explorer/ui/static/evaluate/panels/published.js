// Published: a paper's own table, with the reference model as one more column where it has such figures.

import { make } from "../../shared/elements.js";
import { NO_FIGURE } from "../../shared/figures.js";
import { makeWithCommands } from "../../shared/refusal.js";
import { makeTable } from "../tables.js";
import { makeCheckFigures } from "./published_figures.js";

const ANOTHER_SET = "another test set";
const LONGEST_FIGURE = 48; // letters; longer cells are sentences

/** @param {EvaluatePanel<ui.evaluate.panels.published.PublishedTablePayload>} answer */
export function makePublishedPanel({ content, computing, models }, evaluate) {
  const { grids, figures, plotly, own, why, films, simulated } = content;
  const sentence = own ? "Right column: " + own + " on " + films + (simulated ? ", SIMULATED" : "") + "." : why;
  const box = make("div", "board-head flex-row flex-wraps");
  box.append(makeTableChoice(content, evaluate), ...(own ? [makeModelChoice(models, own, evaluate)] : []));
  const tables = grids.flatMap((grid) => [...makeGrid(grid, content, computing, evaluate), ...makeCheckFigures(grid.figures, plotly, "h3")]);
  return [box, makeWithCommands("p", "published-source", sentence), ...makeCheckFigures(figures, plotly, "h2"), ...tables, ...makeBehind(content, evaluate)];
}

function makeTableChoice({ tables, table }, evaluate) {
  const select = make("select", "published-choice");
  select.dataset.key = "choose table";
  for (const paper of new Set(tables.map((each) => each.paper))) {
    const group = Object.assign(make("optgroup", ""), { label: paper });
    for (const { word, name } of tables.filter((each) => each.paper === paper)) group.append(new Option(name, word, word === table, word === table));
    select.append(group);
  }
  select.addEventListener("change", () => evaluate.change({ table: select.value }));
  return makeLabeled("Table", select);
}

// The own column is that of the reference, which all panels share.
function makeModelChoice(models, own, evaluate) {
  const select = make("select", "");
  select.dataset.key = "choose own";
  for (const { word, name } of models.filter((each) => each.chosen)) select.append(new Option(name, word, name === own, name === own));
  select.addEventListener("change", () => evaluate.change({ reference: select.value }));
  return makeLabeled("Beside it", select);
}

function makeLabeled(words, select) {
  const label = make("label", "evaluate-choice muted");
  label.append(make("span", "", words), select);
  return label;
}

// The title of a printed table stands above the panel already.
function makeGrid({ caption, heads, names, cells, behind, own: figures }, { tables, printed, own, simulated }, computing, evaluate) {
  const ownHead = figures ? [[make("span", "published-own-name", own), make("strong", "another-set small", ANOTHER_SET), ...(simulated ? [make("strong", "published-simulated small", "SIMULATED")] : [])]] : [];
  const rows = names.map((name, place) => [name, ...cells[place].map(makePrinted), ...(figures ? [makeOwn(figures[place], computing)] : []), ...(behind ? [behind[place].map((word) => makeTableButton(word, tables, evaluate, caption + place))] : [])]);
  const look = printed ? "printed-table" + (figures ? " with-own" : "") : "worked-table" + (hasSentences(cells) ? " with-sentences" : "");
  const table = makeTable(look, caption, [...heads, ...ownHead, ...(behind ? ["cells behind it"] : [])], rows);
  return printed ? [table] : [make("h2", "published-title", caption), table];
}

// The printed tables that a calculation starts from, one press away.
function makeBehind({ behind, tables }, evaluate) {
  if (!behind.length) return [];
  const line = make("p", "published-source published-behind", "From the printed tables: ");
  line.append(...behind.map((word) => makeTableButton(word, tables, evaluate, "")));
  return [line];
}

function makeTableButton(word, tables, evaluate, row) {
  const { paper, name } = tables.find((each) => each.word === word);
  const button = Object.assign(make("button", "published-table-button small", word), { type: "button", title: paper + ": " + name });
  button.dataset.key = "behind " + row + " " + word;
  button.addEventListener("click", () => evaluate.change({ table: word }));
  return button;
}

const hasSentences = (cells) => cells.some((row) => row.some(({ value }) => value.length > LONGEST_FIGURE));

const makePrinted = ({ value, beside }) => (beside ? [make("span", "board-value", value), make("span", "board-reach muted small", beside)] : value || NO_FIGURE);

function makeOwn(figure, computing) {
  if (!figure) return NO_FIGURE;
  const waits = figure.pending && computing;
  const reach = make("span", "board-reach muted small" + (waits ? " computing" : ""), waits ? "computing" : figure.beside || "no interval");
  return [make("span", "board-value", figure.value), reach, make("span", "board-reach muted small", figure.counted)];
}
