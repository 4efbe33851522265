// The head of the case view: the number of the case in the slice, buttons to its neighbors and back, and its link.

import { wholeText } from "../shared/figures.js";

export class CaseSteps {
  // `callbacks`: go("previous" or "next"), open(id), leave().
  constructor(head, callbacks) {
    this.head = head;
    const on = (name, take) => this.find(name).addEventListener("click", take);
    on("case-previous", () => callbacks.go("previous"));
    on("case-next", () => callbacks.go("next"));
    on("case-back", () => callbacks.open(this.origin));
    on("case-copy", (event) => copyText(location.href, event.currentTarget));
    on("case-close", callbacks.leave);
    this.forget();
  }

  find(name) {
    return this.head.querySelector("." + name);
  }

  forget() {
    this.neighbors = {};
    this.origin = null; // the last case that belonged to the slice: the way back from a nearest case
  }

  // `neighbors` from the server, {} until it answers.
  // `word`: the heading for a film of a class's gallery, which has its number and not the name of a case.
  show(id, neighbors, word = "Case") {
    this.neighbors = neighbors;
    const { number, of: total, page, title } = neighbors;
    if (number) this.origin = id;
    const outside = page ? "Not on page " + wholeText(page) + " of this slice" : title ?? "Case";
    this.find("case-title").textContent = number ? word + " " + wholeText(number) + " of " + wholeText(total) : outside;
    this.find("case-back").hidden = Boolean(number) || !page || !this.origin;
    for (const where of ["previous", "next"]) this.find("case-" + where).disabled = !neighbors[where];
    const at = document.activeElement;
    if (at === document.body || at.matches(":disabled")) this.focus(); // the element with the focus is gone, or disabled
  }

  focus() {
    this.find("case-title").focus({ preventScroll: true });
  }

  caseToward(where) {
    return this.neighbors[where];
  }
}

// Say on the button itself whether it was copied.
export async function copyText(text, button) {
  const words = (button.dataset.words ??= button.textContent);
  const copied = await navigator.clipboard.writeText(text).then(() => true, () => false);
  button.textContent = copied ? "Copied" : "Not allowed here";
  setTimeout(() => (button.textContent = words), 1500);
}
