// What the page's words mean, as docs/glossary.md has them, for tooltips and for the help page.

const GLOSSARY = {
  "finding": "what a label or a score is about: Mass, Pleural Effusion. \"Normal\" is one too; a cohort may have findings of any name",
  "film": "one radiograph, decoded to the canonical image that every model of this project sees",
  "case": "a film of a cohort, with its labels and scores",
  "cohort": "films with labels, and what models say of them",
  "center": "the hospital or source that a film comes from",
  "view": "how the film was taken: PA, AP, lateral",
  "pair": "one film and one finding: what a slice is a set of",
  "slice": "the pairs that the filters leave, stated as a sentence",
  "score": "what a model gives, from 0 to 1; called a probability only where it was calibrated on other films",
  "threshold": "the score from which a finding is called present",
  "threshold in force": "the model's own, or one that was chosen on this machine: outcomes follow from it",
  "in-sample thresholds": "chosen on some of these very films: rates at them are optimistic",
  "cross-fitted": "the threshold of each film was chosen on patients of other folds",
  "log odds": "the logarithm of score / (1 - score): by their difference films are ordered, largest errors first",
  "mark": "a star, tag, note or list of a case, kept on this machine",
  "operating point": "a threshold, and what it gave on the films it was chosen on",
  "margin": "score minus threshold; of a typed finding, how much more the film fits the positive than the negative prompts",
  "none of these": "a film that has labels, every one of them absent: a true negative of each finding",
  "outcome": "hit, miss, false alarm or correct rejection",
  "flagged": "the score reaches a cut that at most one in ten films without the finding reach; how many such films have it depends on prevalence",
  "prevalence": "the share of films that have the finding",
  "hit": "called present, and labeled present",
  "miss": "not called present, but labeled present",
  "false alarm": "called present, but labeled absent",
  "correct rejection": "not called present, and labeled absent",
  "sensitivity": "of the films with the finding, those called",
  "specificity": "of the films without the finding, those not called",
  "chance": "what a measure is for a model that knows nothing: the prevalence for AP, 0.50 for AUROC",
  "AP": "average precision: the area under the precision-recall curve by steps; it depends on prevalence",
  "AUROC": "area under the ROC curve: it does not depend on prevalence",
  "n": "films that a figure counts",
  "n+": "films with the finding among those that a figure counts",
  "ECE": "expected calibration error: how far scores lie from the rate of positives among films that score alike, 15 bins; small is good",
  "F1": "twice the hits by positives and calls together, at the threshold in force",
  "precision": "of the films that are called, those with the finding",
  "P(first)": "how often a model is the best over resamples that all models share; ties are broken by mAUROC",
  "interval": "95 %: Wilson's for rates, percentiles of 1,000 resamples of whole patients for the others",
  "cost of a slice": "percentage points that sensitivity, or specificity, over all films would gain if the slice did as well as the others",
  "facet": "a value of a filter: AP films, women, severity faint",
  "embedding": "the numbers by which a model tells one film from another",
  "spectrum": "how much of a film's detail is coarse and how much fine: sharpness and noise, whatever is on it",
  "adjusted p": "the share of false findings among all that are called different at this level (Benjamini and Hochberg)",
  "frequency group": "common, medium, rare, very rare; by the paper's tables, or by cut-offs on a stated table or on the cohort's own labels",
  "taxonomy": "the label list of a dataset or challenge, in its own spelling and order",
  "crosswalk": "a taxonomy's labels beside the findings of a cohort: which is the same, which is broader or narrower, and who says so",
  "broader, narrower": "a finding is broader than another if every film with the other has it: Lung Opacity is broader than Consolidation",
  "percentile": "the share of other films that score lower, equal ones counted half",
  "rank": "the share of other films that score lower for the finding",
  "seen, unseen": "the 30 findings of CXR-LT 2026 with training films (Task 1), and the 6 without (Task 2, zero-shot)",
  "severity": "how plain a simulated finding is, from 0 (subtle) to 1 (obvious)",
  "side": "of the patient, left or right, where a finding is",
  "size": "the share of the film that a finding's mask covers",
  "findings per film": "findings labeled present on the film; Normal and Support Devices do not count, nor does what is uncertain or unknown",
  "in-sample": "the model was trained on these same films: figures are optimistic",
  "possibly in-sample": "the model was trained on films of this center, perhaps on these: figures may be optimistic",
  "internal": "films of other patients from a center that the model was trained on",
  "external by name": "the model's card lists no films of this center; their origin was not checked",
  "external": "films of a center that the model never saw",
  "uncertain": "the score reaches the threshold, but so do more than one in ten films without the finding",
  "not flagged": "the score is below the threshold; the finding may be there all the same",
  "cannot judge": "the model may rank films with and without the finding no better than chance: its score says nothing",
  "likely, possible": "how often flags were correct. Likely: the interval's lower end reaches 50 %; possible: the figure reaches 20 %, its lower end 10 %",
  "seldom correct": "fewer than 20 % of the test films nearest in score had it, or perhaps fewer than 10 %: not in the headline",
  "too few films": "fewer than 10 test films are flagged for the finding: nobody can say how often that is correct",
  "unreliable": "a finding whose score may mean something else, as the model's card says",
  "training film": "a film that the model was fitted on: what it says of it is in-sample",
  "unseen score": "what a model says of a film that was trained alike without it",
  "gate": "what decides whether a model may read a film, and says why",
  "heat map": "where a score comes from, or where a mask head places the finding, by the method that the page names",
  "mask head": "a part of a network that learned from masks where findings lie; its maps explain no score",
  "hit of a heat map": "its maximum lies in the finding's mask (pointing game)",
  "map of films": "films by a model's features in two dimensions: close together lies what the model finds alike; other distances mean nothing",
  "usual place": "where a finding lies on most other films: the maximum of its mean mask, without any model",
  "twin": "the same simulated patient without the disease",
  "phantom": "the simulator, the cohort made with it, and the classifier trained on that",
  "SIMULATED": "stands on everything that the simulator made",
  "playlist": "films in an order, with a question about each, for a class, a lesson or a self-test",
  "question": "what a learner is asked about a film of a playlist: which findings, where one is, normal or not, present or absent, which of two",
  "reveal": "what is shown once a question was answered: truth with its source, masks or boxes, what the models say, the nearest cases"
};

// Every word with its meaning, in the order of the glossary.
export const WORDS = Object.entries(GLOSSARY);

// The meaning of a word, empty where it has none; a capital at its beginning does not matter.
export const meaning = (word) => GLOSSARY[word] ?? GLOSSARY[word.toLowerCase()] ?? "";

// An element with the meaning of a word as its tooltip, before what it says itself.
export function explained(element, word) {
  element.title = [meaning(word), element.title].filter(Boolean).join(". ");
  return element;
}

const PRESSED = "button, summary, a"; // these take the focus themselves

// A word where it stands as a heading or a name: underlined, and explained to the keyboard and to a finger, too (term_tip.js).
// `inside`: it stands in something that takes the focus already.
export function term(element, word, inside = false) {
  if (!meaning(word)) return element;
  explained(element, word).classList.add("term");
  if (!inside && !element.matches(PRESSED)) element.tabIndex = 0;
  return element;
}
