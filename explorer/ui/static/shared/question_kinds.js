// The kinds of questions for the teacher to choose from.

import { make } from "./elements.js";

export const QUESTION_KINDS = { findings: "which findings", present: "is it there", point: "point to it", normal: "normal or not", pair: "which of two" };
export const KINDS_ABOUT_ONE_FINDING = ["point", "present", "pair"]; // these name a finding

export function fillKinds(select) {
  select.replaceChildren(...Object.entries(QUESTION_KINDS).map(([value, words]) => Object.assign(make("option", "", words), { value })));
}
