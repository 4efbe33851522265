"""The perturbed scores that ship with the cohort `phantom`: complete, small, and near the plain scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.robustness.perturbed_films import read_level
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.listing import check_cohort, check_scores
from explorer.cohorts.manifest import read_manifest, read_model_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.perturbed_scores import known_levels, perturbed_folder
from explorer.workshop.shipping.phantom_perturbed import FILMS, MODEL, rounded, shipped_levels, some_films

PHANTOM = Folder(CACHE / "phantom")
MOST_BYTES = 3 * 2**20


def test_every_level_ships_whole_with_the_same_films() -> None:
    there = known_levels(PHANTOM, MODEL)
    assert set(there) == {"unchanged", *(level.name for level in shipped_levels())}
    assert len(there) == 1 + 20 * 3 + 5  # kinds with a dial at three strengths, and the others
    films = set()
    for name, folder in there.items():
        check_scores(folder, name)
        films.add(tuple(sorted(set(read_table(folder.predictions(name) / "part-00000.parquet")["case"].to_pylist()))))
        assert read_model_manifest(folder.model(name)).split == read_model_manifest(PHANTOM.model(MODEL)).split
    assert len(films) == 1 and len(films.pop()) == FILMS
    files = perturbed_folder(PHANTOM, MODEL).path.rglob("*")
    assert sum(path.stat().st_size for path in files if path.is_file()) < MOST_BYTES


def test_unchanged_films_have_nearly_the_plain_scores() -> None:
    folder = perturbed_folder(PHANTOM, MODEL)
    cases = sorted(set(read_table(folder.predictions("unchanged") / "part-00000.parquet")["case"].to_pylist()))
    findings = read_model_manifest(PHANTOM.model(MODEL)).findings
    again, plain = (read_level(*each, cases, findings) for each in ((folder, "unchanged"), (PHANTOM, MODEL)))
    np.testing.assert_allclose(again, plain, atol=0.002)


def test_scores_are_rounded_to_nine_binary_digits() -> None:
    scores = np.array([0.0, 0.7, 0.001, 1.0], np.float32)
    # 0.7 lies between 358 / 512 and 359 / 512, nearer to the first.
    np.testing.assert_allclose(rounded(scores), [0, 358 / 512, 0.001, 1], rtol=2**-10)
    assert rounded(scores)[1] == pytest.approx(358 / 512, abs=1e-9)


def test_some_films_are_a_cohort_of_both_centers(tmp_path: Path) -> None:
    some = some_films(PHANTOM, Folder(tmp_path / "phantom"), 10)
    check_cohort(some)
    cases, labels = read_table(some.cases), read_table(some.labels)
    assert set(cases["center"].to_pylist()) == {"A", "B"} and len(cases) == read_manifest(some.manifest).cases == 10
    assert set(labels["case"].to_pylist()) == set(cases["case"].to_pylist())
