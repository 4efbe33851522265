// On a narrow screen tabs are a row that is moved sideways: it is moved until this one is seen.
export function inSight(tab) {
  const { parentElement: row, offsetLeft: left, offsetWidth: width } = tab;
  const start = left - row.offsetLeft;
  if (start < row.scrollLeft || start + width > row.scrollLeft + row.clientWidth) row.scrollLeft = start - (row.clientWidth - width) / 2;
}
