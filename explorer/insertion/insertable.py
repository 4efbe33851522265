"""Which findings can be put into a film, on which sides, and at how many places they are counted. Imports nothing."""

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
PLACES_PER_FILM = 12  # of focal findings over the lungs, where detectability is counted
HEART_PLACES_PER_FILM = 4  # about as many for its area
