"""A cohort's folder while it is made, and the moment when it is there."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from explorer.cohorts import layout
from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.layout import NoCohort
from explorer.cohorts.manifest import Manifest, write_manifest
from explorer.ingest.building import JOURNAL, cohort_being_built, sweep_unfinished
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording


def build(name: str, title: str = "first", *, replace: bool = False) -> None:
    with cohort_being_built(name, replace=replace) as folder:
        write_manifest(folder.manifest, Manifest(name, title, "", "", 0, False, ""))


def titles() -> dict[str, str]:
    own = [folder for folder in layout.cohort_folders() if folder.path.parent == layout.own_cohorts()]
    return {folder.name: folder.manifest.read_text().split('"title": "')[1].split('"')[0] for folder in own}


def test_a_cohort_is_there_when_it_is_whole(home: Path) -> None:
    with cohort_being_built("mine", replace=False) as folder:
        write_manifest(folder.manifest, Manifest("mine", "first", "", "", 0, False, ""))
        written(folder.path / JOURNAL, "seen")
        assert titles() == {}
    assert titles() == {"mine": "first"}
    assert [path.name for path in (home / "cohorts" / "mine").iterdir()] == ["manifest.json"]
    assert stat.S_IMODE((home / "cohorts" / "mine").stat().st_mode) == 0o700


def test_a_failed_run_leaves_the_journal_to_go_on_from(home: Path) -> None:
    with pytest.raises(RuntimeError), cohort_being_built("mine", replace=False) as folder:
        written(folder.path / JOURNAL, "seen")
        written(folder.boxes, "stale")
        written(folder.model("m"), "stale")
        raise RuntimeError
    assert titles() == {}
    with cohort_being_built("mine", replace=False) as folder:
        assert [path.name for path in folder.path.iterdir()] == [JOURNAL]
        assert (folder.path / JOURNAL).read_text() == "seen"


def test_what_killed_runs_left_goes_but_for_the_journal(home: Path) -> None:
    left, other = (home / "cohorts" / f".{name}.partial" for name in ("killed", "made"))
    for folder in (left, other):
        written(folder / JOURNAL, "seen")
        written(folder / "films" / "00001", "a film")
    written(home / "cohorts" / ".old.old.partial" / "manifest.json", "{}")
    with locked_folder(other, exclusive=True):
        sweep_unfinished()
        assert [path.name for path in left.iterdir()] == [JOURNAL]
        assert (other / "films" / "00001").exists()
    assert (home / "cohorts" / ".old.old.partial" / "manifest.json").exists()


def test_a_cohort_is_replaced_only_when_that_is_asked_for(home: Path, wording: Wording) -> None:
    build("mine")
    with pytest.raises(WrongInput) as caught:
        build("mine", "second")
    wording(caught.value, "'mine'")
    assert titles() == {"mine": "first"}
    build("mine", "second", replace=True)
    assert titles() == {"mine": "second"}
    assert [path.name for path in (home / "cohorts").iterdir()] == ["mine"]


def test_a_replacement_that_fails_leaves_the_old_cohort(home: Path) -> None:
    build("mine")
    with pytest.raises(RuntimeError), cohort_being_built("mine", replace=True):
        raise RuntimeError
    assert titles() == {"mine": "first"}


def test_a_cohort_that_is_being_scored_is_not_replaced(home: Path) -> None:
    build("mine")
    with locked_folder(home / "cohorts" / "mine", exclusive=False):
        with pytest.raises(WrongInput, match="'mine' is being scored"):
            build("mine", "second", replace=True)
        assert titles() == {"mine": "first"}
    with (
        cohort_being_built("mine", replace=True) as folder,
        locked_folder(home / "cohorts" / "mine", exclusive=False) as locked,
    ):
        assert not locked  # nor is it scored while it is replaced
        write_manifest(folder.manifest, Manifest("mine", "third", "", "", 0, False, ""))
    assert titles() == {"mine": "third"}


def test_a_replacement_that_was_cut_between_its_renames_is_undone(home: Path) -> None:
    build("mine")
    place = home / "cohorts"
    (place / "mine").rename(place / ".mine.old.partial")
    with pytest.raises(WrongInput, match="already"):
        build("mine", "second")
    assert titles() == {"mine": "first"}


def test_a_replacement_that_was_cut_before_its_end_is_ended(home: Path) -> None:
    build("mine", "second")
    written(home / "cohorts" / ".mine.old.partial" / "manifest.json", "{}")
    build("other")
    build("mine", "third", replace=True)
    assert titles() == {"mine": "third", "other": "first"}
    assert sorted(path.name for path in (home / "cohorts").iterdir()) == ["mine", "other"]


def test_two_processes_do_not_make_one_cohort(home: Path, wording: Wording) -> None:
    with cohort_being_built("mine", replace=False) as folder:
        with pytest.raises(WrongInput) as caught:
            build("mine", "second")
        wording(caught.value, "process")
        write_manifest(folder.manifest, Manifest("mine", "first", "", "", 0, False, ""))
    assert titles() == {"mine": "first"}


def test_a_refused_run_leaves_nothing_behind(home: Path) -> None:
    with pytest.raises(WrongInput), cohort_being_built("mine", replace=False):
        raise WrongInput("no such table")
    assert list((home / "cohorts").iterdir()) == []


def test_a_shipped_name_is_refused_with_and_without_replace(home: Path, wording: Wording) -> None:
    for replace in (False, True):
        with pytest.raises(WrongInput) as caught:
            build("nih-oof", replace=replace)
        wording(caught.value, "nih-oof")
    assert not home.exists()


@pytest.mark.parametrize("name", ["", "Big", "a/b", "..", ".hidden", "ä", "a" * 64])
def test_a_name_that_is_none_is_refused(home: Path, name: str, wording: Wording) -> None:
    with pytest.raises(NoCohort) as caught:
        build(name)
    wording(caught.value, "valid name")
    assert not home.exists()
