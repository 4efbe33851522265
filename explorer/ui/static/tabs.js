// Which tab is open follows the address's fragment, and the other way round. Runs with the masthead, on every page:
// a tab's own script is there only once the tab was opened.

const tabButtons = () => [...document.querySelectorAll("#tabs > .tab-wrapper [role=tab]")];
const tabOf = (name) => tabButtons().find((button) => button.textContent.trim().toLowerCase() === name);
const wanted = () => location.hash.match(/^#(ask|explore)($|\?)/)?.[1] ?? "read";

function follow() {
  const button = tabOf(wanted());
  if (!button) return requestAnimationFrame(follow); // Gradio has not drawn the tabs yet
  if (button.getAttribute("aria-selected") !== "true") button.click();
}

let left = ""; // the fragment of Explore when it was left
function addressOf(name) {
  if (name === "read") return location.pathname + location.search;
  return name === "explore" && left ? left : "#" + name;
}

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("#tabs > .tab-wrapper [role=tab]")?.textContent.trim().toLowerCase();
  if (!name || name === wanted()) return; // also where the address asked for the click
  if (wanted() === "explore") left = location.hash;
  history.pushState(null, "", addressOf(name));
});
addEventListener("popstate", follow);
follow();
