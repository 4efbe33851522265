"""Shares of pairs, n, the furthest ones and their intervals against plain loops over random cohorts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.comparisons.co_occurrence import (
    MAX_LISTED_PAIRS,
    FindingPair,
    co_occurrence,
    extreme_pairs,
    pairs_with_intervals,
)
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.resamples import resamples_of
from explorer.store.slices import Slice
from tests.support.lasting_store import loaded_store
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])
SEEDS = [5, 12, 31]


def joint_of(place: Path, seed: int) -> JointScores:
    return joint_scores(store_of(write_several(place, seed, 120).folder), CHOSEN, MODELS)


def films_that_count(joint: JointScores, model: int, given: int, other: int) -> list[int]:
    return [
        film
        for film in range(len(joint.labels))
        if not np.isnan(joint.labels[film, [given, other]]).any()
        and min(joint.called[model, film, [given, other]]) >= 0
    ]


def share(joint: JointScores, films: list[int], says: np.ndarray, given: int, other: int, natural: bool) -> float:
    first = [film for film in films if says[film, given] == 1]
    weights = [joint.weights[film] if natural else 1 for film in first]
    if not first:
        return float("nan")
    return sum(w for film, w in zip(first, weights, strict=True) if says[film, other] == 1) / sum(weights)


def rate(joint: JointScores, films: list[int], says: np.ndarray, other: int, natural: bool) -> float:
    weights = [joint.weights[film] if natural else 1 for film in films]
    if not films:
        return float("nan")
    return sum(w for film, w in zip(films, weights, strict=True) if says[film, other] == 1) / sum(weights)


@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_shares_and_n_are_those_of_films_where_both_are_known_and_called(
    tmp_path: Path, seed: int, natural: bool
) -> None:
    joint = joint_of(tmp_path, seed)
    for model in range(len(MODELS)):
        found = co_occurrence(joint, model, natural=natural)
        for given, other in np.ndindex(found.labels.shape):
            at = given, other
            if given == other:
                assert np.isnan(found.labels[at]) and np.isnan(found.calls[at]) and found.labeled[at] == 0
                continue
            films = films_that_count(joint, model, given, other)
            wanted = share(joint, films, joint.labels, given, other, natural)
            assert found.labels[at] == pytest.approx(wanted, nan_ok=True)
            wanted = share(joint, films, joint.called[model], given, other, natural)
            assert found.calls[at] == pytest.approx(wanted, nan_ok=True)
            for says, rates in ((joint.labels, found.label_rates), (joint.called[model], found.call_rates)):
                assert rates[at] == pytest.approx(rate(joint, films, says, other, natural), nan_ok=True)
            raised = (found.calls[at] - found.call_rates[at]) - (found.labels[at] - found.label_rates[at])
            assert found.difference[at] == pytest.approx(raised, nan_ok=True)
            assert found.labeled[at] == sum(joint.labels[film, given] == 1 for film in films)
            assert found.called[at] == sum(joint.called[model, film, given] == 1 for film in films)


def test_a_finding_that_no_film_has_gives_no_share_of_labels(tmp_path: Path) -> None:
    joint = joint_of(tmp_path, 5)
    hernia = joint.findings.index("Hernia")
    found = co_occurrence(replace(joint, called=np.maximum(joint.called, 0)), 0)  # a threshold for every finding
    assert np.isnan(found.labels[hernia]).all() and not found.labeled[hernia].any()
    others = found.labels[np.arange(len(found.findings)) != hernia, hernia]
    assert (others == 0).all(), "beside others it is never labeled: 0, not undefined"


def test_a_finding_that_is_called_on_every_film_is_in_no_excess(tmp_path: Path) -> None:
    joint = joint_of(tmp_path, 5)
    called = np.maximum(joint.called, 0)
    called[0, :, 1] = 1
    labels = np.where(np.isnan(joint.labels), 0, joint.labels)
    labels[:, 1] = 0
    found = co_occurrence(replace(joint, called=called, labels=labels), 0)
    others = found.difference[np.arange(len(found.findings)) != 1, 1]
    assert others[~np.isnan(others)] == pytest.approx(0) and (~np.isnan(others)).any()


def test_a_model_without_thresholds_calls_nothing(tmp_path: Path) -> None:
    joint = joint_of(tmp_path, 5)
    found = co_occurrence(replace(joint, called=np.full_like(joint.called, -1)), 0)
    assert not found.called.any() and np.isnan(found.difference).all() and np.isnan(found.call_rates).all()
    assert extreme_pairs(found, 1) == ((), ())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_furthest_pairs_have_enough_films_and_stand_in_order(tmp_path: Path, seed: int) -> None:
    found = co_occurrence(joint_of(tmp_path, seed), 1)
    few = 8
    often, rarely = extreme_pairs(found, few)
    enough = (found.labeled >= few) & (found.called >= few)
    values = np.sort(found.difference[enough & ~np.isnan(found.difference)])
    assert [pair.value for pair in often] == values[values > 0][::-1][:MAX_LISTED_PAIRS].tolist()
    assert [pair.value for pair in rarely] == values[values < 0][:MAX_LISTED_PAIRS].tolist()
    for pair in (*often, *rarely):
        assert enough[pair.given, pair.other] and np.isnan(pair.low)


@pytest.mark.parametrize(("cohort", "model", "natural"), [("nih-oof", "nih-mini", False), ("phantom", "phantom", True)])
def test_intervals_are_about_as_wide_as_those_of_resampled_patients(cohort: str, model: str, natural: bool) -> None:
    joint = joint_scores(loaded_store(), Slice(cohort, model), (model,))
    found = co_occurrence(joint, 0, natural=natural)
    rates = np.stack([found.calls, found.call_rates, found.labels, found.label_rates]).min(axis=0)
    clear = (found.labeled >= 30) & (found.called >= 30) & (rates > 0.1)
    pairs = [FindingPair(*pair, float(found.difference[tuple(pair)])) for pair in np.argwhere(clear).tolist()]
    widths = []
    for pair in pairs_with_intervals(joint, 0, pairs, natural=natural):
        low, high = resampled(joint, pair, natural)
        assert pair.low < pair.value < pair.high
        widths.append((pair.high - pair.low) / (high - low))
    assert len(widths) >= 40 and 0.95 < np.median(widths) < 1.05


def resampled(joint: JointScores, pair: FindingPair, natural: bool) -> tuple[float, float]:
    """The 95 % percentile interval over resamples of whole patients."""
    at = [pair.given, pair.other]
    calls, has = joint.called[0][:, at], joint.labels[:, at]
    both = (calls >= 0).all(axis=1) & ~np.isnan(has).any(axis=1)
    sums = [each for says in (calls == 1, has == 1) for each in (says.all(axis=1), says[:, 0], says[:, 1])]
    columns = np.stack([both, *(both & each for each in sums)], axis=1).astype(np.float64)

    def excess_of(counts: np.ndarray) -> np.ndarray:
        films, *of = (counts @ columns).T
        return ((of[0] / of[1] - of[2] / films) - (of[3] / of[4] - of[5] / films))[:, None]

    drawn = resamples_of(len(both), 1000, 0, joint.patients, joint.weights if natural else None)
    return percentile_interval(drawn.evaluate(excess_of)[:, 0], 100)


def test_one_patient_has_no_interval_and_no_pairs_need_none(tmp_path: Path) -> None:
    joint = joint_of(tmp_path, 5)
    alone = replace(joint, patients=np.zeros_like(joint.patients))
    pair = FindingPair(0, 1, 0.1)
    (found,) = pairs_with_intervals(alone, 0, (pair,))
    assert np.isnan(found.low) and np.isnan(found.high)
    assert pairs_with_intervals(joint, 0, ()) == ()
