"""Thresholds are chosen on validation films and counted on test films."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.workshop.shipping.training.operating_points import (
    PHANTOM_THRESHOLD_RULE,
    LabeledOutputs,
    calibrations,
    choose_bands,
    choose_points,
    with_scores,
)

FINDINGS = ("Mass", "Nodule", "Goiter")


def part(seed: int, films: int) -> LabeledOutputs:
    """Mass lies one deviation above the rest, Nodule nowhere, and nobody has Goiter."""
    random = np.random.default_rng(seed)
    labels = (random.random((films, 3)) < (0.3, 0.2, 0)).astype(np.float32)
    said = random.normal(size=(films, 3)).astype(np.float32)
    said[:, 0] += 2 * labels[:, 0]
    return LabeledOutputs(labels, said)


def test_rates_are_of_films_that_did_not_choose() -> None:
    validation, test = part(0, 4000), part(1, 3000)
    found = choose_points(validation, test, FINDINGS)
    assert list(found) == ["Mass", "Nodule"]  # of Goiter nothing can be chosen
    mass = found["Mass"]
    assert mass.threshold == pytest.approx(1, abs=0.25) and mass.rule == PHANTOM_THRESHOLD_RULE
    present, called = test.labels[:, 0] > 0.5, test.values[:, 0] >= mass.threshold
    assert (mass.positives, mass.negatives) == (present.sum(), (~present).sum())
    assert mass.sensitivity == pytest.approx(called[present].mean(), abs=1e-4)
    assert mass.specificity == pytest.approx((~called[~present]).mean(), abs=1e-4)


def test_bands_hold_their_threshold_and_calibrations_are_of_validation() -> None:
    validation, test = part(0, 4000), part(1, 3000)
    chosen = choose_points(with_scores(validation), with_scores(test), FINDINGS)
    for finding, band in choose_bands(with_scores(validation), FINDINGS, chosen).items():
        assert 0 < band.low <= chosen[finding].threshold <= band.high < 1
    fitted = calibrations(validation, FINDINGS, chosen)
    assert fitted["Mass"].slope == pytest.approx(2, rel=0.1)  # log likelihood ratio 2 x - 2
    assert fitted["Mass"].prevalence == pytest.approx(validation.labels[:, 0].mean(), abs=1e-4)
