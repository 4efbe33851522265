// Findings that match a typed text, by their names and synonyms.

const MOST_SUGGESTED = 6; // suggestions

const lowerCaseWords = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

const FORGIVEN_FROM = 4; // letters: from this length on, one typing error is forgiven

// Whether two texts differ by at most one letter: replaced, added, missing or two exchanged.
function differByOneLetter(one, other) {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  const same = [...short].findIndex((letter, at) => letter !== long[at]);
  if (same < 0) return true;
  const exchanged = short.slice(0, same) + (short[same + 1] ?? "") + short[same] + short.slice(same + 2);
  if (exchanged === long) return true;
  return short.slice(long.length === short.length ? same + 1 : same) === long.slice(same + 1);
}

function almostBegins(word, part) {
  return part.length >= FORGIVEN_FROM && [-1, 0, 1].some((more) => differByOneLetter(part, word.slice(0, part.length + more)));
}

// How well typed words match a name: 0 is best, Infinity is no match. Each typed word must start a word of the name,
// give or take a typing error.
function matchRank(typed, name) {
  const words = lowerCaseWords(name).split(" ");
  if (words.join(" ").startsWith(typed.join(" "))) return 0;
  const fits = (test) => typed.every((part) => words.some((word) => test(word, part)));
  if (fits((word, part) => word.startsWith(part))) return 1;
  return fits((word, part) => word.startsWith(part) || almostBegins(word, part)) ? 2 : Infinity;
}

// `findings`: name -> its synonyms. Returns [{finding, by: the matching synonym, empty for the name itself}], best
// first.
export function searchFindings(findings, text) {
  const typed = lowerCaseWords(text).split(" ").filter(Boolean);
  if (!typed.length) return [];
  const found = Object.entries(findings).map(([finding, synonyms]) => {
    const ranked = [finding, ...synonyms].map((name, at) => ({ name, rank: matchRank(typed, name) + (at ? 0.5 : 0) }));
    const best = ranked.reduce((one, other) => (other.rank < one.rank ? other : one));
    return { finding, by: best.name === finding ? "" : best.name, rank: best.rank };
  });
  const fitting = found.filter((each) => each.rank < Infinity);
  return fitting.sort((a, b) => a.rank - b.rank || (a.finding < b.finding ? -1 : 1)).slice(0, MOST_SUGGESTED);
}
