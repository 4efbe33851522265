// When to ask again for what is being computed: most of it is there within a second, some takes minutes.

const SOON = 200; // ms
const AT_MOST = 700; // ms

/** Milliseconds to wait before the question is asked the nth time again, from 0. */
export const waitBefore = (nth) => Math.min(AT_MOST, SOON * 1.5 ** nth);
