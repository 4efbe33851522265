// A learner's sheet in a file without a server: how many answers were right, and the rows as CSV that no spreadsheet
// executes.

const Z = 1.959964; // of a 95 % interval

// 95 % interval of hits / n (Wilson, 1927), as in models/statistics.py; null where n is 0.
export function wilsonInterval(hits, n) {
  if (!n) return null;
  const [rate, spread] = [hits / n, (Z * Z) / n];
  const center = (rate + spread / 2) / (1 + spread);
  const half = (Z * Math.sqrt((rate * (1 - rate)) / n + spread / (4 * n))) / (1 + spread);
  return [Math.max(0, center - half), Math.min(1, center + half)];
}

// `rights`: true, false or null where an answer cannot be judged.
export function countRight(rights) {
  const known = rights.filter((right) => right !== null);
  const hits = known.filter(Boolean).length;
  return { hits, n: known.length, interval: wilsonInterval(hits, known.length) };
}

// The table of explorer/school/judging/result_table_payload.py, for one learner. `films`: {film, judged, outcomes: model ->
// finding -> outcome} of the answered films; `groups`: [name, findings] from frequent to rare.
export function makeOwnTable(films, groups) {
  const models = [...new Set(films.flatMap(({ outcomes }) => Object.keys(outcomes)))];
  const groupOf = (finding) => groups.findIndex(([, names]) => names.includes(finding));
  const asked = [...new Set(films.flatMap(({ judged }) => Object.keys(judged.outcomes)))];
  const rank = (finding) => (groupOf(finding) < 0 ? groups.length : groupOf(finding));
  asked.sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  const row = (name, finding, wanted) => {
    const read = [null, ...models].map((model) => rowOfReader(films, model, wanted));
    return { name, finding, sensitivity: read.map(({ there: present }) => present), specificity: read.map(({ absent }) => absent) };
  };
  const inGroups = groups.filter((_, at) => asked.some((finding) => groupOf(finding) === at));
  const rights = films.filter(({ judged }) => judged.right !== null);
  return {
    readers: [
      { name: "you", kind: "learner", right: computeFilmRate(rights.map(({ film, judged }) => [film, judged.right])) },
      ...models.map((name) => ({ name, kind: "model", right: null })),
    ],
    rows: [
      row("all findings", false, (finding) => finding !== "Normal"),
      ...inGroups.map(([name, names]) => row(name, false, (finding) => names.includes(finding))),
      ...asked.map((finding) => row(finding, true, (name) => name === finding)),
    ],
    again: [],
  };
}

// How a model read the findings in question; null: how the learner did.
function rowOfReader(films, model, wanted) {
  const pairs = films.flatMap(({ film, judged, outcomes }) =>
    Object.keys(judged.outcomes).filter(wanted).flatMap((finding) => {
      const outcome = (model === null ? judged.outcomes : outcomes[model] ?? {})[finding];
      return outcome ? [{ film, outcome }] : [];
    }),
  );
  const outcomePairs = (goodOutcome, badOutcome) => pairs.filter(({ outcome }) => [goodOutcome, badOutcome].includes(outcome)).map(({ film, outcome }) => [film, outcome === goodOutcome]);
  return { there: computeFilmRate(outcomePairs("hit", "miss")), absent: computeFilmRate(outcomePairs("correct rejection", "false alarm")) };
}

// The rate of [film, good] pairs, its interval over films: see FilmRate in explorer/school/judging/results.py.
function computeFilmRate(pairs) {
  const hits = pairs.filter(([, isGood]) => isGood).length;
  const [n, films] = [pairs.length, new Set(pairs.map(([film]) => film)).size];
  const value = n ? hits / n : null;
  const [low, high] = n ? wilsonInterval(value * films, films) : [null, null];
  return { hits, n, films, value, low, high };
}

// What a spreadsheet mistakes for a formula, as in explorer/core/csv_safe.py: a sign, even after invisible characters.
const INVISIBLE = "[\\x00-\\x20\\x7f-\\xa0\\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]*";
const FORMULA_START = new RegExp("^[\\t\\r]|^" + INVISIBLE + "[=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\ufb29]");

function csvCell(value) {
  const text = String(value);
  const harmless = FORMULA_START.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(harmless) ? '"' + harmless.replaceAll('"', '""') + '"' : harmless;
}

const COLUMNS = ["film", "question", "answer", "sure", "truth", "right"];
const SECOND_COLUMNS = ["answer_again", "sure_again", "right_again"]; // after seeing a model's answer
const rightWords = (right) => ({ true: "yes", false: "no" })[right] ?? "";

// A CSV file with rows {film, question, answer, sure, truth, right, second}; `second`: {answer, sure, right} or null.
export function makeCsv(rows) {
  const hasSecond = rows.some(({ second }) => second);
  const secondCells = (second) => (second ? [second.answer, second.sure, rightWords(second.right)] : ["", "", ""]);
  const lines = rows.map((row) => [row.film + 1, row.question, row.answer, row.sure, row.truth, rightWords(row.right), ...(hasSecond ? secondCells(row.second) : [])]);
  return [[...COLUMNS, ...(hasSecond ? SECOND_COLUMNS : [])], ...lines].map((line) => line.map(csvCell).join(",") + "\r\n").join("");
}
