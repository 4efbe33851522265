// The list of findings: one button each, arrow keys move the choice.

const score = (value) => value.toFixed(2);
const signed = (value) => {
  const figure = Math.abs(value).toFixed(2);
  return figure === "0.00" ? figure : (value < 0 ? "\u2212" : "+") + figure; // no minus before a zero
};

function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

const GROUPS = [
  { title: "Above threshold", has: (row) => row.above === true },
  { title: "Below threshold", has: (row) => row.above === false },
  { title: "No threshold known", has: (row) => row.above === null },
];

function bar(row) {
  const track = make("span", "bar");
  const fill = make("span", "bar-fill");
  fill.style.width = row.score * 100 + "%";
  track.append(fill);
  if (row.threshold !== null) {
    const mark = make("span", "bar-mark");
    mark.style.left = row.threshold * 100 + "%";
    track.append(mark);
  }
  return track;
}

function spoken(row) {
  const head = row.finding + (row.warning ? ", doubtful" : "") + ", score " + score(row.score);
  if (row.margin === null) return head + ", no threshold known";
  return head + ", " + signed(row.margin) + " against the threshold " + score(row.threshold);
}

class Findings {
  constructor(list, choose) {
    this.list = list;
    this.choose = choose;
    this.buttons = [];
    list.addEventListener("keydown", (event) => this.onKey(event));
  }

  clear() {
    this.list.replaceChildren();
    this.buttons = [];
  }

  show(rows) {
    this.clear();
    for (const group of GROUPS) {
      const members = rows.map((row, index) => [row, index]).filter(([row]) => group.has(row));
      if (members.length) this.list.append(this.section(group.title, members));
    }
  }

  section(title, members) {
    const section = make("section", "group");
    const head = make("h2", "group-head");
    head.append(make("span", "group-title", title + " (" + members.length + ")"));
    head.append(make("span", "group-column", "score"), make("span", "group-column", "margin"));
    section.append(head);
    for (const [row, index] of members) section.append(this.button(row, index));
    return section;
  }

  button(row, index) {
    const button = make("button", "finding");
    button.type = "button";
    button.dataset.finding = row.finding;
    button.dataset.above = String(row.above);
    button.setAttribute("aria-label", spoken(row));
    const name = make("span", "finding-name", row.finding);
    if (row.warning) name.append(make("span", "finding-doubt", "?"));
    button.append(name, bar(row));
    button.append(make("span", "finding-score", score(row.score)));
    button.append(make("span", "finding-margin", row.margin === null ? "\u2013" : signed(row.margin)));
    button.addEventListener("click", () => this.choose(index));
    this.buttons[index] = button;
    return button;
  }

  mark(chosen) {
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(index === chosen));
      button.tabIndex = index === chosen || (chosen === null && index === 0) ? 0 : -1;
    });
  }

  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const now = this.buttons.indexOf(document.activeElement);
    if (!step || now < 0) return;
    event.preventDefault();
    const next = Math.min(this.buttons.length - 1, Math.max(0, now + step));
    this.choose(next);
    this.buttons[next].focus();
  }
}
