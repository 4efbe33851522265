// The vote on its way: stored on this device until the review confirms it. Sending it again changes nothing, because it
// carries its own id.

const STORAGE_KEY = "tailscope-review";

export class PendingVote {
  put(review, vote) {
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify({ review, vote }));
    } catch {
      // A browser without storage: the vote is sent while the page is open.
    }
  }

  // The waiting vote of a review, or null.
  of(review) {
    try {
      const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null");
      return kept?.review === review ? kept.vote : null;
    } catch {
      return null;
    }
  }

  forget() {
    try {
      localStorage.removeItem(STORAGE_KEY);
    } catch {
      // Nothing was stored.
    }
  }
}

// A random id in hexadecimal digits; crypto.randomUUID is missing on pages without encryption.
export function makeVoteId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
