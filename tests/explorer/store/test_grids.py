"""Everything that a model says of a cohort as arrays: the same as film by film."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from explorer.store.slices import Slice
from tests.support.several_models import FINDINGS, write_several
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

VALUES = {"present": 1.0, "absent": 0.0}


def test_a_grid_has_every_label_score_and_call(tmp_path: Path) -> None:
    made = write_several(tmp_path, 7, 30)
    store, films, cuts = store_of(made.folder), made.films["two"], made.thresholds["two"]
    grid = store.grid(NAME, "two")
    assert set(grid.findings) == set(FINDINGS)
    for place, finding in enumerate(grid.findings):
        for number, film in enumerate(films):
            score = film.scores.get(finding, math.nan)
            label = VALUES.get(film.labels.get(finding, ""), math.nan) if score == score else math.nan
            assert np.array_equal(grid.label[number, place], label, equal_nan=True)
            assert np.array_equal(grid.score[number, place], np.float32(score), equal_nan=True)
            called = -1 if score != score or finding not in cuts else int(np.float32(score) >= cuts[finding])
            assert grid.called[number, place] == called


def test_a_grid_of_one_label_source_has_its_labels_and_all_scores(tmp_path: Path) -> None:
    films = [
        Film("a", {"Mass": "present"}, {"Mass": 0.5}, others={"two": {"Mass": "absent"}}),
        Film("b", {"Mass": "absent"}, {"Mass": 0.7}),
    ]
    store = store_of(write_small(tmp_path, films, {}))
    assert np.isnan(store.grid(NAME, MODEL).label[0, 0]), "the two contradict each other"
    assert store.grid(NAME, MODEL, "one").label[:, 0].tolist() == [1, 0]
    assert np.array_equal(store.grid(NAME, MODEL, "two").label[:, 0], [0, np.nan], equal_nan=True)
    assert store.grid(NAME, MODEL, "two").score[:, 0].tolist() == [np.float32(0.5), np.float32(0.7)]


def test_the_facts_of_films_stand_in_the_order_of_the_columns(tmp_path: Path) -> None:
    made = write_several(tmp_path, 8, 20)
    store = store_of(made.folder)
    facts, column = store.film_facts(NAME), store.column(Slice(NAME, "one"), "Normal")
    assert facts.center[column.case].tolist() == column.center.tolist()
    assert facts.patient[column.case].tolist() == column.patient.tolist()
    assert facts.weight[column.case].tolist() == column.weight.tolist()
