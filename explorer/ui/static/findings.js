// The list of findings: one button each, in groups; arrow keys move the choice.

const GROUPS = [
  { title: "Above threshold", has: (row) => row.state === "above", open: true },
  { title: "Unsure", has: (row) => row.state === "unsure", open: true },
  { title: "No threshold: by rank among other films", has: (row) => row.state === null, open: true },
  { title: "Below threshold", has: (row) => row.state === "below", open: false },
];

// `other`: the score of the same finding on the film that hangs beside, if it was read.
function bar(row, other) {
  const track = make("span", "bar");
  const at = (name, from, to) => {
    const piece = make("span", name);
    piece.style.left = from * 100 + "%";
    if (to !== undefined) piece.style.width = (to - from) * 100 + "%";
    track.append(piece);
  };
  if (row.band) at("bar-band", ...row.band);
  at("bar-fill", 0, row.score);
  if (row.threshold !== null) at("bar-mark", row.threshold);
  if (other !== undefined) at("bar-other", other);
  return track;
}

function last(row) {
  if (row.margin !== null) return signed(row.margin);
  return row.percentile ? "P" + Math.floor(row.percentile.value) : "\u2013";
}

function spoken(row) {
  const head = row.finding + (row.warning ? ", doubtful" : "") + ", score " + score(row.score);
  if (row.margin !== null) {
    const unsure = row.state === "unsure" ? ", unsure" : "";
    return head + unsure + ", " + signed(row.margin) + " against the threshold " + score(row.threshold);
  }
  const rank = row.percentile ? ", above " + Math.floor(row.percentile.value) + " % of films" : "";
  return head + ", no threshold known" + rank;
}

class Findings {
  constructor(list, choose) {
    this.list = list;
    this.choose = choose;
    this.clear();
  }

  clear() {
    this.list.replaceChildren();
    this.buttons = []; // in the order of the rows
    this.order = []; // rows in the order of the list
  }

  // `others`: scores of the film beside, by finding.
  show(rows, notLookedFor, others) {
    this.clear();
    this.others = others;
    for (const group of GROUPS) {
      const members = rows.map((row, index) => [row, index]).filter(([row]) => group.has(row));
      if (members.length) this.list.append(this.section(group, members));
    }
    if (notLookedFor.length) this.list.append(this.unknown(notLookedFor));
  }

  section({ title, open }, members) {
    const section = this.fold(title, members.length, open);
    const [first] = members[0];
    section.querySelector("summary").append(
      make("span", "group-column", "score"),
      make("span", "group-column", first.margin === null ? "rank" : "margin"),
    );
    for (const [row, index] of members) section.append(this.button(row, index));
    return section;
  }

  // Findings of the challenge that the model has no output for: nothing is said of them, not even that they are absent.
  unknown(names) {
    const section = this.fold("Not looked for", names.length, false);
    section.append(make("p", "unknown", names.join(", ") + ". This model does not know them."));
    return section;
  }

  fold(title, count, open) {
    const section = make("details", "group");
    section.open = open;
    const head = make("summary", "group-head");
    head.append(make("span", "group-title", title + " (" + count + ")"));
    section.append(head);
    return section;
  }

  button(row, index) {
    const button = make("button", "finding");
    button.type = "button";
    Object.assign(button.dataset, { finding: row.finding, above: String(row.above), state: String(row.state) });
    button.setAttribute("aria-label", spoken(row));
    const name = make("span", "finding-name", row.finding);
    if (row.warning) name.append(make("span", "finding-doubt", "?"));
    button.append(name, make("span", "finding-group", row.group ? row.group.name : ""));
    button.append(bar(row, this.others[row.finding]));
    button.append(make("span", "finding-score", score(row.score)), make("span", "finding-margin", last(row)));
    button.addEventListener("click", () => this.choose(index));
    this.buttons[index] = button;
    this.order.push(index);
    return button;
  }

  // Mark the chosen one and show where it is; the focus follows when it was on another finding.
  mark(chosen) {
    const follow = this.buttons.includes(document.activeElement);
    this.buttons.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
    });
    const button = this.buttons[chosen];
    button.closest("details").open = true;
    if (follow) button.focus({ preventScroll: true });
    this.reach(button);
  }

  // Scroll the list alone: on a phone `scrollIntoView` would move the page away from the film.
  reach(button) {
    const box = this.list.parentElement;
    const [row, seen] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
    box.scrollTop += Math.min(0, row.top - seen.top) + Math.max(0, row.bottom - seen.bottom);
  }
}
