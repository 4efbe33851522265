// The own sheet of a file that no server helps: how many were right, and the rows as text that no spreadsheet runs.

const Z = 1.959964; // of a 95 % interval

// 95 % interval of hits / n (Wilson, 1927), as models/statistics.py has it; null where n is 0.
export function wilson(hits, n) {
  if (!n) return null;
  const [rate, spread] = [hits / n, (Z * Z) / n];
  const center = (rate + spread / 2) / (1 + spread);
  const half = (Z * Math.sqrt((rate * (1 - rate)) / n + spread / (4 * n))) / (1 + spread);
  return [Math.max(0, center - half), Math.min(1, center + half)];
}

// `rights`: true, false or null where it cannot be judged.
export function rightOf(rights) {
  const known = rights.filter((right) => right !== null);
  const hits = known.filter(Boolean).length;
  return { hits, n: known.length, interval: wilson(hits, known.length) };
}

// What a spreadsheet takes for a formula, as explorer/core/csv_safe.py has it: a sign, behind what is not seen.
const UNSEEN = "[\\x00-\\x20\\x7f-\\xa0\\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]*";
const SIGN = new RegExp("^[\\t\\r]|^" + UNSEEN + "[=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\ufb29]");

function cell(value) {
  const text = String(value);
  const harmless = SIGN.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(harmless) ? '"' + harmless.replaceAll('"', '""') + '"' : harmless;
}

const COLUMNS = ["film", "question", "answer", "sure", "truth", "right"];

// A CSV file of rows {film, question, answer, sure, truth, right}.
export function csvOf(rows) {
  const lines = rows.map((row) => [row.film + 1, row.question, row.answer, row.sure, row.truth, { true: "yes", false: "no" }[row.right] ?? ""]);
  return [COLUMNS, ...lines].map((line) => line.map(cell).join(",") + "\r\n").join("");
}
