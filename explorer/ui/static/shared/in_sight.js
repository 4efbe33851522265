// Scrolls a row of tabs sideways, on a narrow screen, until this tab is visible.
export function scrollIntoSight(tab) {
  const { parentElement: row, offsetLeft: left, offsetWidth: width } = tab;
  const start = left - row.offsetLeft;
  if (start < row.scrollLeft || start + width > row.scrollLeft + row.clientWidth) row.scrollLeft = start - (row.clientWidth - width) / 2;
}
