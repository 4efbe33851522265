// The lesson that runs, if one does: what it says stands beside a presented film, and Next goes on in it.

import { presentAddress } from "./present_address.js";
import { tabIn } from "./tab_address.js";

const PRESENTED = ["read", "ask", "explore", "simulate"]; // the tabs with a film
const running = () => document.querySelector("#lesson .lesson:not([hidden])");

export const lessonLine = () => {
  const [place, words] = ["lesson-place", "lesson-words"].map((name) => running()?.querySelector("." + name)?.textContent);
  return words ? "Step " + place + ". " + words : "";
};

// Words for the button that goes on: undefined where no lesson runs, null at its end.
export function lessonWay(where) {
  const button = /** @type {HTMLButtonElement} */ (running()?.querySelector(".lesson-" + where));
  return button && (button.disabled ? null : button.textContent);
}

let stepping = false;

// One step on or back. A step opens an address of its own: its film is presented, too.
export function goInLesson(where) {
  stepping = true;
  running().querySelector(".lesson-" + (where === "next" ? "next" : "before")).click();
  stepping = false;
}

// Ahead of whoever asks the new address.
addEventListener("popstate", () => stepping && keepPresenting(location.hash), { capture: true });

function keepPresenting(hash) {
  const tab = tabIn(hash);
  if (PRESENTED.includes(tab)) history.replaceState(history.state, "", presentAddress(hash, true, tab));
}

// `changed()` is called when the lesson says something else.
export function followLesson(changed) {
  const bar = document.querySelector("#lesson");
  if (bar) new MutationObserver(changed).observe(bar, { subtree: true, childList: true, characterData: true, attributes: true });
}
