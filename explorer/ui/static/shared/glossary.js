// The meanings of the page's words, as in docs/glossary.md, for tooltips and the help page.

const GLOSSARY = {
  "finding": "what a label or a score describes, such as Mass or Pleural Effusion; includes \"Normal\"; a cohort may have findings of any name",
  "film": "one radiograph, decoded to the canonical image that every model of this project sees",
  "case": "a film of a cohort, with its labels and scores",
  "cohort": "films with labels and models' scores",
  "study": "the films of one examination, often a frontal and a lateral; its score is the highest of theirs, or their mean",
  "center": "the hospital or source of a film",
  "view": "how the film was taken: PA, AP, lateral",
  "pair": "one film and one finding; a slice is a set of pairs",
  "slice": "the pairs that pass the filters, stated as a sentence",
  "score": "a model's output, from 0 to 1; called a probability only if it was calibrated on other films",
  "threshold": "the score from which a finding is called present",
  "threshold in force": "the model's own threshold, or one chosen on this machine; it determines the outcomes",
  "in-sample thresholds": "chosen on some of these very films, so rates at them are optimistic",
  "cross-fitted": "each film's threshold was chosen on patients of other folds",
  "log odds": "the logarithm of score / (1 - score); its distance from the threshold's sorts films, largest errors first",
  "mark": "a star, tag, note or list of a case, kept on this machine",
  "operating point": "a threshold with its rates on the films it was chosen on",
  "margin": "score minus threshold; for a typed finding, how much better the film fits the positive than the negative prompts",
  "none of these": "a film whose labels are all absent: a true negative for each finding",
  "outcome": "hit, miss, false alarm or correct rejection",
  "flagged": "the score reaches a cutoff that at most one in ten films without the finding reach; how often flags are correct depends on prevalence",
  "prevalence": "the share of films with the finding",
  "hit": "called present and labeled present",
  "miss": "labeled present but not called present",
  "false alarm": "called present but labeled absent",
  "correct rejection": "not called present and labeled absent",
  "sensitivity": "the share of films with the finding that are called present",
  "specificity": "the share of films without the finding that are not called present",
  "chance": "the value for a model that knows nothing: the prevalence for AP, 0.50 for AUROC",
  "AP": "average precision: the area under the stepwise precision-recall curve; it depends on prevalence",
  "AUROC": "the area under the ROC curve; it does not depend on prevalence",
  "n": "the number of films behind a figure",
  "n+": "the number of films with the finding behind a figure",
  "DeLong": "the difference of two AUROCs with an interval and p from their structural components, films of a patient counted together",
  "ECE": "expected calibration error: how far scores are from the rate of positives among films with similar scores, in 15 bins; lower is better",
  "F1": "twice the hits divided by the sum of positives and calls, at the threshold in force",
  "precision": "the share of called films that have the finding",
  "P(first)": "how often a model is the best over resamples shared by all models; mAUROC breaks ties",
  "interval": "95 %: Wilson's for rates, films of a patient counted together; for other figures, percentiles of 1,000 resamples of whole patients",
  "cost of a slice": "the gain in sensitivity or specificity over all films, in percentage points, if the model did as well in the slice as elsewhere",
  "facet": "a value of a filter: AP films, women, severity faint",
  "embedding": "the numbers by which a model distinguishes films",
  "spectrum": "how much of a film's detail is coarse or fine: its sharpness and noise, whatever it shows",
  "adjusted p": "the expected share of false positives among all differences called significant at this level (Benjamini and Hochberg)",
  "frequency group": "common, medium, rare or very rare, by the paper's tables or by cutoffs on a stated table or the cohort's own labels",
  "taxonomy": "the label list of a dataset or challenge, in its own spelling and order",
  "crosswalk": "a taxonomy's labels compared with a cohort's findings: which are the same, broader or narrower, and by which source",
  "broader, narrower": "a finding is broader than another if every film with the other has it: Lung Opacity is broader than Consolidation",
  "percentile": "the share of other films that score lower; ties count half",
  "rank": "the share of other films that score lower for the finding",
  "seen, unseen": "the 30 findings of CXR-LT 2026 with training films (Task 1), and the 6 without (Task 2, zero-shot)",
  "severity": "how obvious a simulated finding is, from 0 (subtle) to 1 (obvious)",
  "side": "the patient's side of a finding, left or right",
  "size": "the share of the film that a finding's mask covers",
  "findings per film": "findings labeled present on the film; Normal, Support Devices, and uncertain or unknown labels do not count",
  "in-sample": "the model was trained on these same films: figures are optimistic",
  "possibly in-sample": "the model was trained on films of this center, perhaps these: figures may be optimistic",
  "internal": "films of other patients from a center that the model was trained on",
  "external by name": "the model's card lists no films of this center; their origin was not checked",
  "external": "films of a center that the model never saw",
  "uncertain": "the score reaches the threshold, but so do the scores of more than one in ten films without the finding",
  "not flagged": "the score is below the threshold; the finding may still be present",
  "cannot judge": "the model may rank films with and without the finding no better than chance, so its score means nothing",
  "likely, possible": "how often flags were correct. Likely: the interval's lower end reaches 50 %; possible: the rate reaches 20 %, its lower end 10 %",
  "seldom correct": "fewer than 20 % of the test films nearest in score had it, or perhaps fewer than 10 %: not in the headline",
  "too few films": "fewer than 10 test films are flagged for the finding, too few to say how often that is correct",
  "unreliable": "a finding whose score may mean something else, according to the model's card",
  "training film": "a film that the model was trained on, so its scores are in-sample",
  "unseen score": "the score of a model that was trained the same way without this film",
  "gate": "decides whether a model may read a film, and says why",
  "heat map": "where a score comes from, or where a mask head places the finding, by the method that the page names",
  "mask head": "a part of a network that learned from masks where findings are; its maps do not explain a score",
  "hit of a heat map": "the map's maximum is inside the finding's mask (pointing game)",
  "map of films": "films arranged by a model's features in two dimensions: films close together look alike to the model; other distances mean nothing",
  "usual place": "where the finding is on most other films: the maximum of its mean mask, without any model",
  "twin": "the same simulated patient without the disease",
  "phantom": "the simulator, the cohort made with it, and the classifier trained on that",
  "SIMULATED": "marks everything that the simulator made",
  "playlist": "an ordered set of films, with a question about each, for a class, a lesson or a self-test",
  "question": "a learner's task for a film of a playlist: which findings, where one is, normal or not, present or absent, which of two",
  "reveal": "what appears once a question is answered: truth with its source, masks or boxes, what the models say, the nearest cases"
};

// Each word with its meaning, in the order of the glossary.
export const GLOSSARY_WORDS = Object.entries(GLOSSARY);

// The meaning of a word, or an empty string; its first letter may be a capital.
export const findMeaning = (word) => GLOSSARY[word] ?? GLOSSARY[word.toLowerCase()] ?? "";

// Adds the meaning of a word to an element's tooltip, before the tooltip's own text.
export function addMeaning(element, word) {
  element.title = [findMeaning(word), element.title].filter(Boolean).join(". ");
  return element;
}

const FOCUSABLE = "button, summary, a"; // these take the focus themselves

// A word as a heading or a name: underlined, and explained to keyboard and touch as well (term_tip.js).
// `inside`: it is part of an element that takes the focus.
export function markTerm(element, word, inside = false) {
  if (!findMeaning(word)) return element;
  addMeaning(element, word).classList.add("term");
  if (!inside && !element.matches(FOCUSABLE)) element.tabIndex = 0;
  return element;
}
