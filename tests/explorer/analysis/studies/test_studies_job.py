"""Study cohorts made in the background: here, in a process of their own, and what refuses them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.analysis.studies import studies_job
from explorer.analysis.studies.studies_job import StudiesJob
from explorer.analysis.studies.study_cohort import is_current, studies_folder
from explorer.cohorts import large_cohorts
from explorer.cohorts.layout import HOME_VARIABLE, Folder
from explorer.cohorts.study_cohorts import NoStudies
from tests.explorer.analysis.studies.test_study_cohort import CUTS, FILMS
from tests.support.small_cohort import MODEL, NAME, write_small
from tests.ui.counted_apart import until


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path / "cohorts"


@pytest.fixture
def job() -> Iterator[StudiesJob]:
    with closing(StudiesJob()) as made:
        yield made


def finished(job: StudiesJob, folder: Folder) -> None:
    until(lambda: job.ask(folder, [MODEL]), lambda share: share is None)


@pytest.mark.parametrize("large", [20_000, 0], ids=["here", "apart"])
def test_it_is_made_once_and_then_up_to_date(
    home: Path, job: StudiesJob, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_cohorts, "LARGE", large)
    folder = write_small(home, FILMS, CUTS)
    share = job.ask(folder, [MODEL])
    assert share is not None and 0 <= share <= 1
    finished(job, folder)
    made = studies_folder(NAME)
    assert made is not None and is_current(folder, made, [MODEL])
    written = made.manifest.stat().st_mtime_ns
    assert job.ask(folder, [MODEL]) is None and made.manifest.stat().st_mtime_ns == written


@pytest.mark.parametrize("large", [20_000, 0], ids=["here", "apart"])
def test_a_refusal_reaches_who_asks_and_the_next_question_tries_again(
    home: Path, job: StudiesJob, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_cohorts, "LARGE", large)
    split = [replace(FILMS[0], split="train"), replace(FILMS[1], split="test"), *FILMS[2:]]
    with pytest.raises(NoStudies, match="different splits"):
        finished(job, write_small(home, split, CUTS))
    finished(job, write_small(home, FILMS, CUTS))
    assert studies_folder(NAME) is not None


def test_while_it_is_made_its_folder_is_not_looked_at(
    home: Path, job: StudiesJob, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is renamed at the end: who asks in that moment gets the share done."""
    folder, may_end = write_small(home, FILMS, CUTS), threading.Event()
    finished(job, folder)
    write_small(home, FILMS[1:], CUTS)
    monkeypatch.setattr(studies_job, "make_studies", lambda folder, on_progress: may_end.wait(60))
    assert job.ask(folder, [MODEL]) == 0
    monkeypatch.setattr(studies_job, "is_current", lambda *asked: pytest.fail("looked at"))
    assert job.ask(folder, [MODEL]) == 0
    may_end.set()
    finished(job, folder)
