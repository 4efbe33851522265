"""The command is killed again and again at random points; what it leaves is whole, and nothing is missing at last."""

from __future__ import annotations

import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import journal_of, listed_scores
from explorer.cohorts.manifest import read_model_manifest
from tests.explorer.scoring.cohorts import features_of, scores_of, write_cohort
from tests.explorer.scoring.films import write_films
from tests.support.forked_command import PATIENCE, Process, start
from tests.support.model_builders import write_model

pytestmark = pytest.mark.slow

FILMS, KILLS = 240, 10
CENTERS = ("north", "south")
DAMAGED, GONE = 100, 200  # numbers of two films that fail


class Runs:
    """Starts the command for one home after the other."""

    def __init__(self, films: Path, card: Path) -> None:
        self._films = films
        self._card = card
        names = sorted(path.name for path in films.iterdir())
        self._table = [(CENTERS[number % 2], name) for number, name in enumerate(names)]
        (films / names[DAMAGED]).write_bytes(b"\x89PNG\r\n\x1a\n")
        (films / names[GONE]).unlink()

    def cohort(self, home: Path) -> Folder:
        return write_cohort(Folder(home / "cohorts" / "own"), self._table, self._films)

    def start(self, home: Path) -> Process:
        options = ("--cohort", "own", "--model", str(self._card), "--device", "cpu", "--part-films", "8")
        return start(home, "score", *options)


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    write_films(tmp_path / "films", FILMS)
    return Runs(tmp_path / "films", write_model(tmp_path, "resnet10t", name="tiny"))


def wait_for_first_write(process: Process, folder: Folder) -> None:
    """Until the process has taken the cohort for itself: before, there is nothing to lose."""
    lock = folder.predictions("tiny") / ".lock"
    before = lock.stat().st_mtime_ns if lock.exists() else 0
    while process.poll() is None and not (lock.exists() and lock.stat().st_mtime_ns > before):
        time.sleep(0.002)


def test_killed_at_random_points_it_loses_and_doubles_nothing(runs: Runs, tmp_path: Path) -> None:
    undisturbed, disturbed = runs.cohort(tmp_path / "a"), runs.cohort(tmp_path / "b")
    process = runs.start(tmp_path / "a")
    wait_for_first_write(process, undisturbed)
    began = time.perf_counter()
    status = process.wait(timeout=PATIENCE)
    seconds = time.perf_counter() - began
    assert status == 0
    chance, found = random.Random(7), [0]
    for _ in range(KILLS):
        process = runs.start(tmp_path / "b")
        wait_for_first_write(process, disturbed)
        time.sleep(chance.uniform(0, 5 * seconds / KILLS))
        process.kill()
        status = process.wait(timeout=PATIENCE)
        if status == 0:
            break
        assert status == -signal.SIGKILL
        found.append(len(scores_of(disturbed, "tiny")))  # every part is whole, no pair is there twice
        if disturbed.model("tiny").exists():  # the manifest is written last: only the end of the process was cut off
            assert found[-1] == len(scores_of(undisturbed, "tiny"))
            break
    assert found == sorted(found), "nothing that was written is lost"
    assert len(set(found)) >= 3, f"the kills met too few states: {found}"
    process = runs.start(tmp_path / "b")
    assert process.wait(timeout=PATIENCE) == 0
    assert scores_of(disturbed, "tiny") == pytest.approx(scores_of(undisturbed, "tiny"), abs=1e-6)
    whole, mended = features_of(undisturbed, "tiny"), features_of(disturbed, "tiny")
    assert whole.keys() == mended.keys() == {case for case, _ in scores_of(disturbed, "tiny")}
    assert all(mended[case] == pytest.approx(whole[case], rel=2e-3, abs=1e-5) for case in whole)
    made, should_be = (read_model_manifest(each.model("tiny")) for each in (disturbed, undisturbed))
    assert replace(made, files=None) == replace(should_be, files=None)
    assert made.files == listed_scores(disturbed, "tiny"), "every file is listed as it is"
    assert not journal_of(disturbed, "tiny").exists()
    assert disturbed.failures("tiny").read_text() == undisturbed.failures("tiny").read_text()
    assert len(whole) == FILMS - 2
    left = [path.name for path in disturbed.path.rglob("*") if path.is_file() and path.suffix == ".partial"]
    assert left == []
