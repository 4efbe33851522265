// Who a simulated film is of, in a line.

import { DOT } from "../shared/figures.js";

export function patientWords({ case: name, patient: { sex, age, view, trained } }) {
  return [...(name ? [name] : []), sex + ", " + age + " y", view, ...(trained ? ["in-sample: a patient of the training films"] : [])].join(DOT);
}
