// Makes elements for the scripts: all text goes in as text nodes.

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {string | number} [text]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = String(text);
  return element;
}

// The key of the focused control inside `box`, by which it is found after a redraw; undefined where there is none.
export function focusedKey(box) {
  const at = /** @type {HTMLElement} */ (document.activeElement);
  return box.contains(at) ? at.dataset?.key : undefined;
}

// Draws a box again, and gives the focus back to the control with the same text.
export function redrawKeepingFocus(box, draw) {
  const focused = box.contains(document.activeElement) ? document.activeElement : null;
  draw();
  if (focused === null || box.contains(focused)) return;
  [...box.querySelectorAll("summary, a, button, [tabindex]")].find(({ textContent }) => textContent === focused.textContent)?.focus();
}

// A link to another place of the page, with the full address: axe-core mistakes a bare fragment for a skip link.
export function makePlaceLink(className, words, fragment) {
  return Object.assign(make("a", className, words), { href: new URL(fragment, location.href).href });
}

// The name of a file, which can break before its ending and after its separators.
export function makeBreakable(className, name) {
  const element = make("span", className);
  for (const part of name.split(/(?<=[_/-])|(?=\.[^.]*$)/)) element.append(part, document.createElement("wbr"));
  return element;
}

// Words longer than a narrow column break between their parts, with a hyphen: Hydropneumo-thorax.
export const hyphenate = (names) => names.replace(/\w{15,}/g, (word) => word.replace(/(hydro|pneumo)(?=[a-z]{6})/gi, "$1\u00ad"));
