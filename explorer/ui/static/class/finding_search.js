// Findings by what somebody types: their names and every other word for them.

const MOST = 6; // suggestions

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

// How well typed words fit a name: 0 is best, Infinity not at all. Each word typed begins a word of the name.
function rank(typed, name) {
  const words = plain(name).split(" ");
  if (words.join(" ").startsWith(typed.join(" "))) return 0;
  return typed.every((part) => words.some((word) => word.startsWith(part))) ? 1 : Infinity;
}

// `findings`: name -> its synonyms. Gives [{finding, by: the synonym that fits, empty for the name itself}], best first.
export function search(findings, text) {
  const typed = plain(text).split(" ").filter(Boolean);
  if (!typed.length) return [];
  const found = Object.entries(findings).map(([finding, synonyms]) => {
    const ranked = [finding, ...synonyms].map((name, at) => ({ name, rank: rank(typed, name) + (at ? 0.5 : 0) }));
    const best = ranked.reduce((one, other) => (other.rank < one.rank ? other : one));
    return { finding, by: best.name === finding ? "" : best.name, rank: best.rank };
  });
  const fitting = found.filter((each) => each.rank < Infinity);
  return fitting.sort((a, b) => a.rank - b.rank || (a.finding < b.finding ? -1 : 1)).slice(0, MOST);
}
