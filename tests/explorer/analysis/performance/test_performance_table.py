from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.analysis.intervals.intervals_job import IntervalsJob, IntervalsProgress
from explorer.analysis.performance import performance_table
from explorer.analysis.performance.cell_intervals import ALL_CENTERS, CellInterval, finding_intervals
from explorer.analysis.performance.performance_table import build_performance_table, count_table, table_slice
from explorer.cohorts.layout import CACHE, Folder
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.metrics import auroc, average_precision
from explorer.store.slices import Slice
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

SMALL = Slice(NAME, MODEL)
SHIPPED = Slice("nih-oof", "nih-mini")
FINDINGS = ("Mass", "Normal", "Pleural Effusion", "Something else")
LABELS = ("present", "absent", "uncertain", "unknown", None)


def films_of(seed: int, n: int, centers: int) -> list[Film]:
    dice = np.random.default_rng(seed)
    films = []
    for number in range(n):
        center = int(dice.integers(centers))
        said = {finding: LABELS[dice.integers(len(LABELS))] for finding in FINDINGS if center != 2}
        films.append(
            Film(
                f"film {number:03}",
                {finding: label for finding, label in said.items() if label},
                {finding: round(float(dice.random()), 1) for finding in FINDINGS if dice.random() < 0.9},
                patient=f"patient {dice.integers(n)}" if dice.random() < 0.8 else None,
                center=f"center {center}",
            )
        )
    return films


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 3))
def test_every_cell_is_what_counting_film_by_film_gives(
    tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, centers: int
) -> None:
    films, cuts = films_of(seed, n, centers), {"Mass": 0.5, "Normal": 0.3}
    found = build_performance_table(store_of(write_small(tmp_path_factory.mktemp("small"), films, cuts)), SMALL)
    scored = {finding for film in films for finding in film.scores}
    assert {line.finding for line in found.lines} == scored
    for line in found.lines:
        for cell in (line.pooled, *line.cells):
            here = [film for film in films if line.finding in film.scores and cell.center in (ALL_CENTERS, film.center)]
            pairs = [(film.labels.get(line.finding), film.scores[line.finding]) for film in here]
            present = [score for label, score in pairs if label == "present"]
            absent = [score for label, score in pairs if label == "absent"]
            cut = cuts.get(line.finding)
            assert (cell.positives, cell.negatives) == (len(present), len(absent))
            if cut is None:
                assert cell.sensitivity.n == cell.specificity.n == 0
            else:
                assert cell.sensitivity.hits == sum(np.float32(score) >= cut for score in present)
                assert (cell.sensitivity.n, cell.specificity.n) == (len(present), len(absent))
                assert cell.specificity.hits == sum(np.float32(score) < cut for score in absent)
            if present and absent:
                truth = [1] * len(present) + [0] * len(absent)
                expected = average_precision_score(truth, np.float32(present + absent))
                assert cell.average_precision == pytest.approx(expected)
                assert cell.auroc == pytest.approx(roc_auc_score(truth, np.float32(present + absent)))
            else:
                assert cell.average_precision is cell.auroc is None
            if cell.center != ALL_CENTERS and here and not present and not absent:
                assert cell.shift is not None and cell.shift.films == len(here)
                assert cell.shift.median == pytest.approx(np.median([score for _, score in pairs]))
            else:
                assert cell.shift is None


def test_whatever_the_model_said_is_counted(tmp_path: Path) -> None:
    store = store_of(write_small(tmp_path, films_of(0, 30, 2), {"Mass": 0.5}))
    asked = Slice(NAME, MODEL, finding="Mass", center="center 0", outcomes=(Outcome.MISS,), low=0.1)
    assert build_performance_table(store, asked) is build_performance_table(store, SMALL)
    assert [center.name for center in count_table(store, table_slice(asked, center="center 0")).centers] == ["center 0"]


def test_lines_go_from_head_to_tail_and_a_gap_needs_two_centers(tmp_path: Path) -> None:
    films = [
        Film(
            f"{center} {number}",
            {"Mass": "present", "Atelectasis": "present"},
            {"Mass": score, "Atelectasis": 0.5, "Normal": 0.1, "Cyst": 0.1, "Bulla": 0.2},
            center=center,
        )
        for center, scores in {"a": (0.9, 0.9, 0.1), "b": (0.9, 0.1, 0.1), "c": (0.9,)}.items()
        for number, score in enumerate(scores)
    ]
    lines = build_performance_table(store_of(write_small(tmp_path, films, {"Mass": 0.5})), SMALL).lines
    assert [line.finding for line in lines] == ["Atelectasis", "Mass", "Normal", "Cyst", "Bulla"]
    assert [line.group for line in lines[:3]] == [FrequencyGroup.MEDIUM, FrequencyGroup.RARE, FrequencyGroup.NORMAL]
    assert [line.group for line in lines[3:]] == [None, None]
    assert [line.unseen for line in lines] == [False, False, False, False, True]
    gap = lines[1].gap
    assert gap is not None and gap.value == pytest.approx(1 - 1 / 3)
    assert (gap.high.center, gap.low.center) == ("c", "b")
    assert lines[0].gap is None  # no threshold


