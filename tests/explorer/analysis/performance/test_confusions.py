from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.performance.confusions import ConfusedFinding, confusions, missed_findings
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.rates import Rate, ratio_interval
from explorer.store.slices import Slice
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

CUTS = {"Mass": 0.5, "Normal": 0.5, "Edema": 0.5}
SMALL = Slice(NAME, MODEL)


def films_of(seed: int, n: int) -> list[Film]:
    dice = np.random.default_rng(seed)
    return [
        Film(
            f"film {number:03}",
            {finding: str(dice.choice(["present", "absent", "unknown"])) for finding in CUTS},
            {finding: float(dice.random()) for finding in (*CUTS, "No cut") if dice.random() < 0.9},
            center=str(dice.choice(["a", "b"])),
        )
        for number in range(n)
    ]


def is_miss(film: Film) -> bool:
    return film.labels["Mass"] == "present" and np.float32(film.scores.get("Mass", 1.0)) < 0.5


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_confused_with_is_counted_film_by_film(tmp_path_factory: pytest.TempPathFactory, seed: int, n: int) -> None:
    films = films_of(seed, n)
    store = store_of(write_small(tmp_path_factory.mktemp("small"), films, CUTS))
    found = confusions(store, SMALL, "Mass")
    misses = [film for film in films if is_miss(film)]
    positives = [film for film in films if film.labels["Mass"] == "present" and "Mass" in film.scores]
    assert found.misses == Rate(len(misses), len(positives))
    assert "Mass" not in {other.finding for other in found.confused}
    for other in found.confused:
        scored = [film for film in films if other.finding in film.scores]
        called = [np.float32(film.scores[other.finding]) >= 0.5 for film in scored]
        missed = [is_miss(film) for film in scored]
        both = sum(call and miss for call, miss in zip(called, missed, strict=True))
        assert other.among == Rate(both, sum(missed))
        assert other.base == Rate(sum(called), len(scored))
        assert other.rest == Rate(sum(called) - both, len(scored) - sum(missed))
    differences = [other.difference for other in found.confused]
    assert differences == sorted(differences, reverse=True)


def test_film_filters_stay_and_the_group_of_the_others_goes(tmp_path: Path) -> None:
    store = store_of(write_small(tmp_path, films_of(3, 60), CUTS))
    asked = Slice(NAME, MODEL, group=FrequencyGroup.RARE, outcomes=(Outcome.HIT,), finding="Mass", center="a", low=0.9)
    assert confusions(store, asked, "Mass") == confusions(store, Slice(NAME, MODEL, center="a"), "Mass")
    assert [finding for finding, _ in missed_findings(store, asked)] == ["Mass"]


def test_candidates_have_positives_and_the_most_misses_come_first(tmp_path: Path) -> None:
    store = store_of(write_small(tmp_path, films_of(4, 80), CUTS))
    found = missed_findings(store, SMALL)
    assert {finding for finding, _ in found} <= set(CUTS)
    assert [rate.hits for _, rate in found] == sorted((rate.hits for _, rate in found), reverse=True)
    assert all(rate.n for _, rate in found)
    assert dict(found)["Mass"] == confusions(store, SMALL, "Mass").misses


def test_misses_are_compared_with_the_other_films() -> None:
    other = ConfusedFinding("Edema", among=Rate(8, 10), rest=Rate(20, 100), base=Rate(28, 110))
    assert other.ratio == pytest.approx(4)
    assert other.difference == pytest.approx(0.6)
    assert other.ratio_interval is not None and other.ratio_interval[0] < 4 < other.ratio_interval[1]
    never = ConfusedFinding("Edema", among=Rate(1, 10), rest=Rate(0, 100), base=Rate(1, 110))
    assert never.ratio is None and never.ratio_interval is not None and math.isinf(never.ratio_interval[1])
    nothing = ConfusedFinding("Edema", among=Rate(0, 0), rest=Rate(20, 100), base=Rate(20, 100))
    assert (nothing.ratio, nothing.ratio_interval, nothing.difference) == (None, None, 0)


def test_the_interval_of_a_ratio_holds_the_truth_95_times_of_100() -> None:
    dice, held, n = np.random.default_rng(0), 0, 1000
    for few, many in zip(dice.binomial(40, 0.4, n), dice.binomial(500, 0.2, n), strict=True):
        interval = ratio_interval(Rate(int(few), 40), Rate(int(many), 500))
        assert interval is not None
        held += interval[0] <= 2 <= interval[1]
    assert 0.93 <= held / n <= 0.97
