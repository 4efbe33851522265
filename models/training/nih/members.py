"""Which classifiers of the NIH's films answer together, and what they are called then."""

from __future__ import annotations

ENSEMBLE = "nih-ensemble"
# Equal: no film is left on which weights could be chosen.
MEMBERS = dict.fromkeys(("nih-mini", "nih-phantom", "nih-phantom-20000", "nih-linear-probe"), 1.0)
