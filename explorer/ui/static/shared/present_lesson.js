// The running lesson, if any: its text is shown beside a presented film, and Next continues it.

import { presentAddress } from "./present_address.js";
import { tabOfHash } from "./tab_address.js";

const PRESENTED_TABS = ["read", "ask", "explore", "simulate"]; // the tabs with a film
const runningLesson = () => document.querySelector("#lesson .lesson:not([hidden])");

export const lessonText = () => {
  const [place, words] = ["lesson-place", "lesson-words"].map((name) => runningLesson()?.querySelector("." + name)?.textContent);
  return words ? "Step " + place + ". " + words : "";
};

// The label of the button that continues the lesson: undefined without one, null at its end.
export function lessonButtonText(where) {
  const button = /** @type {HTMLButtonElement} */ (runningLesson()?.querySelector(".lesson-" + where));
  return button && (button.disabled ? null : button.textContent);
}

let stepping = false;

// One step forward or back. A step has its own address: its film is presented, too.
export function stepLesson(where) {
  stepping = true;
  runningLesson().querySelector(".lesson-" + (where === "next" ? "next" : "before")).click();
  stepping = false;
}

// Before others handle the new address.
addEventListener("popstate", () => stepping && keepPresenting(location.hash), { capture: true });

function keepPresenting(hash) {
  const tab = tabOfHash(hash);
  if (PRESENTED_TABS.includes(tab)) history.replaceState(history.state, "", presentAddress(hash, true, tab));
}

// `changed()` is called when the lesson's text changes.
export function followLesson(changed) {
  const bar = document.querySelector("#lesson");
  if (bar) new MutationObserver(changed).observe(bar, { subtree: true, childList: true, characterData: true, attributes: true });
}
