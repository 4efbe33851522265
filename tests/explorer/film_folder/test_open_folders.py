"""A folder is its visitor's alone, and goes with the page, its time, or the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.film_folder.limits import NoFolder
from explorer.film_folder.open_folders import LIFETIME_SECONDS, MINUTE, SILENT_SECONDS, OpenFolders
from tests.explorer.film_folder.visitor import PATIENCE, film, readers


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_goes_with_the_page_a_new_one_and_its_time(tmp_path: Path) -> None:
    clock = Clock()
    folders = OpenFolders(readers(), lambda: tmp_path, clock=clock)
    first = folders.open("anna", 1)
    place = folders.folder(first).place
    folders.folder(first).incoming.add(film(1), "a.png")
    assert len(first) >= 32 and place.parent == tmp_path
    second = folders.open("anna", 1)
    assert not place.exists()
    with pytest.raises(NoFolder, match="no longer here"):
        folders.folder(first)
    other = folders.open("bert", 1)
    folders.drop_visitor("anna")
    with pytest.raises(NoFolder):
        folders.folder(second)
    clock.now = LIFETIME_SECONDS - 1
    assert folders.folder(other) is not None
    clock.now += LIFETIME_SECONDS - 1
    folders.sweep()
    assert len(folders) == 1  # it was asked for
    clock.now += 2
    folders.sweep()
    assert len(folders) == 0 and list(tmp_path.iterdir()) == []


def test_a_few_are_open_at_once(tmp_path: Path) -> None:
    folders = OpenFolders(readers(), lambda: tmp_path, most=2)
    tokens = [folders.open(visitor, 1) for visitor in ("anna", "bert")]
    with pytest.raises(NoFolder, match="Too many folders"):
        folders.open("cleo", 1)
    folders.drop(tokens[0])
    folders.open("cleo", 1)


def test_a_place_that_nobody_uses_goes_to_whoever_needs_one(tmp_path: Path) -> None:
    clock = Clock()
    folders = OpenFolders(readers(), lambda: tmp_path, most=2, clock=clock)
    empty, used = (folders.open(visitor, 1) for visitor in ("anna", "bert"))
    folders.folder(used).incoming.add(film(1), "a.png")
    clock.now = MINUTE - 1
    with pytest.raises(NoFolder, match="Too many folders"):
        folders.open("cleo", 1)
    clock.now = MINUTE
    folders.open("cleo", 1)
    with pytest.raises(NoFolder, match="no longer here"):
        folders.folder(empty)
    clock.now += SILENT_SECONDS - 1
    assert folders.folder(used) is not None  # its page asks
    clock.now += SILENT_SECONDS - 1
    for visitor in ("dora", "emil"):
        folders.open(visitor, 1)  # cleo's was empty; the other was asked for
        if visitor == "dora":
            assert folders.folder(used) is not None
            clock.now += SILENT_SECONDS
    with pytest.raises(NoFolder, match="no longer here"):
        folders.folder(used)


@pytest.mark.parametrize("token", [None, 5, [], {}, "", "a"])
def test_what_is_no_token_finds_nothing(tmp_path: Path, token: object) -> None:
    folders = OpenFolders(readers(), lambda: tmp_path)
    folders.open("anna", 1)
    with pytest.raises(NoFolder):
        folders.folder(token)
    folders.drop(token)
    assert len(folders) == 1


def test_two_folders_are_read_at_once(tmp_path: Path) -> None:
    folders = OpenFolders(readers(), lambda: tmp_path)
    both = [folders.folder(folders.open(visitor, 3)) for visitor in ("anna", "bert")]
    for each in both:
        for seed in range(3):
            each.incoming.add(film(seed), f"{seed}.png")
        each.incoming.complete()
    assert [each.wait(PATIENCE) and each.progress().read for each in both] == [3, 3]
