"""The members and the name of the ensemble of NIH classifiers."""

from __future__ import annotations

ENSEMBLE = "nih-ensemble"
# Equal weights, because no film is left on which to choose them.
MEMBERS = dict.fromkeys(("nih-mini", "nih-phantom", "nih-phantom-20000", "nih-linear-probe"), 1.0)
