// The viewer's commands: one table for the keys, the toolbar's titles and the key list.

// {name, keys: values of KeyboardEvent.key, shown: the key's label, words}; arrows move the choice of a finding.
export const COMMANDS = [
  { name: "reset", keys: [" "], shown: "Space", words: "Reset window, zoom and position" },
  { name: "fit", keys: ["="], shown: "=", words: "Fit the film to the stage" },
  { name: "one", keys: ["1"], shown: "1", words: "One film pixel per screen pixel" },
  { name: "larger", keys: ["+"], shown: "+", words: "Zoom in" },
  { name: "smaller", keys: ["-"], shown: "\u2212", words: "Zoom out" },
  { name: "invert", keys: ["i"], shown: "I", words: "Invert the display" },
  { name: "auto", keys: ["a"], shown: "A", words: "Auto-window" },
  { name: "narrower", keys: ["n"], shown: "N", words: "Narrow the window" },
  { name: "wider", keys: ["w"], shown: "W", words: "Widen the window" },
  { name: "darker", keys: ["."], shown: ".", words: "Raise the level" },
  { name: "brighter", keys: [","], shown: ",", words: "Lower the level" },
  { name: "next", keys: ["ArrowDown", "ArrowRight"], shown: "\u2193 \u2192", words: "Next finding" },
  { name: "previous", keys: ["ArrowUp", "ArrowLeft"], shown: "\u2191 \u2190", words: "Previous finding" },
  { name: "overlay", keys: ["o"], shown: "O", words: "Show or hide the map" },
  { name: "finding", keys: ["t"], shown: "T", words: "The film with the simulated finding, or without; held, as long as it is held" },
  { name: "hide", keys: ["h"], shown: "H", words: "Hide or reveal the opinion, of later films too" },
  { name: "ruler", keys: ["r"], shown: "R", words: "Ruler" },
  { name: "link", keys: ["l"], shown: "L", words: "Link window, zoom and position of the two films" },
  { name: "other", keys: ["x"], shown: "X", words: "Switch to the other film" },
  { name: "present", keys: ["e"], shown: "E", words: "Present: the film and one verdict in large type" },
  { name: "full", keys: ["f"], shown: "F", words: "Full screen" },
  { name: "help", keys: ["?"], shown: "?", words: "Keys and gestures" },
];
const PAN_BY_ARROW = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
const GESTURES = [
  ["Left drag", "Window: width across, level down"],
  ["Wheel", "Zoom toward the pointer"],
  ["Right drag", "Move the film; so does Shift and left drag"],
  ["Shift + arrows", "Move the film"],
  ["Double-click", "Reset window, zoom and position"],
  ["Swipe", "Scroll the page"],
  ["Hold, then drag", "Window, with one finger"],
  ["Two fingers", "Zoom and move"],
];
const REPEATED_WHILE_HELD = new Set(["next", "previous", "larger", "smaller", "narrower", "wider", "darker", "brighter"]);

// Whether the element needs the key itself: fields need all keys, a slider and a tab those that move it.
function keepsKey(target, key) {
  if (target.closest?.("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]")) return true;
  if (key === " ") return pressesWithSpace(target);
  return /^Arrow/.test(key) && Boolean(target.closest?.("input[type=range], [role=tab]"));
}

// Space presses a button; on the chosen finding that would do nothing, so there it resets the view.
function pressesWithSpace(target) {
  const button = target.closest?.("button, summary, [role=button], input[type=checkbox]");
  return Boolean(button) && !button.matches(".finding[aria-pressed=true]");
}

// Whether a part of the page is visible and not below a dialog; it may be part of one.
export function isInFront(part) {
  const modal = [...document.querySelectorAll("dialog[open], [aria-modal=true]")];
  return part.getClientRects().length > 0 && modal.every((dialog) => dialog.contains(part));
}

// Calls `run(name)` for each key of the table and `pan(across, down)` for shifted arrows, while `listening()`.
export function bindKeys(table, listening, run, pan) {
  const findCommand = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.isComposing) return false;
    return listening() && !keepsKey(event.target, event.key);
  };
  document.addEventListener("keydown", (event) => {
    if (!findCommand(event)) return;
    if (event.shiftKey && PAN_BY_ARROW[event.key]) {
      event.preventDefault();
      return pan(...PAN_BY_ARROW[event.key]);
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const command = table.find(({ keys }) => keys.includes(key));
    if (!command) return;
    event.preventDefault();
    if (!event.repeat || REPEATED_WHILE_HELD.has(command.name)) run(command.name);
  });
  // Firefox presses a button when Space is released, even if the key was handled before.
  document.addEventListener("keyup", (event) => {
    if (event.key === " " && event.target.matches?.(".finding[aria-pressed=true]") && findCommand(event)) event.preventDefault();
  });
}

// The dialog that lists them. Single keys can be switched off there, for all viewers of the page, because speech input
// can trigger them.
export class KeyList {
  constructor(dialog, table) {
    this.dialog = dialog;
    this.switch = dialog.querySelector("input");
    this.switch.addEventListener("change", () => (document.documentElement.dataset.keys = this.switch.checked ? "on" : "off"));
    const list = dialog.querySelector("dl");
    for (const { shown, words } of table) list.append(this.makeRow(shown, words));
    for (const [gesture, words] of GESTURES) list.append(this.makeRow(gesture, words));
    dialog.querySelector(".keys-close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside the box
  }

  makeRow(key, words) {
    const row = document.createElement("div");
    const [term, meaning] = [document.createElement("dt"), document.createElement("dd")];
    const keycap = document.createElement("kbd");
    keycap.textContent = key;
    term.append(keycap);
    meaning.textContent = words;
    row.append(term, meaning);
    return row;
  }

  get keysOn() {
    return document.documentElement.dataset.keys !== "off";
  }

  open() {
    this.switch.checked = this.keysOn;
    this.dialog.showModal(); // the browser returns the focus when it closes
  }
}
