"""The models that ship."""

from __future__ import annotations

# Of the cohort nih-oof, in the order of their names.
OF_NIH_OOF = (
    "nih-anatomy-probe",
    "nih-ensemble",
    "nih-linear-probe",
    "nih-mini",
    "nih-mini-vlm",
    "nih-phantom",
    "nih-phantom-20000",
)
