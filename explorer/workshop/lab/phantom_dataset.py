"""Converts sampled cases and their pixels to the arrays that `models.training` uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, SampledCase, has_finding, training_labels
from explorer.simulator.hedging import hedged_findings
from explorer.simulator.request import ABNORMAL, GLOBAL
from explorer.workshop.lab.phantom_shard import RenderedPixels
from models.array_types import Float32
from models.training.films import FindingMasks, TrainingFilms

ABSENT_LOG_ODDS = -30.0  # log odds of a probability that is practically zero


def exact_labels(cases: Sequence[SampledCase], findings: Sequence[str]) -> Float32:
    """Return the findings on the films (n, findings), 0 or 1."""
    return np.array([[has_finding(case, finding) for finding in findings] for case in cases], dtype=np.float32)


def noted_labels(cases: Sequence[SampledCase]) -> Float32:
    """Return the training labels (n, SEEN), 0 or 1, which miss some findings."""
    noted = [training_labels(case) for case in cases]
    return np.array([[finding in each for finding in SEEN_FINDINGS] for each in noted], dtype=np.float32)


def hedged_labels(cases: Sequence[SampledCase]) -> NDArray[np.bool_]:
    """Return which findings (n, SEEN) the films' reports mention with doubt."""
    hedged = [hedged_findings(case) for case in cases]
    return np.array([[finding in each for finding in SEEN_FINDINGS] for each in hedged])


def finding_masks(pixels: RenderedPixels, labels: Float32, findings: Sequence[str]) -> FindingMasks:
    """Return the masks of the findings that are present in `labels` (n, findings)."""
    column = np.array([findings.index(name) if name in findings else -1 for name in ABNORMAL])
    film, finding = pixels.masked[:, 0], column[pixels.masked[:, 1]]
    noted = (finding >= 0) & (labels[film, finding] > 0.5)
    return FindingMasks(film[noted], finding[noted], pixels.masks[noted], has_site(findings))


def has_site(findings: Sequence[str]) -> NDArray[np.bool_]:
    """Return which of the findings (k,) have a site of their own."""
    return np.array([name in ABNORMAL and name not in GLOBAL for name in findings])


def training_films(
    cases: Sequence[SampledCase], pixels: NDArray[np.uint8], noted: Float32, where: FindingMasks | None = None
) -> TrainingFilms:
    """Return training arrays with the noted labels. All films count as one folder, and none is marked for blurring."""
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


def restrict_to_localized(masks: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return mask head weights in which findings without a site, which were not trained, have a probability of zero."""
    nowhere = torch.from_numpy(~has_site(SEEN_FINDINGS))
    fine = masks["fine.bias"].masked_fill(nowhere, ABSENT_LOG_ODDS)
    weights = {
        name: masks[name].masked_fill(nowhere[:, None, None, None], 0) for name in ("fine.weight", "coarse.weight")
    }
    return {**weights, "fine.bias": fine, "coarse.bias": masks["coarse.bias"].masked_fill(nowhere, 0)}
