// Makes the readers' labels a source of labels, also by REVEAL-CXR's selection in two halves.

import { make, makePlaceLink } from "../shared/elements.js";
import { makeWithCommands, showRefusal } from "../shared/refusal.js";
import { callServer } from "../shared/server_calls.js";
import { makeBox, makeField, makeGrids } from "./review_parts.js";

const REVEAL = "reveal";
const PROTOCOLS = [
  ["majority", "majority; ties stay unknown"],
  ["adjudicated", "majority; films with a tie left out"],
  ["two-of-three", "films of which two readers name the same findings"],
];
const REVEAL_PROTOCOL = [REVEAL, "two votes for all labels, rare findings first, in two halves"];
const MOST_FILMS = 5000;

/** @param {ui.teach.review_payload.ReviewLinePayload} review */
export function makeRelease({ name, source, to, findings, suggests }, server) {
  const fold = make("details", "review-release");
  const form = make("form", "review-fields");
  const named = makeText(source, 80, true);
  const cohort = makeText(to, 63, Boolean(to));
  const choice = make("select", "");
  choice.append(...[...PROTOCOLS, ...(suggests ? [REVEAL_PROTOCOL] : [])].map(([value, words]) => new Option(words, value)));
  const reveal = makeReveal(findings);
  choice.addEventListener("change", () => reveal.show(choice.value === REVEAL));
  reveal.show(false);
  const button = make("button", "control", "Release the labels");
  const said = make("div", "review-released");
  said.setAttribute("role", "status");
  form.append(makeField("Labels", choice), makeField("Name of the source of labels", named), makeField(to ? "Into a copy of the cohort, called" : "Into the cohort (empty: the reviewed one)", cohort), ...reveal.elements, button);
  fold.append(make("summary", "", "Release"), form, said);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    said.textContent = "Adding the labels";
    const answer = await callServer(server.review_released, { name, protocol: choice.value, source: named.value.trim(), to: cohort.value.trim(), ...reveal.sent });
    button.disabled = false;
    if (answer.stage !== "released") return showRefusal(said, answer);
    said.replaceChildren(...answer.words.map((words) => makeWithCommands("p", "", words)), makePlaceLink("review-evaluate", "See the models under these labels", answer.address), ...makeGrids(answer.grids));
  });
  return fold;
}

function makeText(value, maxLength, required) {
  return Object.assign(make("input", ""), { type: "text", value, maxLength, required });
}

// What REVEAL-CXR's selection asks for: how many films, and which findings count as rare.
function makeReveal(findings) {
  const films = Object.assign(make("input", ""), { type: "number", min: "2", max: String(MOST_FILMS), step: "1", value: "200", required: true });
  const field = makeField("Films of both halves", films);
  const rare = make("fieldset", "review-asked");
  const boxes = make("div", "review-boxes");
  boxes.append(...findings.map((each) => makeBox(each, false)));
  rare.append(make("legend", "", "Rare findings, which come first (none chosen: those suggested on fewer than 25 % of the films)"), boxes);
  return {
    elements: [field, rare],
    show: (on) => {
      for (const each of [field, rare]) each.hidden = !on;
      films.disabled = !on;
    },
    get sent() {
      const chosen = [...boxes.querySelectorAll("input:checked")].map((box) => /** @type {HTMLInputElement} */ (box).value);
      return films.disabled ? { rare: [], select: null } : { rare: chosen, select: Number(films.value) };
    },
  };
}
