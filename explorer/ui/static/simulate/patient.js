// The patient of a simulated film, in a line.

import { DOT_BETWEEN } from "../shared/figures.js";

/** @param {ui.simulate.film_requests.SimulatedFilmPayload} film */
export function patientText({ case: name, patient: { sex, age, view, trained } }) {
  return [...(name ? [name] : []), sex + ", " + age + " y", view, ...(trained ? ["in-sample: a patient of the training films"] : [])].join(DOT_BETWEEN);
}
