// The viewer's keys that also work on the film of a class, and the dialog that lists them.

import { make } from "../shared/elements.js";
import { FULL_WINDOW } from "../viewer/gray_window.js";
import { COMMANDS, bindKeys, isInFront } from "../viewer/keys.js";

const WANTED_COMMANDS = ["reset", "fit", "larger", "smaller", "invert", "narrower", "wider", "darker", "brighter", "other", "help"];
const COMMAND_TABLE = COMMANDS.filter(({ name }) => WANTED_COMMANDS.includes(name));
const OTHER_GESTURES = [
  ["Shift + arrows", "Move the film"],
  ["Arrows", "Move the mark in a pointing question"],
  ["Left drag", "Window: width across, level down"],
  ["Right drag", "Move the film; so does Shift and left drag"],
  ["Wheel, two fingers", "Zoom"],
  ["One finger", "Tap to point; move a film that is zoomed in"],
];
const ZOOM_STEP = 1.25;
const WIDTH_STEP = 1.25;
const LEVEL_STEP = 0.05; // of the window's width

let side = null; // the displayed film

// Keys act on this film from now on: see film_side.js.
export function bindFilmKeys(next) {
  if (!side) bindKeys(COMMAND_TABLE, () => isInFront(side.element), run, (across, down) => forEachView((view) => panView(view, across, down)));
  side = next;
}

function forEachView(tell) {
  tell(side.views[side.shown ?? 0]);
}

function panView(view, across, down) {
  const { width, height } = view.camera.stage;
  view.pan(across * width, down * height);
}

function changedWindow({ width, level, inverted }, name) {
  const step = LEVEL_STEP * Math.min(1, width);
  return {
    width: width * ({ narrower: 1 / WIDTH_STEP, wider: WIDTH_STEP }[name] ?? 1),
    level: level + ({ darker: step, brighter: -step }[name] ?? 0),
    inverted: name === "invert" ? !inverted : inverted,
  };
}

function run(name) {
  if (name === "help") return makeKeyList().showModal();
  if (name === "other") return side.pair && side.switchTo(1 - side.shown);
  if (name === "larger" || name === "smaller") return forEachView((view) => view.zoomBy(name === "larger" ? ZOOM_STEP : 1 / ZOOM_STEP));
  if (name === "reset") side.setWindow(FULL_WINDOW);
  if (name === "reset" || name === "fit") return side.reset();
  side.setWindow(changedWindow(side.window, name));
}

// The dialog, made at its first use.
/** @returns {HTMLDialogElement} */
export function makeKeyList() {
  /** @type {HTMLDialogElement} */
  const made = document.querySelector(".class-keys");
  if (made) return made;
  const dialog = make("dialog", "class-keys");
  const close = make("button", "class-quiet-button", "Close");
  close.type = "button";
  close.addEventListener("click", () => dialog.close());
  const list = make("dl", "class-key-rows");
  for (const [key, words] of [...COMMAND_TABLE.map(({ shown, words }) => [shown, words]), ...OTHER_GESTURES]) {
    const row = make("div", "class-key-row");
    const term = make("dt", "class-key-name");
    term.append(make("kbd", "class-key", key));
    row.append(term, make("dd", "class-key-words", words));
    list.append(row);
  }
  const title = make("h2", "class-part-title", "Keys and gestures");
  title.id = "class-keys-title";
  dialog.setAttribute("aria-labelledby", title.id);
  dialog.append(title, list, close);
  document.body.append(dialog);
  return dialog;
}
