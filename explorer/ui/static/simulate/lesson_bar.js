// The bar of a lesson above the tabs. A step opens its example; its link opens that again.
// A lesson is a link: #simulate?lesson=2 begins the second, #read?tour the tour.

import { latest } from "../shared/latest.js";
import { markNumber } from "../shared/marked_number.js";
import { showRefusal, showWords } from "../shared/refusal.js";
import { call } from "../shared/server_calls.js";
import { teachAddress } from "../shared/teach_address.js";
import { AnswerForm } from "./answer_form.js";
import { showScores } from "./lesson_scores.js";
import { LessonWalk } from "./lesson_walk.js";

export function mount({ element, server }) {
  const bar = element.querySelector(".lesson");
  const part = (name) => bar.querySelector("." + name);
  const ROOT = document.documentElement.style;
  const form = new AnswerForm();
  let walk = null; // {title, steps: [{words, link, go}]}; steps of a lesson have more, see lesson_walk.js
  let place = 0;
  let waiting = false; // for the lesson that the address names
  let answering = false; // an answer is being sent

  async function follow() {
    const asked = location.hash;
    const begin = beginning(asked);
    if (!begin) return keepUp(asked);
    const isLatest = latest(() => location.hash);
    wait();
    const found = await begin();
    if (!isLatest()) return; // the visitor moved on
    waiting = false;
    if (!found?.steps) {
      open(asked.split("?")[0], "replaceState");
      return found?.title && refuse(found);
    }
    walk = found;
    show(0);
    open(walk.steps[0].link, "replaceState"); // so that Back does not begin the lesson again
  }

  // The lesson or tour that the address begins, if any.
  function beginning(asked) {
    if (asked === "#read?tour") return () => call(server.tour, null);
    const number = Number(asked.match(/^#simulate\?lesson=(\d+)$/)?.[1]);
    if (!number) return null;
    return async () => {
      const lesson = await call(server.lesson, number);
      return lesson.stage === "lesson" ? new LessonWalk(server, number, lesson) : lesson;
    };
  }

  // Back and Forward lead to a step that was open before.
  function keepUp(hash) {
    if (waiting) stopWaiting();
    if (!walk || linksOf(walk.steps[place]).includes(hash)) return;
    const at = walk.steps.findIndex((step) => linksOf(step).includes(hash));
    if (at >= 0) show(at);
  }

  function go(to) {
    show(to);
    const { shown, link } = walk.steps[to];
    if (shown ?? link) open(shown ?? link, "pushState");
  }

  // Change the page as if the visitor had followed a link.
  function open(link, how) {
    const oldURL = location.href;
    if (location.hash === link) return;
    history[how](null, "", link);
    dispatchEvent(new PopStateEvent("popstate"));
    dispatchEvent(new HashChangeEvent("hashchange", { oldURL, newURL: location.href }));
  }

  function show(to) {
    place = to;
    const step = walk.steps[place];
    const films = walk.steps.filter(({ closing }) => !closing).length;
    part("lesson-place").textContent = step.closing ? "Closing" : place + 1 + " of " + films;
    bar.querySelector("#lesson-title").textContent = walk.title;
    showWords(part("lesson-words"), walk.wordsAt ? walk.wordsAt(place) : step.words);
    showScores(part("lesson-scores"), step.models, step.shown);
    part("lesson-link").hidden = !step.link;
    if (step.link) Object.assign(part("lesson-link"), { textContent: step.go, href: step.link });
    part("lesson-hold").hidden = !walk.number || place > 0; // a class begins with the first film
    part("lesson-before").hidden = part("lesson-next").hidden = walk.steps.length === 1;
    part("lesson-before").disabled = place === 0;
    part("lesson-next").disabled = place === walk.steps.length - 1;
    markNumber("");
    ask(step);
    bar.hidden = false;
    measure();
  }

  // The question of a step, until it is answered.
  function ask(step) {
    part("lesson-reveal").hidden = !step.question;
    part("lesson-ask").replaceChildren();
    if (!step.question) return;
    const words = Object.assign(document.createElement("p"), { className: "lesson-question", textContent: step.asked });
    form.ask(step.question, answer);
    form.freeze(true); // closed until its film is shown: the one before has another answer
    part("lesson-ask").append(words, form.form);
    setTimeout(admit); // Simulate follows the address, too
  }

  function admit() {
    const step = walk?.steps[place];
    const stands = document.querySelector("#simulate .simulating")?.dataset.state === "shown";
    if (step?.question && !answering && stands && location.hash.startsWith(step.link)) form.freeze(false);
  }

  // The film is revealed in place; null: without an answer.
  async function answer(given) {
    const [asking, at] = [walk, place];
    answering = true;
    const said = await walk.answer(at, given);
    answering = false;
    if (walk !== asking || place !== at) return;
    if (said.refused) {
      form.freeze(false);
      return showWords(part("lesson-words"), said.refused);
    }
    show(at);
    open(said.shown, "replaceState");
    part("lesson-words").focus({ preventScroll: true });
  }

  // Begin a class with the lesson from its first film; teach/class_section.js does it.
  async function hold() {
    const asking = walk;
    const answer = await call(server.lesson_for_class, walk.number);
    if (walk !== asking) return;
    if (answer.stage !== "kept") return showRefusal(part("lesson-words"), answer);
    close();
    location.hash = teachAddress({ section: "class", hold: answer.key });
  }

  function refuse({ title, detail }) {
    walk = { title, steps: [{ words: detail, link: null }] };
    show(0);
  }

  // The note of a class's film about a number that its teacher opens; the way back closes it.
  function showNumber({ title, words, mark }) {
    walk = { title, steps: [{ words, link: "#teach?section=class", go: "Back to the class", closes: true }] };
    show(0);
    part("lesson-place").textContent = "";
    markNumber(mark);
  }

  // Counting takes seconds after a start.
  function wait() {
    waiting = true;
    if (walk) return; // the text on show stays until the other has come
    bar.querySelector("#lesson-title").textContent = "Lesson";
    part("lesson-place").textContent = "";
    part("lesson-words").textContent = "Counting its numbers on the simulated cohort.";
    for (const button of [part("lesson-before"), part("lesson-next")]) button.disabled = true;
    part("lesson-link").hidden = part("lesson-reveal").hidden = part("lesson-hold").hidden = true;
    part("lesson-ask").replaceChildren();
    bar.hidden = false;
    measure();
  }

  function stopWaiting() {
    waiting = false;
    if (!walk) close();
  }

  function close() {
    walk = null;
    bar.hidden = true;
    showScores(part("lesson-scores"));
    markNumber("");
    measure();
  }

  // The style sheets of the tabs leave room for what lies above them.
  function measure() {
    ROOT.setProperty("--lesson", bar.hidden ? "0px" : bar.offsetHeight + "px");
  }

  part("lesson-link").addEventListener("click", () => (walk.steps[place].closes ? close() : markNumber(walk.steps[place].mark ?? "")));
  document.addEventListener("simulated-shown", admit);
  document.addEventListener("class-number", ({ detail }) => showNumber(detail));
  part("lesson-reveal").addEventListener("click", () => answer(null));
  part("lesson-before").addEventListener("click", () => go(place - 1));
  part("lesson-next").addEventListener("click", () => go(place + 1));
  part("lesson-hold").addEventListener("click", hold);
  part("lesson-close").addEventListener("click", close);
  new ResizeObserver(measure).observe(bar);
  addEventListener("popstate", follow);
  follow();
}

const linksOf = ({ links, link }) => links ?? [link];
