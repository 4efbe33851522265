"""The members and the name of the ensemble of NIH classifiers."""

from __future__ import annotations

NIH_ENSEMBLE = "nih-ensemble"
# Equal weights, because no film is left on which to choose them.
ENSEMBLE_WEIGHTS = dict.fromkeys(("nih-mini", "nih-phantom", "nih-phantom-20000", "nih-linear-probe"), 1.0)
