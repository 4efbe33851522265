// How films and the training of a model are related, in the server's words: in-sample, internal, external.

// For several centers together: "internal", "part in-sample", "internal + external"; empty if unknown.
export function originWords(centers) {
  const known = centers.map(({ origin }) => origin).filter(Boolean);
  return (known.length && known.length < centers.length ? "part " : "") + [...new Set(known)].join(" + ");
}

export const bracketed = (words) => (words ? " (" + words + ")" : "");
