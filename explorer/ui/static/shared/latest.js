// Drops an answer that was overtaken by a later question. `subject()` says what is wanted now: call this before asking,
// and after the answer the function that it returns, which says whether the same is still wanted.

export function latest(subject) {
  const asked = subject();
  return () => subject() === asked;
}
