// The section Lessons: hold a lesson as a class, or copy it to the playlists of this machine.

import { make, placeLink } from "../shared/elements.js";
import { showRefusal } from "../shared/refusal.js";
import { call } from "../shared/server_calls.js";
import { teachAddress } from "../shared/teach_address.js";

export function mount({ element, server }) {
  const ways = {
    "lesson-copy": async (answer, said) => {
      said.replaceChildren(make("span", "", "Copied. "), placeLink("lesson-open", "Open the copy", teachAddress({ playlist: answer.key })));
    },
    "lesson-hold": async (answer, said) => {
      said.replaceChildren();
      location.hash = teachAddress({ section: "class", hold: answer.key }); // class_section.js begins it
    },
  };
  const asked = { "lesson-copy": "lesson_copied", "lesson-hold": "lesson_for_class" };

  element.addEventListener("click", async ({ target }) => {
    const way = Object.keys(ways).find((name) => target.classList.contains(name));
    if (!way) return;
    const card = target.closest(".lesson-card");
    const said = card.querySelector(".lesson-copied");
    target.disabled = true; // counting takes seconds after a start
    said.textContent = way === "lesson-copy" ? "Copying" : "Counting its numbers";
    const answer = await call(server[asked[way]], Number(card.dataset.lesson));
    target.disabled = false;
    if (answer.stage !== "kept") return showRefusal(said, answer);
    ways[way](answer, said);
  });
  document.dispatchEvent(new CustomEvent("teach-section"));
}
