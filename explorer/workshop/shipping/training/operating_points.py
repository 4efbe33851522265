"""Chooses operating points and calibration on validation films, and measures them on independent test films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from explorer.simulator.request import NORMAL
from models.array_types import Float32
from models.cards.card import CardPoint, FindingFree, Platt, UnsureBand
from models.statistics import unsure_band, youden_threshold
from models.training.finding_free import finding_free
from models.training.nih.result import platt_calibration

FINDING_FREE_FILMS = "test films without findings"
PHANTOM_THRESHOLD_RULE = "Youden's J on the validation films of the phantom, counted on its test films"


@dataclass(frozen=True, slots=True, eq=False)
class LabeledOutputs:
    """Exact labels of films, and their logits or margins, both (n, findings)."""

    labels: Float32
    values: Float32


def choose_points(validation: LabeledOutputs, test: LabeledOutputs, findings: Sequence[str]) -> dict[str, CardPoint]:
    """Return the operating point of every finding that some films in each part have and others lack."""
    found = {}
    for k, finding in enumerate(findings):
        chosen, counted = (part.labels[:, k] > 0.5 for part in (validation, test))
        if any(len(np.unique(present)) < 2 for present in (chosen, counted)):
            continue
        threshold = round(youden_threshold(chosen, validation.values[:, k]), 6)
        flagged = test.values[:, k] >= threshold
        found[finding] = CardPoint(
            threshold=threshold,
            rule=PHANTOM_THRESHOLD_RULE,
            sensitivity=round(float(flagged[counted].mean()), 4),
            specificity=round(float((~flagged[~counted]).mean()), 4),
            positives=int(counted.sum()),
            negatives=int((~counted).sum()),
        )
    return found


def choose_bands(
    validation: LabeledOutputs, findings: Sequence[str], chosen: Mapping[str, CardPoint]
) -> dict[str, UnsureBand]:
    """Return the unsure bands on scores."""
    found = {}
    for finding, point in chosen.items():
        k = findings.index(finding)
        band = unsure_band(validation.labels[:, k] > 0.5, validation.values[:, k], point.threshold)
        if band is not None:
            found[finding] = UnsureBand(*(round(cut, 6) for cut in band))
    return found


def finding_free_on(
    test: LabeledOutputs,
    findings: Sequence[str],
    chosen: Mapping[str, CardPoint],
    unsure: Mapping[str, UnsureBand],
    patients: NDArray[np.str_],
) -> FindingFree:
    """Count flagged and unsure findings on films without any; only findings in `chosen` count. `patients` is (n,)."""
    free = test.labels[:, findings.index(NORMAL)] > 0.5
    names = [finding for finding in chosen if finding != NORMAL]
    values = test.values[free][:, [findings.index(name) for name in names]]
    cuts = [unsure.get(name, UnsureBand(chosen[name].threshold, chosen[name].threshold)) for name in names]
    high = np.array([band.high for band in cuts])
    inside = (values >= np.array([band.low for band in cuts])) & (values < high)
    return finding_free(values >= high, inside, patients[free], FINDING_FREE_FILMS)


def calibrations(
    validation: LabeledOutputs, findings: Sequence[str], chosen: Mapping[str, CardPoint]
) -> dict[str, Platt]:
    """Return Platt's calibration of logits, at the prevalence of the validation films."""
    places = {finding: findings.index(finding) for finding in chosen}
    return {
        name: platt_calibration(validation.labels[:, k] > 0.5, validation.values[:, k]) for name, k in places.items()
    }


def with_scores(part: LabeledOutputs) -> LabeledOutputs:
    """Return the part with its logits replaced by scores from 0 to 1."""
    return LabeledOutputs(part.labels, expit(part.values.astype(np.float64)).astype(np.float32))
