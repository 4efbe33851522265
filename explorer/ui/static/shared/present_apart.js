// Makes inert everything outside an element that covers the window.

const IGNORED_TAGS = ["SCRIPT", "STYLE", "LINK"];

export function setApart(host, on) {
  for (let part = host; part !== document.body && part.parentElement; part = part.parentElement) {
    for (const beside of part.parentElement.children) {
      if (beside === part || IGNORED_TAGS.includes(beside.tagName)) continue;
      if (on && !beside.inert) Object.assign(beside, { inert: true }).dataset.apart = "";
      else if (!on && "apart" in beside.dataset) delete Object.assign(beside, { inert: false }).dataset.apart;
    }
  }
}
