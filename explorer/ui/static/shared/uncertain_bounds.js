// The words of Evaluate's address that show all uncertain labels as absent beside all as present; see SOURCE_WORDS in
// explorer/ui/evaluate/panels/labels.py.

export const UNCERTAIN_BOUNDS = { panel: "labels", one: "uncertain-zeros", other: "uncertain-ones" };
