// An area of the map by four numbers, for visitors who cannot draw; and a button for the whole map.

import { make } from "../shared/elements.js";

const SIDES = [["left", 25], ["right", 75], ["bottom", 25], ["top", 75]];

export function makeAreaForm(corners, { side, cell }, choose) {
  const box = make("div", "map-form");
  if (corners.length) {
    const whole = make("button", "panel-way control", "The whole map");
    whole.type = "button";
    whole.dataset.key = "map whole";
    whole.addEventListener("click", () => choose(null));
    box.append(whole);
  }
  const details = make("details", "");
  const form = make("form", "map-numbers");
  const fields = SIDES.map(([name, usual]) => {
    const label = make("label", "", name);
    const field = Object.assign(make("input", ""), { type: "number", min: 0, max: 100, step: "any", required: true, value: usual });
    field.dataset.key = "map " + name;
    label.append(field);
    form.append(label);
    return field;
  });
  form.append(make("button", "panel-way control", "Show"));
  const note = make("p", "cells-legend muted small");
  note.setAttribute("role", "status");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const most = side / cell - 1;
    const [left, right, bottom, top] = fields.map((field) => Math.round((field.valueAsNumber / 100) * most));
    if (left >= right || bottom >= top) return void (note.textContent = "Left must be less than right, and bottom less than top.");
    choose([[left, bottom], [right, bottom], [right, top], [left, top]]);
  });
  details.append(make("summary", "", "An area by numbers, in percent of the map"), form, note);
  box.append(details);
  return box;
}
