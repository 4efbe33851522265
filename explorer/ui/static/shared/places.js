// Places on a film in words, as in models/anatomy/places.py.

export const PLACES = [
  "outside the lungs",
  "right upper zone",
  "right mid zone",
  "right base",
  "left upper zone",
  "left mid zone",
  "left base",
  "over the heart",
  "over the mediastinum",
  "below the diaphragm",
];

// The place of a point, in shares of the film's sides. `rows`: a digit for each cell; null: the anatomy is not known.
export function placeWords(rows, [across, down]) {
  if (!rows) return "";
  const cell = (share) => Math.min(rows.length - 1, Math.floor(share * rows.length));
  return PLACES[Number(rows[cell(down)][cell(across)])];
}
