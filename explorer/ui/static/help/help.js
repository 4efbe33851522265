// The help dialog, opened by the ? of the masthead, and tooltips that explain words of the glossary.

import { make } from "../shared/elements.js";
import { GLOSSARY_WORDS } from "../shared/glossary.js";
import { bindTermTips } from "../shared/term_tip.js";

export function mount({ element }) {
  const dialog = element.querySelector(".help-page");
  for (const [word, meaning] of GLOSSARY_WORDS) {
    const row = make("div", "");
    row.append(make("dt", "", word), make("dd", "", meaning));
    dialog.querySelector(".help-words").append(row);
  }
  bindTermTips();
  // The masthead is drawn again when the model has loaded: its button is looked up at each click.
  document.addEventListener("click", ({ target }) => target.closest?.(".help-open") && dialog.showModal());
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog || target.closest(".help-close, a")) dialog.close(); // beside it, or a link that leads elsewhere
  });
}
