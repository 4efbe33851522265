// Which tab is open follows the address's fragment, and the other way round. Runs with the masthead, on every page:
// a tab's own script is there only once the tab was opened.

const tabButtons = () => [...document.querySelectorAll("#tabs > .tab-wrapper [role=tab]")];
const tabOf = (name) => tabButtons().find((button) => button.textContent.trim().toLowerCase() === name);
const tabIn = (hash) => hash.match(/^#(ask|explore|simulate)($|\?)/)?.[1] ?? "read";
const wanted = () => tabIn(location.hash);

function follow() {
  const button = tabOf(wanted());
  if (!button) return requestAnimationFrame(follow); // Gradio has not drawn the tabs yet
  if (button.getAttribute("aria-selected") !== "true") button.click();
}

const left = {}; // by tab, the fragment that it had when it was left
const leave = (hash) => hash && (left[tabIn(hash)] = hash);
const addressOf = (name) => (name === "read" ? location.pathname + location.search : (left[name] ?? "#" + name));

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("#tabs > .tab-wrapper [role=tab]")?.textContent.trim().toLowerCase();
  if (!name || name === wanted()) return; // also where the address asked for the click
  leave(location.hash);
  history.pushState(null, "", addressOf(name));
});
addEventListener("popstate", follow);
addEventListener("hashchange", ({ oldURL }) => leave(new URL(oldURL).hash)); // a link led elsewhere
follow();
