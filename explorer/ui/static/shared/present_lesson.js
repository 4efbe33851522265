// The running lesson, if any: its text stands beside a presented film, and Next goes on in it.

import { presentAddress } from "./present_address.js";
import { tabIn } from "./tab_address.js";

const PRESENTED = ["read", "ask", "explore", "simulate"]; // the tabs with a film
const running = () => document.querySelector("#lesson .lesson:not([hidden])");

export const lessonLine = () => {
  const [place, words] = ["lesson-place", "lesson-words"].map((name) => running()?.querySelector("." + name)?.textContent);
  return words ? "Step " + place + ". " + words : "";
};

// Label of the button that goes on: undefined without a lesson, null at its end.
export function lessonWay(where) {
  const button = /** @type {HTMLButtonElement} */ (running()?.querySelector(".lesson-" + where));
  return button && (button.disabled ? null : button.textContent);
}

let stepping = false;

// One step on or back. A step has its own address: its film is presented, too.
export function goInLesson(where) {
  stepping = true;
  running().querySelector(".lesson-" + (where === "next" ? "next" : "before")).click();
  stepping = false;
}

// Before others handle the new address.
addEventListener("popstate", () => stepping && keepPresenting(location.hash), { capture: true });

function keepPresenting(hash) {
  const tab = tabIn(hash);
  if (PRESENTED.includes(tab)) history.replaceState(history.state, "", presentAddress(hash, true, tab));
}

// `changed()` is called when the lesson's text changes.
export function followLesson(changed) {
  const bar = document.querySelector("#lesson");
  if (bar) new MutationObserver(changed).observe(bar, { subtree: true, childList: true, characterData: true, attributes: true });
}
