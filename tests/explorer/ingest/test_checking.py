"""Films of entries: found, looked at once, and each taken once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from explorer.ingest import checking
from explorer.ingest.checking import check_films
from explorer.ingest.entries import ABSENT, PRESENT, UNKNOWN, Entry, LabelMarks
from explorer.ingest.film_files import HEAD_BYTES, FileInspection, inspect_file
from explorer.ingest.journal import Journal
from explorer.ingest.rejects import RejectReason
from tests.explorer.ingest.brought import film, png, written
from tests.support.wording import Wording


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    for name, seed in {"a.png": 1, "below/b.png": 2, "below/c.png": 3, "twin.png": 1}.items():
        written(folder / name, film(seed))
    return folder


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the files that are looked at; they are looked at all the same."""
    names: list[str] = []

    def noted(path: Path) -> FileInspection:
        names.append(path.name)
        return inspect_file(path)

    monkeypatch.setattr(checking, "inspect_file", noted)
    return names


def entries(*files: str) -> list[Entry]:
    return [Entry(case=file, center="x", line=line, file=file) for line, file in enumerate(files, 2)]


def checked(
    root: Path, given: Sequence[Entry], journal: Path
) -> tuple[list[str | None], list[tuple[str, RejectReason, str]]]:
    told: list[tuple[int, int]] = []
    kept, rejects = check_films(given, root, Journal(journal), lambda *done: told.append(done))
    assert told[-1:] == [(len(given), len(given))][: len(given)]
    return [entry.file for entry in kept], [(each.image, each.reason, each.detail) for each in rejects]


def test_films_are_found_by_path_by_name_and_by_name_without_ending(tmp_path: Path, root: Path) -> None:
    kept, rejects = checked(root, entries("a.png", "b.png", "c"), tmp_path / "journal")
    assert (kept, rejects) == (["a.png", "below/b.png", "below/c.png"], [])


def test_missing_and_twin_films_are_rejected(tmp_path: Path, root: Path) -> None:
    written(tmp_path / "secret.png", film(9))
    kept, rejects = checked(root, entries("a.png", "none.png", "twin.png", "../secret.png"), tmp_path / "journal")
    assert kept == ["a.png"]
    assert rejects == [
        ("none.png", RejectReason.MISSING, "none.png"),
        ("twin.png", RejectReason.SAME_BYTES, "as a.png"),
        ("../secret.png", RejectReason.MISSING, "../secret.png"),
    ]


def test_two_rows_of_one_film_are_twins(tmp_path: Path, root: Path) -> None:
    given = [Entry(case=case, center="x", line=2, file="a.png") for case in ("first", "second", "third")]
    _, rejects = checked(root, given, tmp_path / "journal")
    same = (RejectReason.SAME_BYTES, "as first, which names the same file")
    assert rejects == [("second", *same), ("third", *same)]


def test_a_twin_with_other_labels_is_told_so(tmp_path: Path, root: Path, wording: Wording) -> None:
    marks = LabelMarks(bytes([PRESENT])), LabelMarks(bytes([ABSENT])), LabelMarks(bytes([PRESENT, UNKNOWN]))
    given = [Entry(case=f"{n}", center="x", file="a.png", marks=each) for n, each in enumerate(marks)]
    _, rejects = checked(root, given, tmp_path / "journal")
    assert [(case, reason) for case, reason, _ in rejects] == [
        ("1", RejectReason.SAME_BYTES),
        ("2", RejectReason.SAME_BYTES),
    ]
    (*_, differing), (*_, alike) = rejects
    assert "labels" in differing and "labels" not in alike
    wording(differing, "as 0")
    wording(alike, "as 0")


def test_a_name_that_several_films_have_is_not_one_that_is_missing(tmp_path: Path, root: Path) -> None:
    written(root / "other" / "b.png", film(20))
    kept, rejects = checked(root, entries("b.png", "b", "below/b.png", "nowhere/none"), tmp_path / "journal")
    either = "could be 'below/b.png' or 'other/b.png': name the file with its folders and ending"
    assert kept == ["below/b.png"]
    assert rejects == [
        ("b.png", RejectReason.SEVERAL, f"'b.png' {either}"),
        ("b", RejectReason.SEVERAL, f"'b' {either}"),
        ("nowhere/none", RejectReason.MISSING, "nowhere/none"),
    ]


def test_large_films_that_only_begin_alike_are_both_taken(tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (1024, 1024), np.uint8)
    for name, last in (("a.png", 0), ("b.png", 255), ("c.png", 0)):
        pixels[-1] = last
        pixels[-1, 0] = 128
        written(tmp_path / "films" / name, png(pixels))
    sizes = {path.stat().st_size for path in (tmp_path / "films").iterdir()}
    assert min(sizes) > HEAD_BYTES
    kept, rejects = checked(tmp_path / "films", entries("a.png", "b.png", "c.png"), tmp_path / "journal")
    assert kept == ["a.png", "b.png"]
    assert rejects == [("c.png", RejectReason.SAME_BYTES, "as a.png")]


def test_a_second_run_looks_at_what_is_new_or_changed(
    tmp_path: Path, root: Path, looked: list[str], wording: Wording
) -> None:
    given, journal = entries("a.png", "b.png", "c.png"), tmp_path / "journal"
    first = checked(root, given, journal)
    assert sorted(looked) == ["a.png", "b.png", "c.png"]
    looked.clear()
    assert checked(root, given, journal) == first
    assert looked == []
    written(root / "below" / "b.png", b"%PDF-")
    os.utime(root / "a.png", ns=(0, 0))
    ((name, reason, detail),) = checked(root, given, journal)[1]
    assert (name, reason) == ("b.png", RejectReason.UNREADABLE)
    wording(detail, "PDF")
    assert sorted(looked) == ["a.png", "b.png"]


@pytest.mark.parametrize("torn", range(1, 60, 7))
def test_a_torn_journal_costs_what_was_torn(tmp_path: Path, root: Path, looked: list[str], torn: int) -> None:
    given, journal = entries("a.png", "b.png", "c.png"), tmp_path / "journal"
    first = checked(root, given, journal)
    journal.write_bytes(journal.read_bytes()[:-torn])
    for expected in (["c.png"], []):  # what is added behind the torn line is whole
        looked.clear()
        assert checked(root, given, journal) == first
        assert looked == expected
