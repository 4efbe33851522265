// How many answers were correct: of a class, a learner, or a visitor of Simulate and its lessons.

import { percentRateText } from "./figures.js";

const ENOUGH_FOR_RATE = 10; // from this many answers on, a percentage with its interval is more useful than the count

// "7 of 12 correct: 58 % [32-81]", "3 of 4 correct"; a sentence where no answer can be judged.
export function correctWords(right) {
  if (!right?.n) return "No answer can be judged.";
  const [low, high] = right.interval;
  const count = right.hits + " of " + right.n + " correct";
  return right.n < ENOUGH_FOR_RATE ? count : count + ": " + percentRateText({ value: right.hits / right.n, low, high }, 0);
}
