// Detects an answer that was overtaken by a later question. `subject()` returns what is wanted now: call `latest`
// before asking, and after the answer call the function that it returns, which says whether the same is still wanted.

export function watchLatest(subject) {
  const wantedBefore = subject();
  return () => subject() === wantedBefore;
}
