// The section Lessons: hold a lesson as a class, or copy it to the playlists of this machine.

import { make, makePlaceLink } from "../shared/elements.js";
import { showRefusal } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { teachAddress } from "../shared/teach_address.js";

export function mount({ element, server }) {
  const actions = {
    "lesson-copy": async (answer, status) => {
      status.replaceChildren(make("span", "", "Copied. "), makePlaceLink("lesson-open", "Open the copy", teachAddress({ playlist: answer.key })));
    },
    "lesson-hold": async (answer, status) => {
      status.replaceChildren();
      location.hash = teachAddress({ section: "class", hold: answer.key }); // class_section.js begins it
    },
  };
  const serverCalls = { "lesson-copy": "lesson_copied", "lesson-hold": "lesson_for_class" };

  element.addEventListener("click", async ({ target }) => {
    const action = Object.keys(actions).find((name) => target.classList.contains(name));
    if (!action) return;
    const card = target.closest(".lesson-card");
    const status = card.querySelector(".lesson-copied");
    target.disabled = true; // counting takes seconds after a start
    status.textContent = action === "lesson-copy" ? "Copying" : "Counting its numbers";
    const answer = await callServer(server[serverCalls[action]], Number(card.dataset.lesson));
    target.disabled = false;
    if (answer.stage !== "kept") return showRefusal(status, answer);
    actions[action](answer, status);
  });
  document.dispatchEvent(new CustomEvent("teach-section"));
}
