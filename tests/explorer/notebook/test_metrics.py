"""The frames of metrics have the leaderboard's figures, and by finding those of the table of findings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from explorer import Cohort
from explorer.analysis.intervals.intervals_job import SEED
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.analysis.performance.cell_intervals import finding_intervals
from explorer.analysis.performance.performance_table import count_table, table_slice
from explorer.cohorts.layout import Folder
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME
from tests.support.wording import Wording, line_with

RESAMPLES = 100


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    write_several(home / "cohorts", 11, 60)
    return home


@pytest.fixture(scope="module")
def cohort(home: Path) -> Cohort:
    return Cohort(NAME, home=home)


@pytest.fixture(scope="module")
def store(home: Path) -> Store:
    return Store(lambda: (Folder(home / "cohorts" / NAME),))


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the 1,000: one after the other they are those of the bootstrap, however many."""
    monkeypatch.setattr("explorer.notebook.metrics.RESAMPLES", RESAMPLES)


def same(found: object, wanted: float | None) -> bool:
    return bool(pd.isna(found)) if wanted is None or wanted != wanted else found == pytest.approx(wanted, abs=1e-12)  # type: ignore[call-overload]


@pytest.mark.slow
@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize("by", ["group", "center"])
def test_by_group_and_center_they_are_the_leaderboards(
    cohort: Cohort, store: Store, few_resamples: None, by: str, natural: bool
) -> None:
    models = ("two", "one")
    found = cohort.metrics(models, by=by, natural=natural)  # type: ignore[arg-type]
    chosen = Slice(NAME, models[0])
    board = board_of(joint_scores(store, chosen, models), slice_groups(store, chosen, models), RESAMPLES, SEED, natural)
    parts = [(place, part) for place, part in enumerate(board.parts) if (part.center is None) == (by == "group")]
    assert len(found) == len(parts) * 6 * 2 and ("center" in found.columns) == (by == "center")
    for place, part in parts:
        for metric, measure in (("mAP", "AP"), ("mAUROC", "AUROC"), ("ECE", "ECE"), ("recall", "recall")):
            means, less = board.means[place, measure], board.against(place, measure, 0)  # type: ignore[index, arg-type]
            for number, model in enumerate(models):
                here = (found["group"] == part.name) & (found["metric"] == metric) & (found["model"] == model)
                (row,) = found[here & (found["center"] == part.center if by == "center" else True)].itertuples()
                low, high = means.interval(number) or (None, None)
                assert same(row.value, means.point[number]) and same(row.low, low) and same(row.high, high)
                assert (row.n, row.n_positive, row.n_positive_least) == (
                    part.films,
                    part.positives,
                    board.fewest(place, measure),
                )
                assert same(row.difference, less.value[number]) and same(row.p, less.adjusted[number])


@pytest.mark.slow
def test_by_finding_they_are_those_of_the_table(cohort: Cohort, store: Store, few_resamples: None) -> None:
    found = cohort.metrics(by="finding", view="AP").set_index(["model", "finding", "metric"])
    assert {model for model, *_ in found.index} == set(MODELS)
    for model in MODELS:
        table = count_table(store, table_slice(Slice(NAME, model, view="AP")))
        for line in table.lines:
            cell = line.pooled
            drawn = finding_intervals(store.column(table.chosen, line.finding), (), (), RESAMPLES, SEED).cells[""]
            ap, auroc = found.loc[(model, line.finding, "AP")], found.loc[(model, line.finding, "AUROC")]
            assert same(ap["value"], cell.average_precision) and same(auroc["value"], cell.auroc)
            assert same(ap["low"], drawn.interval and drawn.interval[0])
            assert same(auroc["high"], drawn.auroc and drawn.auroc.interval and drawn.auroc.interval[1])
            assert (ap["n"], ap["n_positive"]) == (cell.positives + cell.negatives, cell.positives)
            for name, rate in (("sensitivity", cell.sensitivity), ("specificity", cell.specificity)):
                row = found.loc[(model, line.finding, name)]
                assert same(row["value"], rate.value) and same(row["low"], rate.interval and rate.interval[0])
                assert row["n"] == rate.n


def test_without_intervals_points_are_the_same_and_undefined_is_missing(cohort: Cohort) -> None:
    for by in ("group", "finding", "center"):
        whole, points = (cohort.metrics("one", by=by, intervals=each) for each in (True, False))  # type: ignore[arg-type]
        assert points["value"].equals(whole["value"]) and points["n"].equals(whole["n"])
        ranking = points[points["metric"].isin(["mAP", "AP"])]
        assert ranking["low"].isna().all() and points.attrs["resamples"] == 0 and whole.attrs["resamples"] == 1000
        assert points["value"].dtype == float
    hernia = cohort.metrics("one", by="finding", intervals=False).query("finding == 'Hernia' and metric == 'AP'")
    assert hernia["value"].isna().all() and (hernia["n_positive"] == 0).all()


def test_films_are_picked_by_any_filter_of_explore(cohort: Cohort, store: Store, wording: Wording) -> None:
    """Whatever table is asked for, it is of the films with a false alarm of the first model."""
    words = {"outcome": "false-alarm", "with": "Mass"}
    films = store.films(Slice(NAME, "one", outcomes=(Outcome.FALSE_ALARM,), also_present="Mass"))
    labels = store.labels(NAME)
    mass = (labels.labels[films, labels.findings.index("Mass")] >= 0).sum()
    assert 0 < len(films) < 60 and mass == len(films), "these are labeled with it"
    found = cohort.metrics("one", by="finding", intervals=False, **words).query("metric == 'AP'").set_index("finding")
    assert found.loc["Mass", "n"] == found.loc["Mass", "n_positive"] == mass
    board = cohort.metrics("one", intervals=False, **words)
    scored = store.grid(NAME, "one")
    every = ~np.isnan(scored.score[films]).any(axis=1)
    assert board["n"].iloc[0] == every.sum(), "of all seen findings, Mass among them"
    wording(line_with(board.attrs["notes"], "selected by the scores of one"))


def test_one_center_is_a_row_of_its_own(cohort: Cohort) -> None:
    north, every = (cohort.metrics("one", by="center", intervals=False, **w) for w in ({"center": "North"}, {}))
    assert set(north["center"]) == {"North"}
    beside = every[every["center"] == "North"].reset_index(drop=True)
    assert north["value"].equals(beside["value"]) and north["n"].equals(beside["n"])


@pytest.mark.slow
def test_without_models_those_of_the_page_are_compared() -> None:
    found = Cohort("phantom").metrics(intervals=False)
    assert found.attrs["reference"] == "phantom" and "phantom-vlm" not in set(found["model"])
    assert found["model"].nunique() > 5 and "SIMULATED films." in found.attrs["notes"]