def test_the_shipped_table_is_that_of_pandas() -> None:
    folder = Folder(CACHE / "nih-oof")
    pairs = pd.read_parquet(folder.labels).merge(
        pd.read_parquet(folder.predictions("nih-mini")), on=["case", "finding"]
    )
    cases = pd.read_parquet(folder.cases)[["case", "split"]].astype(str)
    cuts = pd.read_parquet(folder.operating_points("nih-mini"))[["finding", "split", "threshold"]].astype(
        {"split": str}
    )
    pairs = pairs.merge(cases, on="case").merge(cuts, on=["finding", "split"])
    pairs["called"] = pairs.score.astype(float) >= pairs.threshold
    lines = build_performance_table(loaded_store(), SHIPPED).lines
    assert len(lines) == 15
    for line in lines:
        of = pairs[pairs.finding == line.finding]
        present, absent = of[of.label == "present"], of[of.label == "absent"]
        cell = line.pooled
        assert (cell.sensitivity.hits, cell.sensitivity.n) == (int(present.called.sum()), len(present))
        assert (cell.specificity.hits, cell.specificity.n) == (int((~absent.called).sum()), len(absent))
        expected = average_precision_score(of.label == "present", of.score)
        assert cell.average_precision == pytest.approx(expected)


def test_of_many_pairs_average_precision_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(performance_table, "MAX_IMMEDIATE_PAIRS", 1000)
    store = loaded_store()
    found = build_performance_table(store, SHIPPED)
    assert found.points_pending and found.lines[0].pooled.average_precision is None
    at_once = found.lines[0].pooled.sensitivity
    assert at_once.n == 235
    job = IntervalsJob(store, resamples=20)
    done = complete(lambda: job.cells(SHIPPED)).done
    assert done["Pleural Effusion", ALL_CENTERS].value == pytest.approx(0.35648499)


def complete(ask: Callable[[], IntervalsProgress]) -> IntervalsProgress:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        progress = ask()
        if progress.complete:
            return progress
        time.sleep(0.02)
    raise AssertionError("the intervals never came")


def test_intervals_are_those_of_the_bootstrap_over_patients_of_a_center(tmp_path: Path) -> None:
    """A patient of one name is one at every hospital; films of nobody known are drawn alone."""
    films = films_of(7, 120, 3)
    store = store_of(write_small(tmp_path, films, {"Mass": 0.5}))
    job = IntervalsJob(store, resamples=60, seed=3)
    progress = complete(lambda: job.cells(SMALL))
    assert progress.of == len(progress.done) == 4 * 4
    films = sorted(films, key=lambda film: film.case)
    for center in (ALL_CENTERS, "center 0", "center 1"):
        kept = [
            film
            for film in films
            if center in (ALL_CENTERS, film.center)
            and "Mass" in film.scores
            and film.labels.get("Mass") in ("present", "absent")
        ]
        labels = np.array([[film.labels["Mass"] == "present"] for film in kept], dtype=float)
        scores = np.array([[np.float32(film.scores["Mass"])] for film in kept])
        firsts: dict[object, int] = {}
        everyone = [film for film in films if "Mass" in film.scores]
        for place, film in enumerate(everyone):
            firsts.setdefault(film.patient or place, len(firsts))
        units = [firsts[film.patient or everyone.index(film)] for film in kept]
        expected = bootstrap(labels, scores, average_precision, 60, 3, np.array(units))
        found = progress.done["Mass", center]
        assert found.value == pytest.approx(expected.point[0])
        assert found.interval == pytest.approx((expected.low[0], expected.high[0]))
        assert found.undefined == expected.undefined[0]
        beside = bootstrap(labels, scores, auroc, 60, 3, np.array(units))
        assert found.auroc is not None and found.auroc.value == pytest.approx(beside.point[0])
        assert found.auroc.interval == pytest.approx((beside.low[0], beside.high[0]))
    job.close()


def test_a_center_without_labels_tells_its_shift(tmp_path: Path) -> None:
    dice = np.random.default_rng(5)
    films = [
        Film(
            f"{center} {number:03}",
            {"Mass": "absent"} if center == "a" else {},
            {"Mass": float(score)},
            patient=f"p{number // 2}",
            center=center,
        )
        for center, low in (("a", 0.0), ("b", 0.3))
        for number, score in enumerate(low + 0.5 * dice.random(60))
    ]
    column = store_of(write_small(tmp_path, films, {})).column(SMALL, "Mass")
    found = finding_intervals(column, ("a", "b"), (), 400, 0).cells
    assert found["a"] == found[ALL_CENTERS] == CellInterval(None, None, 400)  # no positives
    scores = {name: [film.scores["Mass"] for film in films if film.center == name] for name in ("a", "b")}
    difference = float(np.median(np.float32(scores["b"])) - np.median(np.float32(scores["a"])))
    shift = found["b"]
    assert shift.value == pytest.approx(difference)
    assert shift.interval is not None and shift.interval[0] < 0.3 < shift.interval[1]
    loops = []
    for r in range(400):
        medians = []
        for stream, name in (((1,), "a"), ((), "b")):
            patients = np.random.default_rng([0, r, *stream]).integers(0, 30, 30)
            medians.append(np.median([scores[name][2 * patient + half] for patient in patients for half in (0, 1)]))
        loops.append(medians[1] - medians[0])
    assert shift.interval == pytest.approx(tuple(np.quantile(loops, (0.025, 0.975))), abs=1e-6)


def test_few_films_do_not_look_like_certainty(tmp_path: Path) -> None:
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.9}), Film("b", {"Mass": "absent"}, {"Mass": 0.1})]
    column = store_of(write_small(tmp_path, films, {})).column(SMALL, "Mass")
    found = finding_intervals(column, (), (), 100, 0).cells[ALL_CENTERS]
    assert found.value == 1 and found.interval is None and found.undefined > 0


def test_of_findings_that_look_alike_films_are_counted_as_films() -> None:
    """Not as pairs of the finding that most of them have: no finding is on all of them."""
    store, faint = loaded_store(), Slice("phantom", "phantom", severity="faint", size="small")
    found = build_performance_table(store, faint)
    assert sum(center.films for center in found.centers) == store.count(faint).films
    assert all(not line.pooled.negatives and line.pooled.specificity.n == 0 for line in found.lines)
