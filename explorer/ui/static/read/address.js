// A sample in the address: #read?sample=phantom-effusion opens it, &look=Mass chooses that finding once it is read.

const findSample = (room, key) => [...room.querySelectorAll(".sample")].find((button) => button.dataset.sample === key);

// `opened()`: the film in view, {name, uploaded} or undefined; `open(button)`, `look(finding)`; `note(words)`.
export function followAddress(room, { opened, open, look, note }) {
  async function follow() {
    const words = location.hash.match(/^#read\?(.+)$/)?.[1];
    const asked = new URLSearchParams(words);
    const button = findSample(room, asked.get("sample"));
    if (!button) return;
    const name = button.querySelector("strong").textContent;
    if (opened()?.uploaded) return note("Close your film to open the sample that the link names: " + name + ".");
    if (opened()?.name !== name) await open(button);
    if (asked.get("look")) look(asked.get("look"));
  }
  addEventListener("popstate", follow);
  addEventListener("hashchange", follow);
  follow();
}
