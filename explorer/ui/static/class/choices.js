// A choice of one word from a few: radio buttons that look like segments of one bar.

import { make } from "../shared/elements.js";

let groupCount = 0; // groups so far: radio buttons belong together by name

// `options`: [value, words]; `changed()` after each choice. Returns {element, value()}, where value() is undefined
// before a choice.
export function makeChoices(legend, options, changed, seen = true) {
  const group = make("fieldset", "class-choices");
  const name = "class-choice-" + groupCount++;
  const buttons = options.map(([value, words], at) => {
    const button = Object.assign(document.createElement("input"), { type: "radio", name, value: String(at) });
    button.className = "class-radio";
    button.addEventListener("change", changed);
    const label = make("label", "class-choice");
    label.append(button, make("span", "class-choice-words", words));
    return { button, label, value };
  });
  const bar = make("div", "class-choice-bar");
  bar.append(...buttons.map(({ label }) => label));
  group.append(make("legend", seen ? "class-legend" : "class-unseen", legend), bar);
  return {
    element: group,
    value: () => buttons.find(({ button }) => button.checked)?.value,
    set: (value) => buttons.forEach((each) => (each.button.checked = each.value === value)),
  };
}
