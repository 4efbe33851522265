"""Where a model fails, asked of whole cohorts: rows are slices of the store, refusals, the work in the background."""

from __future__ import annotations

import csv
import io
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.analysis.slice_discovery.candidate_facets import facet_filters
from explorer.analysis.slice_discovery.discovered_slices import MAX_SLICES
from explorer.analysis.slice_discovery.discovery_job import DiscoveryJob, DiscoveryProgress
from explorer.analysis.slice_discovery.failing_slices_csv import SLICE_COLUMNS, failing_slices_csv
from explorer.analysis.slice_discovery.finding_films import FAILURE_KINDS
from explorer.analysis.slice_discovery.where_it_fails import (
    MAX_SLICES_PER_FINDING,
    TooFewFilms,
    WhereItFails,
    where_it_fails,
)
from explorer.cohorts.images import Images
from explorer.core.findings import Outcome
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

EFFUSION = Slice("phantom", "phantom", finding="Pleural Effusion")


@pytest.fixture(scope="module")
def store() -> Store:
    return loaded_store()


@pytest.fixture(scope="module")
def effusion(store: Store) -> WhereItFails:
    return where_it_fails(store, EFFUSION)


def test_the_phantoms_faint_effusions_are_missed(effusion: WhereItFails) -> None:
    first = next(row for row in effusion.rows if row.figures.proposal.failure == "miss")
    assert "severity faint" in first.words.lower() and first.figures.adjusted < 0.01
    assert effusion.searched + effusion.counted == 2000 and not effusion.left_out
    assert effusion.looks > 400 and effusion.findings == ("Pleural Effusion",)


def test_each_row_is_a_slice_of_the_store(store: Store, effusion: WhereItFails) -> None:
    assert len(effusion.rows) >= 3
    for row in effusion.rows:
        there = replace(EFFUSION, **facet_filters(row.facets))
        assert store.count(there).films == row.films
        column = store.column(there, "Pleural Effusion")
        assert int((column.label == 1).sum()) == row.positives
        outcome = {"miss": Outcome.MISS, "false alarm": Outcome.FALSE_ALARM}[row.figures.proposal.failure]
        failed = store.count(replace(there, outcomes=(outcome,))).films
        assert row.figures.here.hits <= failed  # of the counted half alone


def test_all_findings_of_a_slice_are_looked_at_together(store: Store) -> None:
    heard: list[tuple[int, int]] = []
    chosen = Slice("phantom", "phantom", group="very rare", view="AP")
    found = where_it_fails(store, chosen, resamples=50, report=lambda done, of: heard.append((done, of)))
    assert heard[0] == (0, heard[0][1]) and heard[-1][0] == heard[-1][1] > 3
    assert {row.finding for row in found.rows} <= set(found.findings)
    for failure in FAILURE_KINDS:
        rows = [row for row in found.rows if row.figures.proposal.failure == failure]
        assert len(rows) <= MAX_SLICES
        assert all(sum(row.finding == each for row in rows) <= MAX_SLICES_PER_FINDING for each in found.findings)
    assert not [row for row in found.rows if any(facet.field == "view" for facet in row.facets)]


def test_the_same_question_has_the_same_answer_whatever_the_model_said_before(
    store: Store, effusion: WhereItFails
) -> None:
    again = where_it_fails(store, replace(EFFUSION, outcomes=(Outcome.MISS,), low=0.1))
    assert [row.words for row in again.rows] == [row.words for row in effusion.rows]
    assert [row.figures.interval for row in again.rows] == [row.figures.interval for row in effusion.rows]


def test_the_table_is_a_row_for_each_slice(effusion: WhereItFails) -> None:
    rows = list(csv.DictReader(io.StringIO(failing_slices_csv(EFFUSION, effusion, simulated=True))))
    assert [row["slice"] for row in rows] == [row.words for row in effusion.rows] and set(rows[0]) == set(SLICE_COLUMNS)
    assert {row["films"] for row in rows} == {"SIMULATED"}
    for written, row in zip(rows, effusion.rows, strict=True):
        assert (written["failure"], int(written["slice_n"])) == (row.figures.proposal.failure, row.films)
        assert float(written["cost"]) == pytest.approx(row.figures.cost, abs=1e-6)
        assert float(written["p_adjusted"]) == pytest.approx(row.figures.adjusted, abs=1e-6)
        assert (float(written["rate"]), int(written["rate_n"])) == pytest.approx(
            (row.figures.here.value, row.figures.here.n), abs=1e-6
        )


@pytest.mark.parametrize("thresholds", [{}, {"Mass": 0.5}])
def test_few_films_or_no_threshold_are_refused_in_words(tmp_path: Path, thresholds: dict[str, float]) -> None:
    films = [Film(f"{n:02d}", {"Mass": ("present", "absent")[n % 2]}, {"Mass": n / 40}) for n in range(24)]
    store = store_of(write_small(tmp_path, films, thresholds))
    with pytest.raises(TooFewFilms) as refused:
        where_it_fails(store, Slice(NAME, MODEL))
    assert "threshold" in refused.value.detail and refused.value.detail.endswith(".")


def test_in_the_background_it_says_how_far_it_is_and_refuses_what_is_refused(store: Store) -> None:
    with closing(DiscoveryJob(store)) as job:
        first = job.ask(EFFUSION, "facets", Images({}))
        assert isinstance(first, DiscoveryProgress)
        found = answer(job, EFFUSION)
        assert [row.words for row in found.rows] == [row.words for row in where_it_fails(store, EFFUSION).rows]
        assert job.ask(replace(EFFUSION, outcomes=(Outcome.HIT,)), "facets", Images({})) is found
        with pytest.raises(TooFewFilms):
            answer(job, replace(EFFUSION, finding="Hernia", age="80+", sex="F", view="AP", findings="4+"))


def answer(job: DiscoveryJob, asked: Slice) -> WhereItFails:
    for _ in range(600):
        found = job.ask(asked, "facets", Images({}))
        if isinstance(found, WhereItFails):
            return found
        time.sleep(0.05)
    raise AssertionError("It takes half a minute.")
