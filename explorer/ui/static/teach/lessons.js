// The section of the lessons: a lesson is copied to the playlists of this machine.

import { make, placeLink } from "../shared/elements.js";
import { call } from "../shared/server_calls.js";
import { teachAddress } from "../shared/teach_address.js";

export function mount({ element, server }) {
  element.addEventListener("click", async ({ target }) => {
    if (!target.matches(".lesson-copy")) return;
    const card = target.closest(".lesson-card");
    const said = card.querySelector(".lesson-copied");
    target.disabled = true; // counting takes seconds after a start
    said.textContent = "Copying";
    const answer = await call(server.lesson_copied, Number(card.dataset.lesson));
    target.disabled = false;
    if (answer.stage !== "kept") return (said.textContent = answer.title + ". " + answer.detail);
    said.replaceChildren(make("span", "", "Copied. "), placeLink("lesson-open", "Open the copy", teachAddress({ playlist: answer.key })));
  });
  document.dispatchEvent(new CustomEvent("teach-section"));
}
