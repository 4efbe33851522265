// A button that shows a sign; its label says what it does.

import { make } from "../shared/elements.js";

export function makeTool(sign, words, press, className = "") {
  const button = make("button", "class-tool " + className, sign);
  Object.assign(button, { type: "button", title: words, ariaLabel: words });
  button.addEventListener("click", press);
  return button;
}
