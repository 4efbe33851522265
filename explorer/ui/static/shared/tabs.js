// The open tab follows the address's fragment, and the reverse. The page's head loads this: a tab's own script exists
// only once the tab was opened.

import { tabOfHash } from "./tab_address.js";

const tabButtons = () => [...document.querySelectorAll("#tabs > .tab-wrapper [role=tab]")];
const tabOf = (name) => tabButtons().find((button) => button.textContent.trim().toLowerCase() === name);
const wantedTab = () => tabOfHash(location.hash);

// They would stay in front of every tab. A case closes by itself: it is part of Explore's address.
const DIALOGS = "dialog[open]:not(.case)";

function followAddress() {
  const button = tabOf(wantedTab());
  if (!button) return requestAnimationFrame(followAddress); // Gradio has not drawn the tabs yet
  if (button.getAttribute("aria-selected") === "true") return;
  for (const dialog of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll(DIALOGS))) dialog.close();
  button.click();
}

const leftAddresses = {}; // by tab, its fragment when it was left
const rememberAddress = (hash) => hash && (leftAddresses[tabOfHash(hash)] = hash);
const addressOf = (name) => (name === "read" ? location.pathname + location.search + modelWords() : (leftAddresses[name] ?? "#" + name));

// Of Read's address the models stay; its sample is not opened again.
function modelWords() {
  const asked = new URLSearchParams((leftAddresses.read ?? "").match(/^#read\?(.+)$/)?.[1]);
  for (const word of ["sample", "look", "present"]) asked.delete(word);
  return String(asked) && "#read?" + asked;
}

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("#tabs > .tab-wrapper [role=tab]")?.textContent.trim().toLowerCase();
  if (!name || name === wantedTab()) return; // also where the address caused the click
  rememberAddress(location.hash);
  history.pushState(null, "", addressOf(name));
  dispatchEvent(new PopStateEvent("popstate")); // a tab's script follows the address
});
addEventListener("popstate", followAddress);
addEventListener("hashchange", ({ oldURL }) => rememberAddress(new URL(oldURL).hash)); // a link led elsewhere
followAddress();
