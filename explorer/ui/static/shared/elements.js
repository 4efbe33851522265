// Elements as the scripts make them: all text goes in as text nodes.

export function make(tag, className, text) {
  const element = document.createElement(tag);
  element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// A link to another place of the page; written out, since axe-core takes a bare fragment for one that skips to content.
export function placeLink(className, words, fragment) {
  return Object.assign(make("a", className, words), { href: new URL(fragment, location.href).href });
}

// The name of a file: it breaks before its ending and after its signs, where it can.
export function breakable(className, name) {
  const element = make("span", className);
  for (const part of name.split(/(?<=[_/-])|(?=\.[^.]*$)/)) element.append(part, document.createElement("wbr"));
  return element;
}
