"""SIGKILL at random moments of an ingest: there is a whole cohort or none, and the next run goes on."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cohorts import layout
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.version import version_of
from explorer.core.findings import FINDINGS
from explorer.ingest.building import JOURNAL
from tests.explorer.ingest.brought import film, rows, written
from tests.support.forked_command import PATIENCE, start

pytestmark = pytest.mark.app
FILMS = 600  # more than twice as many as go into the journal at once
TRIES = 4


@pytest.fixture
def command(home: Path, tmp_path: Path) -> list[str]:
    for number in range(FILMS):
        written(tmp_path / "films" / f"{number:04}.png", film(number))
    table = rows(("id", "Mass"), *((f"{number:04}", number % 2) for number in range(FILMS)))
    options = (
        "--table",
        written(tmp_path / "T.csv", table),
        "--columns",
        written(tmp_path / "m.toml", 'image_id="id"'),
    )
    places = ("--images", tmp_path / "films", "--out", "mine")
    return ["ingest", "csv", *map(str, (*options, *places))]


def killed(home: Path, command: list[str], after: float) -> bool:
    """Whether the process was still alive after this many seconds."""
    process = start(home, *command)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=after)
    process.kill()
    return process.wait(timeout=PATIENCE) == -signal.SIGKILL


def cut_short(home: Path, command: list[str], seconds: float) -> Iterator[int]:
    """Run and kill at random moments until TRIES runs were cut; the time is less where a run was through before it."""
    cut = 0
    while cut < TRIES:
        if killed(home, command, random.uniform(0.2, 1) * seconds):
            cut += 1
        else:  # this machine was busier when the time was taken
            seconds *= 0.8
        yield cut


def found() -> dict[str, int]:
    """The own cohorts that are there and whole -> their cases."""
    whole = {}
    for folder in layout.cohort_folders():
        if folder.path.parent == layout.own_cohorts():
            manifest = read_manifest(folder.manifest)
            assert version_of(folder.cases, folder.labels) == manifest.version
            assert folder.rejects.is_file()
            whole[folder.name] = manifest.cases
    return whole


def run(home: Path, command: list[str]) -> float:
    began = time.monotonic()
    process = start(home, *command)
    assert process.wait(timeout=PATIENCE) == 0
    return time.monotonic() - began


def test_a_killed_ingest_leaves_no_half_cohort(command: list[str], home: Path) -> None:
    run(home, command)
    seconds = run(home, [*command, "--replace"])  # how long one takes here: the first started what they are forked from
    version = read_manifest(layout.cohort_folder("mine").manifest).version
    for again in cut_short(home, [*command, "--replace"], seconds):
        assert found() in ({"mine": FILMS}, {}), again  # none between two renames: the next run settles that
    run(home, [*command, "--replace"])
    assert found() == {"mine": FILMS}
    assert read_manifest(layout.cohort_folder("mine").manifest).version == version
    assert os.listdir(home / "cohorts") == ["mine"]


def test_what_was_looked_at_is_not_looked_at_again(command: list[str], home: Path) -> None:
    journal = home / "cohorts" / ".mine.partial" / JOURNAL
    process = start(home, *command)
    while not journal.is_file() and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.wait(timeout=PATIENCE)
    assert found() == {}
    if not journal.is_file():
        pytest.skip("the process was not seen at work")
    kept = journal.read_bytes()
    changed = journal.stat().st_ino
    second = start(home, *command)
    while journal.is_file() and journal.stat().st_size <= len(kept) and second.poll() is None:
        time.sleep(0.002)
    second.kill()
    second.wait(timeout=PATIENCE)
    if journal.is_file():
        assert journal.stat().st_ino == changed and journal.read_bytes().startswith(kept)
    run(home, command)
    assert found() == {"mine": FILMS}


def test_killed_imports_of_scores_leave_a_whole_model_or_none(home: Path, tmp_path: Path) -> None:
    shipped = pq.read_table(layout.cohort_folder("nih-oof").cases)["case"].to_pylist()
    names = [name for name, finding in FINDINGS.items() if finding.task != "nih"]
    given = written(
        tmp_path / "S.csv", rows(("image_id", *names), *((case, *["0.25"] * len(names)) for case in shipped))
    )
    command = ["ingest", "predictions", str(given), "--model", "ours", "--cohort", "nih-oof", "--replace"]
    for again in cut_short(home, command, run(home, command)):
        assert scored() in ({}, {"ours": len(shipped) * len(names)}), again
    run(home, command)
    assert scored() == {"ours": len(shipped) * len(names)}


def scored() -> dict[str, int]:
    """The imported model of the shipped cohort, if it is there -> its scores."""
    folder = layout.cohort_folder("nih-oof")
    parts = {model: list(folder.predictions(model).glob("part-*")) for model in folder.models() if model == "ours"}
    assert all(folder.operating_points(model).is_file() for model in parts)
    return {model: sum(pq.read_metadata(part).num_rows for part in each) for model, each in parts.items()}
