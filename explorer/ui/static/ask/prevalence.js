// How common the finding is among the visitor's films: the visitor types it, and the server computes the value of the
// answer.

import { significantText } from "../shared/figures.js";
import { make } from "../shared/elements.js";

const percentNumber = (share) => significantText(100 * share, 3);

// `answer.prevalence` keeps the typed text and its refusal, because the form is made again with each drawing.
/** @param {ui.ask.payload.AskedPayload & { prevalence?: { text: string | null, refusal: string } }} answer */
export function makePrevalenceForm(answer, judge) {
  const entry = (answer.prevalence ??= { text: null, refusal: "" });
  const { predicted } = answer;
  const form = make("form", "prevalence");
  const label = make("label", "prevalence-label", "How many of your films have it?");
  const input = make("input", "prevalence-text");
  label.htmlFor = input.id = "ask-prevalence";
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", maxLength: 20 });
  input.value = entry.text ?? percentNumber(predicted.prevalence);
  input.setAttribute("aria-describedby", "ask-prevalence-note");
  input.setAttribute("aria-invalid", String(Boolean(entry.refusal)));
  const note = make("p", entry.refusal ? "prevalence-note refused" : "prevalence-note", entry.refusal || prevalenceSourceWords(predicted));
  note.id = "ask-prevalence-note";
  note.setAttribute("role", "status");
  const submit = make("button", "prevalence-set control", "Update");
  submit.type = "submit";
  form.append(label, input, make("span", "prevalence-unit", "%"), submit);
  if (predicted.typed) form.append(makeResetButton(judge));
  form.append(note);
  input.addEventListener("input", () => (entry.text = input.value));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    judge(input.value);
  });
  return form;
}

function makeResetButton(judge) {
  const button = make("button", "prevalence-reset control", "As among the labeled films");
  button.type = "button";
  button.addEventListener("click", () => judge(""));
  return button;
}

const prevalenceSourceWords = ({ typed }) => (typed ? "As you typed." : "As among the labeled films. Type how common it is where you work.");
