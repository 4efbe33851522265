// The keys of a presented film, the same in every tab and in a class, and the dialog that lists them.

import { make } from "./elements.js";

// {name, keys: values of KeyboardEvent.key, shown, words}. A presenter's clicker sends Page Up and Page Down.
export const PRESENT_KEYS = [
  { name: "next", keys: ["ArrowRight", "PageDown"], shown: "\u2192", words: "Next" },
  { name: "back", keys: ["ArrowLeft", "PageUp"], shown: "\u2190", words: "Back" },
  { name: "reveal", keys: ["r", "Enter"], shown: "R or Enter", words: "Reveal" },
  { name: "heat", keys: ["h"], shown: "H", words: "Show or hide the heat map" },
  { name: "outline", keys: ["m"], shown: "M", words: "Show or hide the outlines" },
  { name: "full", keys: ["f"], shown: "F", words: "Full screen" },
  { name: "leave", keys: ["Escape", "e"], shown: "Esc", words: "Leave" },
  { name: "help", keys: ["?"], shown: "?", words: "These keys" },
];
const ONCE_PER_PRESS = ["next", "back"]; // a held key must not run through a class

// Calls `run(name)` for each key while `listening()`, before the film viewer, which uses the same keys for other
// commands.
export function bindPresentKeys(listening, run) {
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !listening()) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const command = PRESENT_KEYS.find(({ keys }) => keys.includes(key));
      if (!command || (key === "Enter" && event.target.closest?.("button, a"))) return;
      event.preventDefault(); // also Escape: the dialog of a case stays open
      event.stopImmediatePropagation();
      if (!(event.repeat && ONCE_PER_PRESS.includes(command.name))) run(command.name);
    },
    { capture: true },
  );
}

// `words`: by the name of a key, where its meaning differs here; an empty string removes the key.
export function makeKeysDialog(words = {}) {
  const dialog = make("dialog", "present-keys");
  dialog.setAttribute("aria-label", "Keys");
  const list = make("dl", "");
  for (const { name, shown, words: usual } of PRESENT_KEYS) {
    if (words[name] === "") continue;
    const row = make("div", "");
    const term = make("dt", "");
    term.append(make("kbd", "", shown));
    row.append(term, make("dd", "", words[name] ?? usual));
    list.append(row);
  }
  const close = make("button", "present-button", "Close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  dialog.append(list, close);
  return dialog;
}

// Switches full screen on or off. Resolves to whether the browser allows it.
export function toggleFullScreen() {
  const turned = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  return turned.then(() => true, () => false);
}
