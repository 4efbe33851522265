"""Thresholds carried from validation to test films: by hand, with calibration, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.thresholds.carried import Origin, carry, origin_of, patient_ids
from explorer.analysis.thresholds.choice import NoThresholds
from explorer.analysis.thresholds.table import in_sample_films, threshold_table, thresholds_words
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.metrics.calibration import Calibration, fit_calibration
from explorer.metrics.leakage import SameCases
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.store.where_words import WrongFilter
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

# score of Mass, present, split. On val the best threshold separates .6 from .4; on test it misses the .45.
ROWS = (
    *((0.9, True, "val"), (0.6, True, "val"), (0.4, False, "val"), (0.1, False, "val")),
    *((0.8, True, "test"), (0.45, True, "test"), (0.3, False, "test"), (0.7, False, "test")),
)


def films(start: str, rows: tuple[tuple[float, bool, str], ...] = ROWS) -> Iterator[Film]:
    for n, (score, present, split) in enumerate(rows):
        label = "present" if present else "absent"
        yield Film(f"{start}{n}", {"Mass": label}, {"Mass": score}, patient=f"p{n}", split=split)


def folder_in(place: Path, name: str = NAME, **more: str | None) -> Folder:
    return write_small(place, list(films(name)), {"Mass": 0.2}, name=name, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(folder_in(tmp_path))


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("split=val", Origin("", "split=val")),
        ("clinic val", Origin("clinic val", "")),
        ("clinic | split=val", Origin("clinic", "split=val")),
        ("center=A, split=val", Origin("", "center=A, split=val")),
    ],
)
def test_an_origin_is_films_here_or_another_cohort(written: str, origin: Origin) -> None:
    assert origin_of(written) == origin


def test_a_threshold_of_val_is_reported_on_test(store: Store) -> None:
    """Half way between .6 and .4 on val; on test one of two positives and one of two negatives are right."""
    found = carry(store, NAME, MODEL, Origin("", "split=val"), "youden")
    (point,) = found.points
    assert point.threshold == pytest.approx(0.5)
    about = found.about
    assert (about.films, about.patients, about.to, about.source, about.shared) == (4, 4, "split=test", "", 0)
    store.keep_thresholds(NAME, MODEL, found)
    table = threshold_table(store, NAME, MODEL)
    (line,) = table.lines
    assert (line.sensitivity.hits, line.sensitivity.n) == (1, 2) == (line.specificity.hits, line.specificity.n)
    assert "out of sample" in table.films and "split test" in table.films and "split val (4 films" in table.films
    assert in_sample_films(store, Slice(NAME, MODEL, split="test")) == 0
    assert in_sample_films(store, Slice(NAME, MODEL)) == 4
    assert "split val" in thresholds_words(store, Slice(NAME, MODEL, split="test"))


def test_the_calibration_of_val_comes_along_and_refuses_its_own_patients(store: Store) -> None:
    store.keep_thresholds(NAME, MODEL, carry(store, NAME, MODEL, Origin("", "split=val"), "youden"))
    kept = store.chosen_thresholds(NAME, MODEL)
    assert kept is not None and kept.calibration is not None
    calibration = Calibration.from_dict(dict(kept.calibration))
    rows = [row for row in ROWS if row[2] == "val"]
    labels, scores = np.array([[row[1]] for row in rows], float), np.array([[row[0]] for row in rows], np.float32)
    expected = fit_calibration("platt", labels, scores, ["Mass"], cohort="x", case_ids=list(range(4)))
    ids = patient_ids(store, NAME)
    test = np.array([[0.8], [0.45]])
    ours, theirs = calibration.apply(test, ids[4:6]), expected.apply(test, ["a", "b"])
    assert ours == pytest.approx(theirs)
    with pytest.raises(SameCases):
        calibration.apply(test, ids[:2])


def test_another_cohorts_thresholds_are_taken_or_chosen_there(tmp_path: Path) -> None:
    store = store_of(folder_in(tmp_path), folder_in(tmp_path, "clinic"))
    own = carry(store, NAME, MODEL, Origin("clinic", ""), None)
    assert [point.threshold for point in own.points] == [0.2] and own.about.words == "those of clinic"
    chosen = carry(store, NAME, MODEL, Origin("clinic", "split=val"), "youden")
    assert chosen.points[0].threshold == pytest.approx(0.5)
    store.keep_thresholds(NAME, MODEL, chosen)
    assert "split val of clinic (4 films)" in store.model(NAME, MODEL).thresholds
    table = threshold_table(store, NAME, MODEL)
    assert "on all films" in table.films and table.lines[0].sensitivity.n == 4
    assert in_sample_films(store, Slice(NAME, MODEL)) == 0, "films of another cohort"


def test_patients_in_both_are_counted(tmp_path: Path) -> None:
    every = list(films("x"))
    every[4] = replace(every[4], patient="p0")
    store = store_of(write_small(tmp_path, every, {"Mass": 0.2}))
    store.keep_thresholds(NAME, MODEL, carry(store, NAME, MODEL, Origin("", "split=val"), "youden"))
    assert "1 patient is among both" in threshold_table(store, NAME, MODEL).films


@pytest.mark.parametrize(
    ("origin", "to", "said"),
    [
        (Origin("", "split=val"), "split=val", "4 films would be both"),
        (Origin("", "center=North"), None, "On which films"),
        (Origin("", "split=train"), None, "No film has split=train"),
    ],
)
def test_what_cannot_be_carried_is_refused(store: Store, origin: Origin, to: str | None, said: str) -> None:
    with pytest.raises((NoThresholds, WrongFilter), match=said):
        carry(store, NAME, MODEL, origin, "youden", to)


def test_without_a_rule_or_with_other_weights_it_is_refused(tmp_path: Path) -> None:
    here, there = folder_in(tmp_path), folder_in(tmp_path, "clinic")
    store = store_of(here, there)
    with pytest.raises(NoThresholds, match="No rule"):
        carry(store, NAME, MODEL, Origin("", "split=val"), None)
    for folder, sha in ((here, "a" * 64), (there, "b" * 64)):
        path = folder.model(MODEL)
        write_manifest(path, replace(read_model_manifest(path), sha256=sha))
    with pytest.raises(NoThresholds, match="other weights"):
        carry(store_of(here, there), NAME, MODEL, Origin("clinic", ""), None)


def test_the_splits_to_report_on_must_be_clear(tmp_path: Path) -> None:
    rows = tuple((score, present, str(n % 3)) for n, (score, present, _) in enumerate(ROWS))
    store = store_of(write_small(tmp_path, list(films("x", rows)), {"Mass": 0.2}))
    with pytest.raises(NoThresholds, match="several other splits"):
        carry(store, NAME, MODEL, Origin("", "split=0"), "youden")
    assert carry(store, NAME, MODEL, Origin("", "split=0"), "youden", "split=2").about.to == "split=2"
