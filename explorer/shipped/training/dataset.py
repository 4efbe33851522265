"""Cases and their pixels as the films that `models.training` is given."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.cohort_sampling import SEEN, SampledCase, labels, training_labels
from models.training.films import Films

Floats = NDArray[np.float32]


def exact_labels(cases: Sequence[SampledCase], findings: Sequence[str]) -> Floats:
    """What the films show (n, findings), 0 or 1."""
    return np.array([[labels(case, finding) for finding in findings] for case in cases], dtype=np.float32)


def noted_labels(cases: Sequence[SampledCase]) -> Floats:
    """The labels that training gets (n, SEEN), 0 or 1: some findings are missed in them."""
    noted = [training_labels(case) for case in cases]
    return np.array([[finding in each for finding in SEEN] for each in noted], dtype=np.float32)


def films(cases: Sequence[SampledCase], pixels: NDArray[np.uint8], noted: Floats) -> Films:
    """Films with the labels noted for them. Nothing says which center a film is from; none may lose sharpness."""
    patients = [case.patient for case in cases]
    traits = [[each.view == "AP", each.sex == "M", each.age / 100] for each in patients]
    return Films(
        image_ids=tuple(case.film.case for case in cases),
        paths=(),
        pixels=pixels,
        labels=noted,
        patients=np.array([case.film.case for case in cases]),
        folders=np.full(len(cases), "phantom"),
        sharp=np.zeros(len(cases), dtype=bool),
        traits=np.array(traits, dtype=np.float32),
    )
