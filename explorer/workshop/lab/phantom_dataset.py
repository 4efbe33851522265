"""Cases and their pixels as the films that `models.training` is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from explorer.simulator.cohort_sampling import SEEN, SampledCase, labels, training_labels
from explorer.simulator.request import ABNORMAL, GLOBAL
from explorer.workshop.lab.phantom_shard import Pixels
from models.array_types import Float32
from models.training.films import FindingMasks, TrainingFilms

NOWHERE = -30.0  # log odds: no probability that shows


def exact_labels(cases: Sequence[SampledCase], findings: Sequence[str]) -> Float32:
    """What the films show (n, findings), 0 or 1."""
    return np.array([[labels(case, finding) for finding in findings] for case in cases], dtype=np.float32)


def noted_labels(cases: Sequence[SampledCase]) -> Float32:
    """The labels that training gets (n, SEEN), 0 or 1: some findings are missed in them."""
    noted = [training_labels(case) for case in cases]
    return np.array([[finding in each for finding in SEEN] for each in noted], dtype=np.float32)


def masks(pixels: Pixels, labels: Float32, findings: Sequence[str]) -> FindingMasks:
    """Where the findings lie that `labels` (n, findings) say the films have."""
    column = np.array([findings.index(name) if name in findings else -1 for name in ABNORMAL])
    film, finding = pixels.masked[:, 0], column[pixels.masked[:, 1]]
    noted = (finding >= 0) & (labels[film, finding] > 0.5)
    return FindingMasks(film[noted], finding[noted], pixels.masks[noted], located(findings))


def located(findings: Sequence[str]) -> NDArray[np.bool_]:
    """Which of the findings (k,) have a place of their own."""
    return np.array([name in ABNORMAL and name not in GLOBAL for name in findings])


def films(
    cases: Sequence[SampledCase], pixels: NDArray[np.uint8], noted: Float32, where: FindingMasks | None = None
) -> TrainingFilms:
    """Films with the labels noted for them. Nothing says which center a film is from; none may lose sharpness."""
    patients = [case.patient for case in cases]
    traits = [[each.view == "AP", each.sex == "M", each.age / 100] for each in patients]
    return TrainingFilms(
        image_ids=tuple(case.film.case for case in cases),
        paths=(),
        pixels=pixels,
        labels=noted,
        patients=np.array([case.film.case for case in cases]),
        folders=np.full(len(cases), "phantom"),
        sharp=np.zeros(len(cases), dtype=bool),
        traits=np.array(traits, dtype=np.float32),
        masks=where,
    )


def of_places(masks: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A mask head that says nowhere of findings without a place of their own, which it was never told of."""
    nowhere = torch.from_numpy(~located(SEEN))
    fine = masks["fine.bias"].masked_fill(nowhere, NOWHERE)
    weights = {
        name: masks[name].masked_fill(nowhere[:, None, None, None], 0) for name in ("fine.weight", "coarse.weight")
    }
    return {**weights, "fine.bias": fine, "coarse.bias": masks["coarse.bias"].masked_fill(nowhere, 0)}
