// The patient of a simulated film, in a line.

import { DOT } from "../shared/figures.js";

/** @param {ui.simulate.film_requests.SimulatedFilmPayload} film */
export function patientWords({ case: name, patient: { sex, age, view, trained } }) {
  return [...(name ? [name] : []), sex + ", " + age + " y", view, ...(trained ? ["in-sample: a patient of the training films"] : [])].join(DOT);
}
