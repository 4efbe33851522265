"""Obuchowski and Rockette's analysis: a published study, and studies in which nothing differs."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.core.arrays import Floats
from explorer.metrics.delong import delong
from explorer.metrics.multireader import multireader, readers_against_model
from explorer.metrics.reader_power import POWER, cases_needed, study_power
from tests.support.van_dyke import RATINGS, TRUTH


def test_a_published_study_gives_the_published_figures() -> None:
    found = multireader(TRUTH, RATINGS)
    between, _, interaction = found.mean_squares
    assert (between, interaction) == pytest.approx((0.004796171, 0.0005510306), rel=1e-6)
    assert found.error_variance == pytest.approx(0.0007921325, rel=1e-6)
    assert found.covariances == pytest.approx((0.0003420090, 0.0003395265, 0.0002358497), rel=1e-6)
    assert found.equality() == pytest.approx((4.484854, 1, 15.06611, 0.05123303), rel=1e-6)
    apart = found.difference(0, 1)
    assert (apart.value, apart.error, apart.p) == pytest.approx((-0.04380032, 0.0206825, 0.05123303), rel=1e-6)
    assert (apart.low, apart.high) == pytest.approx((-0.0878671960, 0.0002665519), rel=1e-6)
    means = [
        (0.8970370, 0.03307642, 12.59597, 0.8253461, 0.9687280),
        (0.9408374, 0.02150464, 12.56530, 0.8942155, 0.9874592),
    ]
    for modality, published in enumerate(means):
        mean = found.mean(modality)
        assert (mean.value, mean.error, mean.freedom, mean.low, mean.high) == pytest.approx(published, rel=1e-6)
        assert np.isnan(mean.p)


def test_one_reader_in_two_modalities_is_delongs_paired_test() -> None:
    ratings = RATINGS[:, :1]
    ours = multireader(TRUTH, ratings).difference(0, 1, "fixed")
    theirs = delong(TRUTH, ratings[:, 0]).difference(0, 1)
    assert (ours.value, ours.low, ours.high, ours.p) == pytest.approx(
        (theirs.value, theirs.low, theirs.high, theirs.p), rel=1e-4
    )


def test_a_model_against_fixed_readers_is_a_contrast_of_correlated_areas() -> None:
    model = RATINGS[1].mean(0)
    ours = readers_against_model(TRUTH, RATINGS[0], model, "fixed")
    areas = delong(TRUTH, np.concatenate([model[None], RATINGS[0]]))
    contrast = np.array([1, *[-1 / 5] * 5])
    assert ours.value == pytest.approx(float(contrast @ areas.areas))
    assert ours.error**2 == pytest.approx(float(contrast @ areas.covariance @ contrast))
    wider = readers_against_model(TRUTH, RATINGS[0], model)
    assert wider.value == ours.value and wider.high - wider.low > ours.high - ours.low


def null_study(random: np.random.Generator, modalities: int, readers: int, cases: int) -> tuple[Floats, Floats]:
    """A study after Roe and Metz (Academic Radiology 1997; 4: 298): modalities are equally good, readers are not."""
    truth = np.repeat([0, 1], cases // 2)
    skill = random.normal(0, 0.15, (1, readers, 1)) * truth
    of_case, with_reader = random.normal(0, 0.55, cases), random.normal(0, 0.45, (1, readers, cases))
    in_modality = random.normal(0, 0.45, (modalities, 1, cases))
    rest = random.normal(0, 0.54, (modalities, readers, cases))
    return truth.astype(float), 1.5 * truth + skill + of_case + with_reader + in_modality + rest


def test_modalities_that_are_equal_are_told_apart_in_one_of_twenty_studies() -> None:
    random = np.random.default_rng(11)
    p = [multireader(*null_study(random, 2, 5, 80)).difference(0, 1).p for _ in range(500)]
    assert 0.03 <= np.mean(np.array(p) < 0.05) <= 0.07


def test_a_model_as_good_as_the_readers_is_told_apart_in_one_of_twenty_studies() -> None:
    random, rejected = np.random.default_rng(12), []
    for _ in range(500):
        truth, ratings = null_study(random, 1, 6, 80)
        model = 1.5 * truth + random.normal(0, 1, 80)
        rejected.append(readers_against_model(truth, ratings[0], model).p < 0.05)
    assert 0.03 <= np.mean(rejected) <= 0.07


def test_more_readers_need_fewer_cases_and_the_power_is_that_of_studies() -> None:
    earlier = multireader(TRUTH, RATINGS)
    needed = [cases_needed(earlier, len(TRUTH), 0.05, readers) for readers in (3, 5, 10)]
    assert needed[0] is None and needed[1] is not None and needed[2] is not None and needed[1] > needed[2]
    assert study_power(earlier, len(TRUTH), 0.05, 5, needed[1]) >= POWER
    assert study_power(earlier, len(TRUTH), 0.05, 5, needed[1] - 1) < POWER
    assert study_power(earlier, len(TRUTH), 1e-9, 5, 114) == pytest.approx(0.05, abs=1e-6)


def test_what_has_no_variance_is_undefined() -> None:
    alone = multireader(TRUTH, RATINGS[:1, :1])
    assert np.isnan(alone.mean(0).error) and alone.mean(0, "fixed").error > 0
    with pytest.raises(ValueError, match=r"Ratings must be \(modalities, readers, cases\)"):
        multireader(TRUTH, RATINGS[0])
