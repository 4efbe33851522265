// A lateral film whose model reads only frontal ones: an answer about the view, not the refusal of a wrong file.

export const isLateralNotRead = (item) => item?.stage === "refused" && item.refusal.verdict.check === "lateral";

/** @param {ui.read.payload.RefusedFilmPayload} refusal */
export const lateralTitle = ({ model }) => "Lateral film: not read by " + model;
