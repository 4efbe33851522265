"""A run that ends at any moment leaves a model that can be asked, and the next run goes on with all of its work."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.listing import journal_of, listed_scores
from explorer.cohorts.manifest import ModelManifest, read_model_manifest
from explorer.cohorts.schema import OPERATING_POINTS
from explorer.scoring.batches import ScoredBatch
from explorer.scoring.score_files import ScoreOrigin, ScoreShards
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.scoring.cohorts import scores_of
from tests.explorer.store.made_up import rows_of
from tests.support.brute_force import NAME
from tests.support.wording import Wording

MAKER, FINDINGS = ScoreOrigin("abc", "none"), ("Mass", "Nodule")
MADE = ModelManifest("m", "m", "abc", "none", "none", FINDINGS, {}, 0, 0, "none")
FILMS = [f"film {n}" for n in range(12)]


class Ended(BaseException):
    """What comes instead of a SIGKILL: no part of the product catches it."""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return rows_of(12).write(tmp_path)


def some(films: list[str]) -> ScoredBatch:
    return ScoredBatch(films, np.full((len(films), 2), 0.25, np.float32), np.ones((len(films), 3), np.float32), {})


def run(folder: Folder, until: int = 12) -> None:
    """Score what is not scored yet, three films in a part, then close the list."""
    parts = ScoreShards(folder, "m", MAKER)
    with parts.exclusive():
        left = [film for film in FILMS[:until] if film not in parts.done()]
        for start in range(0, len(left), 3):
            parts.write(FINDINGS, some(left[start : start + 3]))
        parts.close(MADE, OPERATING_POINTS.empty_table())


def ends(moment: int) -> Iterator[None]:
    """Nothing is made durable after this many times."""
    for _ in range(moment):
        yield
    raise Ended


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(20))
def test_a_run_may_end_at_any_moment(folder: Folder, moment: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run(folder, until=6)
    store = Store(lambda: [folder])
    asked = Slice(NAME, "m")
    assert store.count(asked).films == 6
    left, fsync = ends(moment), os.fsync

    def until_then(handle: int) -> None:
        next(left)
        fsync(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", until_then)
        try:
            run(folder)
        except (Ended, RuntimeError):
            pass
    store.look(NAME)
    films = store.count(asked).films
    assert films in (6, 9, 12) and len(scores_of(folder, "m")) == 2 * films
    run(folder)
    store.look(NAME)
    assert store.count(asked).films == 12
    assert len(scores_of(folder, "m")) == 24
    assert read_model_manifest(folder.model("m")).files == listed_scores(folder, "m")
    assert not journal_of(folder, "m").exists()


def test_parts_of_a_version_that_listed_nothing_are_taken_over(folder: Folder) -> None:
    run(folder, until=6)
    folder.model("m").unlink()
    run(folder)
    assert len(scores_of(folder, "m")) == 24
    assert read_model_manifest(folder.model("m")).files == listed_scores(folder, "m")


def test_a_manifest_that_was_damaged_is_made_again_of_the_parts(folder: Folder) -> None:
    run(folder)
    folder.model("m").write_bytes(b"{")
    run(folder)
    assert Store(lambda: [folder]).count(Slice(NAME, "m")).films == 12


@pytest.mark.parametrize("kind", ["predictions", "embeddings"])
def test_damaged_parts_are_named_and_scored_again_once_they_are_deleted(
    folder: Folder, kind: str, wording: Wording
) -> None:
    run(folder)
    damaged = folder.path / kind / "m" / "part-00001.parquet"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 1
    damaged.write_bytes(content)
    with pytest.raises(DamagedCohort) as refused:
        run(folder)
    wording(refused.value, kind, "m/part-00001.parquet")
    wording(refused.value.detail, "part-00001.parquet")
    for each in folder.path.glob("*/m/part-00001.parquet"):
        each.unlink()
    run(folder)
    assert len(scores_of(folder, "m")) == 24
    assert Store(lambda: [folder]).count(Slice(NAME, "m")).films == 12
