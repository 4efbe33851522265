// The bar of a lesson above the tabs. A step opens what it speaks of; its link opens that again.
// A lesson is a link: #simulate?lesson=2 begins the second, #read?tour the tour.

import { latest } from "../shared/latest.js";

export function mount({ element, server }) {
  const bar = element.querySelector(".lesson");
  const part = (name) => bar.querySelector("." + name);
  const ROOT = document.documentElement.style;
  let lesson = null; // {title, steps: [{words, link, go}]}
  let place = 0;

  async function follow() {
    const asked = location.hash;
    const begin = beginning(asked);
    if (!begin) return keepUp(asked);
    const isLatest = latest(() => location.hash);
    const found = await begin().catch(() => undefined);
    if (!isLatest()) return; // the visitor went on
    if (!found) return open(asked.split("?")[0], "replaceState");
    lesson = found;
    show(0);
    open(lesson.steps[0].link, "replaceState"); // so that Back does not begin the lesson again
  }

  // What the address begins, if anything.
  function beginning(asked) {
    if (asked === "#read?tour") return () => server.tour(null);
    const number = asked.match(/^#simulate\?lesson=(\d+)$/)?.[1];
    return number && (async () => (await server.lessons(null))[number - 1]);
  }

  // Back and Forward lead to a step that was open before.
  function keepUp(hash) {
    if (!lesson || lesson.steps[place].link === hash) return;
    const at = lesson.steps.findIndex(({ link }) => link === hash);
    if (at >= 0) show(at);
  }

  function go(to) {
    show(to);
    open(lesson.steps[to].link, "pushState");
  }

  // Set the page as somebody does who follows a link.
  function open(link, how) {
    const oldURL = location.href;
    if (location.hash === link) return;
    history[how](null, "", link);
    dispatchEvent(new PopStateEvent("popstate"));
    dispatchEvent(new HashChangeEvent("hashchange", { oldURL, newURL: location.href }));
  }

  function show(to) {
    place = to;
    const { words, link, go: called } = lesson.steps[place];
    part("lesson-place").textContent = place + 1 + " of " + lesson.steps.length;
    bar.querySelector("#lesson-title").textContent = lesson.title;
    part("lesson-words").textContent = words;
    Object.assign(part("lesson-link"), { textContent: called, href: link });
    part("lesson-before").disabled = place === 0;
    part("lesson-next").disabled = place === lesson.steps.length - 1;
    bar.hidden = false;
    measure();
  }

  function close() {
    lesson = null;
    bar.hidden = true;
    measure();
  }

  // The style sheets of the tabs leave room for what lies above them.
  function measure() {
    ROOT.setProperty("--lesson", bar.hidden ? "0px" : bar.offsetHeight + "px");
  }

  part("lesson-before").addEventListener("click", () => go(place - 1));
  part("lesson-next").addEventListener("click", () => go(place + 1));
  part("lesson-close").addEventListener("click", close);
  new ResizeObserver(measure).observe(bar);
  addEventListener("popstate", follow);
  follow();
}
