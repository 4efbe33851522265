// The screens for joining, for waiting for the first film, and for the end of the class.

import { make } from "../shared/elements.js";
import { refusalWords } from "../shared/refusal.js";
import { makeOverheard } from "./overheard.js";
import { NotReached, Refused } from "./refused.js";

const LONGEST_NAME = 24;
const CLASS_SILENT = "The class does not answer. Stay in the network of the class, then try again.";

// The heading of a screen, which takes the focus.
/**
 * @param {string} words
 * @param {"h1" | "h2" | "h3"} level
 */
export function makeHeading(words, level = "h2") {
  const title = make(level, "class-title", words);
  Object.assign(title, { tabIndex: -1 });
  title.dataset.first = "";
  return title;
}

function makeField(id, words, attributes) {
  const label = make("label", "class-field", words);
  const input = make("input", "class-input");
  Object.assign(input, { id, ...attributes });
  input.autocomplete = "off";
  label.append(input);
  return { label, input };
}

// `join(code, nickname)` rejects with a refusal; `why` the learner must join again: a refusal or null.
export function makeJoinScreen(transport, join, why) {
  const form = make("form", "class-door");
  const code = makeField("class-code", "Class code", { required: true, spellcheck: false, autocapitalize: "characters" });
  const name = makeField("class-nickname", "Nickname", { required: true, maxLength: LONGEST_NAME, spellcheck: false });
  code.input.value = location.hash.slice(1);
  const problem = make("p", "class-problem");
  problem.setAttribute("role", "alert");
  const enter = make("button", "class-main-button", transport.takesCode ? "Join" : "Begin");
  const hint = make("p", "class-hint", "Choose a nickname that is not your name. Nothing else is required.");
  const open = makeOverheard("your nickname and answers");
  const fields = transport.takesCode ? [code.label, name.label, hint, ...open] : transport.aboutLines();
  form.append(makeHeading(transport.takesCode ? "Join the class" : transport.title), ...fields, problem, enter);
  const tell = (words) => (problem.textContent = words);
  if (why) tell(refusalWords(why));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    enter.disabled = true;
    tell("");
    try {
      await join(code.input.value.trim(), name.input.value.trim());
    } catch (error) {
      if (error instanceof Refused) tell(refusalWords(error));
      else if (error instanceof NotReached) tell(CLASS_SILENT);
      else throw error;
    }
    enter.disabled = false;
  });
  return { element: form };
}

export function makeWaitingScreen({ who }) {
  const screen = make("section", "class-door");
  const number = make("p", "class-hint");
  screen.append(
    makeHeading(who.title),
    ...splitParagraphs(who.about),
    make("p", "class-wait", "You are in, " + who.nickname + ". Wait for the first film."),
    number,
  );
  return { element: screen, update: (state) => (number.textContent = learnersWords(state.learners)) };
}

export function learnersWords(learners) {
  return learners === 1 ? "1 learner is here." : learners + " learners are here.";
}

export function splitParagraphs(text) {
  return text.split(/\n+/).filter(Boolean).map((words) => make("p", "class-text", words));
}

// The class ended before anything was revealed.
export function makeEndedScreen(unsent) {
  const screen = make("section", "class-door");
  screen.append(makeHeading("The class has ended"), ...makeUnsentWarning(unsent), make("p", "class-hint", "You can close this page."));
  return { element: screen };
}

// Words for answers that did not arrive in time.
export function makeUnsentWarning(count) {
  if (!count) return [];
  const lost = count === 1 ? "One answer was" : count + " answers were";
  return [make("p", "class-problem", lost + " not sent before the end, and can no longer be sent.")];
}
