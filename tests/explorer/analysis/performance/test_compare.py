from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit
from sklearn.metrics import f1_score

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.performance.compare import (
    ComparedMeasure,
    SliceComparison,
    add_resampled,
    adjust_comparisons,
    compare_slices,
    finding_sides,
)
from explorer.core.findings import Outcome
from explorer.metrics.bootstrap import bootstrap, difference
from explorer.metrics.metrics import average_precision, ece
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

SMALL = Slice(NAME, MODEL)
CUTS = {"Mass": 0.5}


def compare_with_intervals(store: Store, one: Slice, other: Slice, resamples: int, seed: int) -> SliceComparison:
    """Compare two slices with every interval, as the page has them at last."""
    at_once = compare_slices(store, one, other)
    known = {
        finding: add_resampled(at_once.of(finding), finding_sides(store, one, other, finding), resamples, seed)
        for finding in at_once.findings
    }
    return at_once.knowing(known)


def films_of(seed: int, n: int = 120) -> list[Film]:
    dice = np.random.default_rng(seed)
    return [
        Film(
            f"film {number:03}",
            {"Mass": str(dice.choice(["present", "absent", "unknown"], p=[0.3, 0.6, 0.1]))},
            {"Mass": float(dice.random())},
            patient=f"patient {dice.integers(n // 2)}",
            center=str(dice.choice(["a", "b"])),
            view=str(dice.choice(["PA", "AP"])),
        )
        for number in range(n)
    ]


def pair_of(found: SliceComparison, measure: str, finding: str = "Mass") -> ComparedMeasure:
    (pair,) = (each for each in found.pairs if (each.finding, each.measure) == (finding, measure))
    return pair


def test_the_difference_is_that_of_one_bootstrap_over_the_patients_of_both(tmp_path: Path) -> None:
    films = sorted(films_of(1), key=lambda film: film.case)
    store = store_of(write_small(tmp_path, films, CUTS))
    one, other = Slice(NAME, MODEL, view="PA"), Slice(NAME, MODEL, center="a")
    found = compare_with_intervals(store, one, other, 200, 5)
    sides = [[film.view == "PA" for film in films], [film.center == "a" for film in films]]
    assert found.films == (sum(sides[0]), sum(sides[1]))
    assert found.shared == sum(pa and a for pa, a in zip(*sides, strict=True))
    union = [number for number, _ in enumerate(films) if sides[0][number] or sides[1][number]]
    names: dict[str | None, int] = {}
    units = [names.setdefault(films[number].patient, len(names)) for number in union]

    def drawn(side: list[bool]) -> object:
        known = {"present": 1.0, "absent": 0.0}
        labels = [known.get(films[n].labels["Mass"], np.nan) if side[n] else np.nan for n in union]
        scores = [np.float32(films[n].scores["Mass"]) for n in union]
        return bootstrap(np.array([labels]).T, np.array([scores]).T, average_precision, 200, 5, np.array(units))

    ours, theirs = drawn(sides[0]), drawn(sides[1])
    expected = difference(ours, theirs)  # type: ignore[arg-type]
    pair = pair_of(found, "average precision")
    assert pair.difference.value == pytest.approx(expected.point[0])
    assert pair.difference.interval == pytest.approx((expected.low[0], expected.high[0]))
    assert pair.one.interval == pytest.approx((ours.low[0], ours.high[0]))  # type: ignore[attr-defined]
    rate = pair_of(found, "sensitivity")
    present = [film.scores["Mass"] for film in films if film.view == "PA" and film.labels["Mass"] == "present"]
    assert rate.one.n == len(present) and rate.one.value == pytest.approx(np.mean(np.array(present) >= 0.5))
    assert rate.difference.interval is not None and found.intervals


def test_a_slice_beside_itself_is_the_same_and_has_no_interval(tmp_path: Path) -> None:
    """Every resample gives 0 there, which is no evidence."""
    store = store_of(write_small(tmp_path, films_of(2), CUTS))
    found = compare_with_intervals(store, SMALL, SMALL, 50, 0)
    assert found.shared == found.films[0] == 120
    assert {(pair.difference.value, pair.difference.interval) for pair in found.pairs} == {(0, None)}
    assert not any(pair.difference.marked for each in adjust_comparisons([found]) for pair in each.pairs)


