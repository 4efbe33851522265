// Tables of Evaluate's panels, and buttons for a choice among few.

import { make } from "../shared/elements.js";

// Rows of [name, cell, cell ...]; a cell is text, an element, or a list of these. A table wider than the page scrolls.
export function makeTable(className, caption, heads, rows) {
  const box = make("table", "beneath-table " + className);
  const head = make("thead", "");
  const top = make("tr", "");
  for (const words of heads) top.append(makeHeading(words, "col"));
  head.append(top);
  const body = make("tbody", "");
  for (const [name, ...cells] of rows) {
    const row = make("tr", "");
    row.append(makeHeading(name, "row"));
    for (const cell of cells) {
      const box = make("td", "");
      box.append(...[cell].flat());
      row.append(box);
    }
    body.append(row);
  }
  box.append(make("caption", "beneath-caption", caption), head, body);
  const scroll = make("div", "board-scroll");
  Object.assign(scroll, { tabIndex: 0 });
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", caption);
  scroll.append(box);
  return scroll;
}

function makeHeading(words, scope) {
  const cell = Object.assign(make("th", ""), { scope });
  cell.append(...[words].flat());
  return cell;
}

export function makeFold(className, title, ...content) {
  const box = make("details", "beneath " + className);
  box.append(make("summary", "", title), ...content);
  return box;
}

// Buttons, one of them pressed: {word, name}; `choose` receives the word. `meaning` returns the tooltip for a name.
/** @param {(name: string) => string} meaning */
export function makeButtonChoice(label, choices, chosen, choose, meaning = () => "") {
  const group = make("div", "board-metrics");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  for (const { word, name } of choices) {
    const button = Object.assign(make("button", "", name), { type: "button", title: meaning(name) });
    button.dataset.key = label + " " + word;
    button.setAttribute("aria-pressed", String(word === chosen));
    button.addEventListener("click", () => choose(word));
    group.append(button);
  }
  return group;
}
