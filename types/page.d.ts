// What the script may take for granted of the page and TypeScript's own declarations do not say.

// An element of the page is one of HTML unless somebody says otherwise.
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  closest<K extends keyof HTMLElementTagNameMap>(selector: K): HTMLElementTagNameMap[K] | null;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

// What an event comes from may be an element: `event.target.closest?.("button")`.
interface EventTarget {
  closest?: any; // as of an element
  matches?: any;
}

interface Window {
  Plotly: any; // Gradio loads it with its first chart
}

// What one part of the page tells the others.
interface DocumentEventMap {
  "class-number": CustomEvent<{ title: string; words: string; mark: string }>;
  "tailscope-folder": CustomEvent<any>;
  "tailscope-read-anew": CustomEvent<string>;
}

// A chart that Plotly has drawn in an element says what is clicked.
interface HTMLElement {
  on?: (event: string, act: (event: any) => void) => void;
  removeAllListeners?: (event: string) => void;
}
