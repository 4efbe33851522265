// The order of films in the editor: drag them by their number, or move them by Alt and an arrow.

export class FilmOrder {
  // `changed(rows, words)`: the rows in their new order, and the change in words.
  constructor(list, changed) {
    this.list = list;
    this.changed = changed;
    this.dragged = null;
    list.addEventListener("keydown", (event) => this.handleKey(event));
    list.addEventListener("dragstart", (event) => this.startDrag(event));
    list.addEventListener("dragover", (event) => this.dragOver(event));
    list.addEventListener("drop", (event) => this.drop(event));
    list.addEventListener("dragend", () => this.endDrag());
  }

  get rows() {
    return [...this.list.children];
  }

  handleKey(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const row = event.target.closest("li");
    if (!by || !row || !event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.move(row, by);
  }

  // The focus stays where it was.
  move(row, by) {
    const { rows } = this;
    const target = rows.indexOf(row) + by;
    if (target < 0 || target >= rows.length) return;
    const focused = row.contains(document.activeElement) ? document.activeElement : row;
    if (by < 0) rows[target].before(row);
    else rows[target].after(row);
    focused.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    this.announceMove(row);
  }

  announceMove(row) {
    const { rows } = this;
    this.changed(rows, "Moved to place " + (rows.indexOf(row) + 1) + " of " + rows.length + ".");
  }

  startDrag(event) {
    const place = event.target.closest?.(".film-place");
    if (!place) return event.preventDefault();
    this.dragged = place.closest("li");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", place.textContent); // without data Firefox does not drag
    event.dataTransfer.setDragImage(this.dragged, 16, 16);
    this.dragged.classList.add("dragged");
  }

  dragOver(event) {
    const row = event.target.closest?.("li");
    if (!this.dragged || !row) return;
    event.preventDefault();
    this.unmark();
    if (row !== this.dragged) row.dataset.drop = this.isBelow(event, row) ? "after" : "before";
  }

  isBelow({ clientY }, row) {
    const { top, height } = row.getBoundingClientRect();
    return clientY > top + height / 2;
  }

  drop(event) {
    const row = event.target.closest?.("li");
    if (!this.dragged || !row) return;
    event.preventDefault();
    event.stopPropagation(); // Read accepts dropped files elsewhere
    const previous = this.rows;
    if (row !== this.dragged) row[this.isBelow(event, row) ? "after" : "before"](this.dragged);
    const moved = this.dragged;
    this.endDrag();
    if (this.rows.some((each, place) => each !== previous[place])) this.announceMove(moved);
  }

  endDrag() {
    this.unmark();
    this.dragged?.classList.remove("dragged");
    this.dragged = null;
  }

  unmark() {
    for (const row of this.list.querySelectorAll("[data-drop]")) delete row.dataset.drop;
  }
}
