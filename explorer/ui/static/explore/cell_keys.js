// The arrow keys among the buttons of the table, one of which is in the tab order.

const ARROW_STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export function moveByKey(box, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const at = event.target.closest(".cell");
  const step = ARROW_STEPS[event.key];
  if (!at || !step) return;
  event.preventDefault();
  const rows = [...box.querySelectorAll(".cells-line")].map((row) => [...row.querySelectorAll(".cell")]);
  const row = rows.findIndex((cells) => cells.includes(at));
  const next = rows[row + step[0]]?.[rows[row].indexOf(at) + step[1]];
  if (!next) return;
  makeTabStop(box, next);
  next.focus();
}

export function makeTabStop(box, cell) {
  for (const each of box.querySelectorAll(".cell[tabindex='0']")) each.tabIndex = -1;
  cell.tabIndex = 0;
}
