"""Marks outlive everything but their owner's hand: other windows, a cohort that is read only, a damaged file."""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from explorer.cohorts.case_marks import (
    CaseMark,
    CaseMarks,
    ListedCase,
    WrongMark,
    change_marks,
    marks_file,
    saved_marks,
    unreadable_marks,
)
from explorer.cohorts.layout import CACHE, Folder, own_cohorts
from explorer.cohorts.mark_edits import listing, noting, starring, tagging
from tests.support.wording import Wording, line_with

PROCESSES, EACH = 4, 12


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "ward").mkdir()
    return Folder(tmp_path / "ward")


def mark_some(path: Path, who: int) -> None:
    for number in range(EACH):
        change_marks(Folder(path), starring([f"{who}-{number}"], on=True))
        change_marks(Folder(path), listing("all", [ListedCase(f"{who}-{number}", "Mass")]))


@pytest.mark.slow
def test_windows_that_mark_at_once_lose_nothing(folder: Folder) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=mark_some, args=(folder.path, who)) for who in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    marks, every = saved_marks(folder), {f"{who}-{number}" for who in range(PROCESSES) for number in range(EACH)}
    assert {case for case, mark in marks.cases.items() if mark.starred} == every
    assert {each.case for each in marks.lists["all"]} == every and len(marks.lists["all"]) == len(every)


def test_what_one_window_types_leaves_what_another_did_of_the_same_case(folder: Folder) -> None:
    for edit in (starring(["a"], on=True), tagging("a", ["Subtle", "apex "]), noting("a", "left\napex")):
        change_marks(folder, edit)
    assert saved_marks(folder) == CaseMarks({"a": CaseMark(True, ("apex", "subtle"), "left\napex")})
    for edit in (starring(["a"], on=False), tagging("a", []), noting("a", " ")):
        change_marks(folder, edit)
    assert saved_marks(folder) == CaseMarks()  # what says nothing is not kept


def test_they_lie_beside_the_cohort_for_their_owner_alone(folder: Folder) -> None:
    folder.path.chmod(0o500)  # as on a disk that cannot be written to
    change_marks(folder, starring(["a"], on=True))
    assert marks_file(folder) == folder.path.with_name("ward.marks.json")
    assert marks_file(folder).stat().st_mode & 0o777 == 0o600
    assert list(folder.path.iterdir()) == []


def test_those_of_a_shipped_cohort_lie_at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    for shipped in (Folder(CACHE / "phantom", own_cohorts() / "phantom"), Folder(CACHE / "phantom")):
        assert marks_file(shipped) == tmp_path / "cohorts" / "phantom.marks.json"


@pytest.mark.parametrize(
    "damaged",
    ["", "[]", '{"cases": {}}', '{"cases": {"a": {"starred": 1}}, "lists": {}}', '{"cases": {}, "lists": {"x": {}}}'],
)
def test_a_damaged_file_hides_no_film_and_is_not_written_over(folder: Folder, damaged: str, wording: Wording) -> None:
    marks_file(folder).write_text(damaged)
    assert saved_marks(folder) == CaseMarks()
    wording(line_with(str(unreadable_marks(folder)), "ward.marks"))
    with pytest.raises(WrongMark):
        change_marks(folder, starring(["a"], on=True))
    assert marks_file(folder).read_text() == damaged


def test_a_file_that_somebody_else_changed_is_read_again(folder: Folder) -> None:
    change_marks(folder, starring(["a"], on=True))
    long_ago = time.time() - 60
    os.utime(marks_file(folder), (long_ago, long_ago))
    assert saved_marks(folder).of("a").starred
    marks_file(folder).write_text(json.dumps({"cases": {"b": {"starred": True}}, "lists": {}}))
    assert saved_marks(folder).cases.keys() == {"b"}


def test_a_change_that_fails_leaves_what_was_there(folder: Folder) -> None:
    def fails(marks: CaseMarks) -> CaseMarks:
        raise WrongMark("No", "Never.")

    change_marks(folder, starring(["a"], on=True))
    with pytest.raises(WrongMark):
        change_marks(folder, fails)
    assert saved_marks(folder).of("a").starred


def test_a_list_has_an_end(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.cohorts.case_marks.MAX_CASES_PER_LIST", 2)
    change_marks(folder, listing("few", [ListedCase("a"), ListedCase("b")]))
    with pytest.raises(WrongMark, match="up to 2 cases"):
        change_marks(folder, listing("few", [ListedCase("c")]))
    assert len(saved_marks(folder).lists["few"]) == 2
