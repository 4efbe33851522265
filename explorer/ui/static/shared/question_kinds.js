// The kinds of questions for the teacher to choose from.

import { make } from "./elements.js";

export const KINDS = { findings: "which findings", present: "is it there", point: "point to it", normal: "normal or not", pair: "which of two" };
export const ABOUT_ONE = ["point", "present", "pair"]; // these name a finding

export function offerKinds(select) {
  select.replaceChildren(...Object.entries(KINDS).map(([value, words]) => Object.assign(make("option", "", words), { value })));
}
