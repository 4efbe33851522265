"""The NIH classifiers, trained on the same films in the same folds: the ensemble, its members, and one beside it."""

from __future__ import annotations

NIH_ENSEMBLE = "nih-ensemble"
# Equal weights, because no film is left on which to choose them.
ENSEMBLE_WEIGHTS = dict.fromkeys(("nih-mini", "nih-phantom", "nih-phantom-20000", "nih-linear-probe"), 1.0)
NIH_CLASSIFIERS = (*ENSEMBLE_WEIGHTS, NIH_ENSEMBLE, "nih-anatomy-probe")
