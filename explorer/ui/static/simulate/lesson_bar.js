// The bar of a lesson above the tabs. A step opens its example; its link reopens it.
// A lesson is a link: #simulate?lesson=2 begins the second, #read?tour the tour.

import { watchLatest } from "../shared/latest.js";
import { markNumber } from "../shared/marked_number.js";
import { showRefusal, showWithCommands } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
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
    const begin = openerOf(asked);
    if (!begin) return followHash(asked);
    const isLatest = watchLatest(() => location.hash);
    showWaiting();
    const found = await begin();
    if (!isLatest()) return; // the visitor moved on
    waiting = false;
    if (!found?.steps) {
      openLink(asked.split("?")[0], "replaceState");
      return found?.title && refuseStep(found);
    }
    walk = found;
    showStep(0);
    openLink(walk.steps[0].link, "replaceState"); // so that Back does not begin the lesson again
  }

  // The lesson or tour that the address begins, if any.
  function openerOf(address) {
    if (address === "#read?tour") return () => callServer(server.tour, null);
    const number = Number(address.match(/^#simulate\?lesson=(\d+)$/)?.[1]);
    if (!number) return null;
    return async () => {
      const lesson = await callServer(server.lesson, number);
      return lesson.stage === "lesson" ? new LessonWalk(server, number, lesson) : lesson;
    };
  }

  // Back and Forward lead to a step that was open before.
  function followHash(hash) {
    if (waiting) stopWaiting();
    if (!walk || stepLinks(walk.steps[place]).includes(hash)) return;
    const at = walk.steps.findIndex((step) => stepLinks(step).includes(hash));
    if (at >= 0) showStep(at);
  }

  function goTo(target) {
    showStep(target);
    const { shown, link } = walk.steps[target];
    if (shown ?? link) openLink(shown ?? link, "pushState");
  }

  // Change the page as if the visitor had followed a link.
  function openLink(link, how) {
    const oldURL = location.href;
    if (location.hash === link) return;
    history[how](null, "", link);
    dispatchEvent(new PopStateEvent("popstate"));
    dispatchEvent(new HashChangeEvent("hashchange", { oldURL, newURL: location.href }));
  }

  function showStep(target) {
    place = target;
    const step = walk.steps[place];
    const films = walk.steps.filter(({ closing }) => !closing).length;
    part("lesson-place").textContent = step.closing ? "Closing" : place + 1 + " of " + films;
    bar.querySelector("#lesson-title").textContent = walk.title;
    showWithCommands(part("lesson-words"), walk.wordsAt ? walk.wordsAt(place) : step.words);
    showScores(part("lesson-scores"), step.models, step.shown);
    part("lesson-link").hidden = !step.link;
    if (step.link) Object.assign(part("lesson-link"), { textContent: step.go, href: step.link });
    part("lesson-hold").hidden = !walk.number || place > 0; // a class begins with the first film
    part("lesson-before").hidden = part("lesson-next").hidden = walk.steps.length === 1;
    part("lesson-before").disabled = place === 0;
    part("lesson-next").disabled = place === walk.steps.length - 1;
    markNumber("");
    showQuestion(step);
    bar.hidden = false;
    setBarHeight();
  }

  // The question of a step, until it is answered.
  function showQuestion(step) {
    part("lesson-reveal").hidden = !step.question;
    part("lesson-ask").replaceChildren();
    if (!step.question) return;
    const words = Object.assign(document.createElement("p"), { className: "lesson-question", textContent: step.asked });
    form.ask(step.question, sendAnswer);
    form.setFrozen(true); // closed until its film is shown: the previous one has another answer
    part("lesson-ask").append(words, form.form);
    setTimeout(updateQuestion); // Simulate follows the address, too
  }

  function updateQuestion() {
    const step = walk?.steps[place];
    const stands = document.querySelector("#simulate .simulating")?.dataset.state === "shown";
    if (step?.question && !answering && stands && location.hash.startsWith(step.link)) form.setFrozen(false);
  }

  // The film is revealed in place; null: without an answer.
  async function sendAnswer(given) {
    const [asking, at] = [walk, place];
    answering = true;
    const result = await walk.sendAnswer(at, given);
    answering = false;
    if (walk !== asking || place !== at) return;
    if (result.refused) {
      form.setFrozen(false);
      return showWithCommands(part("lesson-words"), result.refused);
    }
    showStep(at);
    openLink(result.shown, "replaceState");
    part("lesson-words").focus({ preventScroll: true });
  }

  // Begin a class with the lesson from its first film; teach/class_section.js does it.
  async function holdAsClass() {
    const asking = walk;
    const answer = await callServer(server.lesson_for_class, walk.number);
    if (walk !== asking) return;
    if (answer.stage !== "kept") return showRefusal(part("lesson-words"), answer);
    close();
    location.hash = teachAddress({ section: "class", hold: answer.key });
  }

  function refuseStep({ title, detail }) {
    walk = { title, steps: [{ words: detail, link: null }] };
    showStep(0);
  }

  // The note, on a class's film, about a number that its teacher opens; going back closes it.
  function showNumber({ title, words, mark }) {
    walk = { title, steps: [{ words, link: "#teach?section=class", go: "Back to the class", closes: true }] };
    showStep(0);
    part("lesson-place").textContent = "";
    markNumber(mark);
  }

  // Counting takes seconds after a start.
  function showWaiting() {
    waiting = true;
    if (walk) return; // the displayed text stays until the other has arrived
    bar.querySelector("#lesson-title").textContent = "Lesson";
    part("lesson-place").textContent = "";
    part("lesson-words").textContent = "Counting its numbers on the simulated cohort.";
    for (const button of [part("lesson-before"), part("lesson-next")]) button.disabled = true;
    part("lesson-link").hidden = part("lesson-reveal").hidden = part("lesson-hold").hidden = true;
    part("lesson-ask").replaceChildren();
    bar.hidden = false;
    setBarHeight();
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
    setBarHeight();
  }

  // The style sheets of the tabs leave room for what is above them.
  function setBarHeight() {
    ROOT.setProperty("--lesson", bar.hidden ? "0px" : bar.offsetHeight + "px");
  }

  part("lesson-link").addEventListener("click", () => (walk.steps[place].closes ? close() : markNumber(walk.steps[place].mark ?? "")));
  document.addEventListener("simulated-shown", updateQuestion);
  document.addEventListener("class-number", ({ detail }) => showNumber(detail));
  part("lesson-reveal").addEventListener("click", () => sendAnswer(null));
  part("lesson-before").addEventListener("click", () => goTo(place - 1));
  part("lesson-next").addEventListener("click", () => goTo(place + 1));
  part("lesson-hold").addEventListener("click", holdAsClass);
  part("lesson-close").addEventListener("click", close);
  new ResizeObserver(setBarHeight).observe(bar);
  addEventListener("popstate", follow);
  follow();
}

const stepLinks = ({ links, link }) => links ?? [link];