def test_rates_are_counted_whatever_the_model_said(tmp_path: Path) -> None:
    store = store_of(write_small(tmp_path, films_of(3), CUTS))
    misses = Slice(NAME, MODEL, outcomes=(Outcome.MISS,), center="a")
    found = compare_slices(store, misses, Slice(NAME, MODEL, center="b"))
    assert found.one == store.count(misses) and found.one.pairs < found.films[0]
    assert 0 < (pair_of(found, "sensitivity").one.value or 0) < 1
    rate = pair_of(found, "sensitivity")
    assert rate.known and rate.one.interval is not None and rate.difference.interval is not None
    assert not found.intervals and pair_of(found, "AUROC").difference.interval is None


def test_what_one_side_lacks_is_left_out(tmp_path: Path) -> None:
    a = write_small(tmp_path, [Film("x", {"Mass": "present"}, {"Mass": 0.9, "Cyst": 0.1})], CUTS)
    b = write_small(tmp_path, [Film("x", {"Mass": "absent"}, {"Mass": 0.9})], CUTS, name="other")
    found = compare_slices(store_of(a, b), SMALL, Slice("other", MODEL))
    assert found.left_out == ("Cyst",) and {pair.finding for pair in found.pairs} == {"Mass"}
    assert found.shared == 0  # the same name in another cohort is another film
    assert pair_of(found, "sensitivity").difference.value is None  # the other has no positives


def test_films_of_two_cohorts_are_of_other_patients(tmp_path: Path) -> None:
    folders = [write_small(tmp_path, films_of(seed), CUTS, name=name) for seed, name in ((4, NAME), (5, "other"))]
    found = compare_with_intervals(store_of(*folders), SMALL, Slice("other", MODEL), 100, 0)
    assert found.shared == 0
    assert pair_of(found, "average precision").difference.interval is not None


def test_the_job_gives_the_same_and_never_waits() -> None:
    job, start = IntervalsJob(loaded_store(), resamples=30), time.perf_counter()
    one, other = (Slice("nih-oof", "nih-mini", finding="Mass", view=view) for view in ("PA", "AP"))
    assert not job.compared(one, other).intervals
    assert time.perf_counter() - start < 5
    deadline = time.monotonic() + 60
    while not (found := job.compared(one, other)).intervals and time.monotonic() < deadline:
        time.sleep(0.02)
    assert found == compare_with_intervals(loaded_store(), one, other, 30, 0)
    job.close()


def test_f1_and_ece_are_those_of_the_metrics_at_the_thresholds(tmp_path: Path) -> None:
    films = films_of(6)
    store = store_of(write_small(tmp_path, films, CUTS))
    one, other = Slice(NAME, MODEL, view="PA"), Slice(NAME, MODEL, view="AP")
    at_once, found = compare_slices(store, one, other), compare_with_intervals(store, one, other, 60, 1)
    for side, view in (("one", "PA"), ("other", "AP")):
        known = [film for film in films if film.view == view and film.labels["Mass"] != "unknown"]
        truth = np.array([film.labels["Mass"] == "present" for film in known])
        scores = np.array([film.scores["Mass"] for film in known], dtype=np.float32).astype(float)
        expected = f1_score(truth, scores >= 0.5)
        figure = getattr(pair_of(found, "F1"), side)
        assert figure.n == truth.sum() and figure.value == pytest.approx(expected)
        assert getattr(pair_of(at_once, "F1"), side).value == pytest.approx(expected)
        low, high = figure.interval
        assert low < figure.value < high
        bins = np.clip(np.ceil(scores * 15).astype(int) - 1, 0, 14)
        gaps = [abs(scores[bins == k].mean() - truth[bins == k].mean()) * (bins == k).mean() for k in np.unique(bins)]
        figure = getattr(pair_of(found, "ECE"), side)
        assert figure.n == len(known) and figure.value == pytest.approx(sum(gaps))
        assert getattr(pair_of(at_once, "ECE"), side).value is None  # still to come
    for measure in ("F1", "ECE"):
        pair = pair_of(found, measure)
        assert pair.difference.value == pytest.approx((pair.one.value or 0) - (pair.other.value or 0))
        assert pair.difference.interval is not None


@pytest.mark.slow
def test_ece_of_margins_is_of_the_scores_that_they_stand_for() -> None:
    one, other = Slice("phantom", "phantom-vlm", center="A"), Slice("phantom", "phantom", center="A")
    store = loaded_store()
    column, scale = store.column(one, "Cardiomegaly"), store.model("phantom", "phantom-vlm").scale
    assert scale is not None
    expected = ece(column.label[:, None], expit(scale * column.score.astype(float))[:, None])
    sides = finding_sides(store, one, other, "Cardiomegaly")
    (found,) = add_resampled([pair_of(compare_slices(store, one, other), "ECE", "Cardiomegaly")], sides, 20, 0)
    assert found.one.value == pytest.approx(expected[0])
