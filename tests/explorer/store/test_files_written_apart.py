"""Large cohorts are prepared in a process of their own. Here, every cohort counts as large."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from explorer.cohorts import large_cohorts
from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.core.uncertainty import Policy
from explorer.store.prepared import file_place
from explorer.store.results import Count, StoreError
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.store.made_up import ONE
from tests.support.brute_force import NAME

WAIT = 60.0  # seconds, at most


@pytest.fixture
def store(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setattr(large_cohorts, "LARGE", 1)
    with closing(Store(lambda: [folder], prepared=tmp_path / "prepared")) as store:
        yield store


@pytest.fixture
def not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing a file in this process fails the test."""
    for name in ("write_films", "write_pairs"):
        monkeypatch.setattr(file_place, name, lambda *arguments: pytest.fail("written in this process"))


def shares_until_done(store: Store, uncertain: Policy = "ignore") -> list[float]:
    """What a visitor is told until the cohort is prepared."""
    told: list[float] = []
    end = time.monotonic() + WAIT
    while (share := store.preparing(NAME, "one", uncertain)) is not None:
        assert time.monotonic() < end
        told.append(share)
        time.sleep(0.01)
    return told


def until(there: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT
    while not there():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.usefixtures("not_here")
def test_a_visitor_is_told_how_far_it_is(store: Store) -> None:
    told = shares_until_done(store)
    assert told[0] == 0 and told == sorted(told) and 0 < max(told) < 1
    again = shares_until_done(store, "ones")  # another reading of uncertain labels: the films are there already
    assert again[0] >= 0.5 and again == sorted(again)
    assert store.count(Slice(NAME, "one", uncertain="present")) == store.count(Slice(NAME, "one"))
    assert store.count(ONE) == Count(10, 5)
    assert store.preparing(NAME, "one") is None


@pytest.mark.usefixtures("not_here")
def test_a_question_waits_for_it(store: Store) -> None:
    assert store.count(ONE) == Count(10, 5)


def test_what_is_there_is_not_prepared_again(store: Store, folder: Folder, tmp_path: Path) -> None:
    store.count(ONE)
    with closing(Store(lambda: [folder], prepared=tmp_path / "prepared")) as second:
        assert second.preparing(NAME, "one") is None


def test_a_damaged_cohort_is_refused_by_both(store: Store, folder: Folder) -> None:
    folder.labels.write_bytes(folder.labels.read_bytes()[:-20])
    with pytest.raises(DamagedCohort):
        shares_until_done(store)
    with pytest.raises(DamagedCohort):
        store.count(ONE)


def test_a_process_that_is_killed_is_a_sentence_and_the_next_one_is_whole(store: Store) -> None:
    process = store._files._process._process
    assert store.preparing(NAME, "one") == 0
    until(lambda: process._popen)
    assert process._popen is not None
    os.kill(process._popen.pid, signal.SIGKILL)
    with pytest.raises(StoreError, match="ended early"):
        shares_until_done(store)
    shares_until_done(store)
    assert store.count(ONE) == Count(10, 5)


def test_where_nothing_can_be_written_it_is_prepared_in_memory(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large_cohorts, "LARGE", 1)
    (tmp_path / "prepared").write_text("a file")
    with closing(Store(lambda: [folder], prepared=tmp_path / "prepared")) as store:
        shares_until_done(store)
        assert store.count(ONE) == Count(10, 5)
        assert store.preparing(NAME, "one") is None
