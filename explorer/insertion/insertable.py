"""Which findings can be put into a film, and on which sides. Imports nothing, unlike what puts them in."""

from __future__ import annotations

FOCAL = ("Nodule", "Mass")  # keep their shape, and can be put at a point
ALONG_THE_LUNG = (
    "Pleural Effusion",
    "Pneumothorax",
    "Alveolar Pattern",
    "Bulla",
    "Calcified Densities",
)  # follow the lung's outline
INSERTABLE = (*FOCAL, *ALONG_THE_LUNG)
SIDES = ("right", "left")
