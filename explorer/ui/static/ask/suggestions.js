// Findings that the typed text may mean, and their synonyms, the closest first.

const MOST_SUGGESTED = 8;
const splitWords = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

// 0: starts with the text; 1: each typed word starts one of its words; 2: contains the text; null: no match
function matchRank(word, typed) {
  const [low, sought] = [word.toLowerCase(), typed.toLowerCase()];
  if (low.startsWith(sought)) return 0;
  const words = splitWords(word);
  if (splitWords(typed).every((each) => words.some((other) => other.startsWith(each)))) return 1;
  return low.includes(sought) ? 2 : null;
}

// `known`: {finding, word}, each finding's own name first. Without typed text: the findings themselves.
export function suggest(known, typed) {
  const text = typed.trim().replace(/\s+/g, " ");
  if (!text) return known.filter(({ finding, word }) => finding === word);
  const found = known.map((each) => ({ ...each, close: matchRank(each.word, text) })).filter(({ close }) => close !== null);
  return found.sort((a, b) => a.close - b.close || a.word.length - b.word.length).slice(0, MOST_SUGGESTED);
}
