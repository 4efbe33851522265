"""Where cohorts lie, what may be a name, and where what a user brings for a shipped one goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cohorts import layout
from explorer.cohorts.layout import CACHE, HOME_VARIABLE, Folder, NoCohort, checked_name
from tests.support.shipped_models import OF_NIH_OOF
from tests.support.wording import Wording


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of own cohorts."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    return tmp_path / "cohorts"


def touched(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.mark.parametrize("name", ["a", "nih-oof", "7", "a.b_c-d", "0" * 63])
def test_names(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", "A", ".a", "-a", "a/b", "a\\b", "a..b", "..", "a b", "ä", "a\n", "0" * 64])
def test_what_is_no_name(name: str, wording: Wording) -> None:
    with pytest.raises(NoCohort) as refused:
        checked_name(name)
    wording(refused.value, "valid name")
    assert refused.value.title and refused.value.detail


@given(st.text(max_size=70))
def test_a_name_never_leaves_its_folder(name: str) -> None:
    try:
        path = CACHE / checked_name(name)
    except NoCohort:
        return
    assert path.resolve().parent == CACHE.resolve()


def test_own_cohorts_lie_in_the_users_data_folder_by_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for value in (None, "", "  "):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        if value is None:
            monkeypatch.delenv(HOME_VARIABLE, raising=False)
        else:
            monkeypatch.setenv(HOME_VARIABLE, value)
        assert layout.own_cohorts().name == "cohorts" and "tailscope" in layout.own_cohorts().as_posix()
        assert not layout.own_cohorts().is_relative_to(CACHE.parent)


def test_the_shipped_cohort_is_there_and_comes_first(home: Path) -> None:
    touched(home / "aaa" / "manifest.json")
    assert [folder.name for folder in layout.cohort_folders()][:1] == ["nih-oof"]
    assert layout.cohort_folder("nih-oof").path == CACHE / "nih-oof"
    assert layout.cohort_folder("aaa") == Folder(home / "aaa")


def test_a_folder_without_a_manifest_or_that_is_being_written_is_no_cohort(home: Path) -> None:
    for name in ("half/cases.parquet", ".mine.partial/manifest.json", "Mine/manifest.json", "file"):
        touched(home / name)
    assert [folder.name for folder in layout.cohort_folders() if folder.path.parent == home] == []


def test_of_two_cohorts_with_one_name_the_shipped_one_counts(home: Path) -> None:
    touched(home / "nih-oof" / "manifest.json")
    assert [folder.name for folder in layout.cohort_folders()].count("nih-oof") == 1
    assert layout.cohort_folder("nih-oof") == Folder(CACHE / "nih-oof")  # and what lies in the other is not for it


def test_a_cohort_that_is_not_there_is_refused_with_those_that_are(home: Path, wording: Wording) -> None:
    touched(home / "mine" / "manifest.json")
    with pytest.raises(NoCohort) as caught:
        layout.cohort_folder("none")
    wording(caught.value, "'none'", "nih-oof", "mine", "--help")


def test_a_models_files_lie_where_its_manifest_does(home: Path) -> None:
    folder = layout.cohort_folder("nih-oof")
    assert folder.overlay == home / "nih-oof"
    assert folder.models() == OF_NIH_OOF
    for path in (folder.predictions("ours"), folder.model("ours")):
        assert path.is_relative_to(CACHE)  # nobody has brought it
    touched(home / "nih-oof" / "models" / "ours.json")
    touched(home / "nih-oof" / "models" / ".ours.json.7.partial")
    touched(home / "nih-oof" / "models" / "nih-mini.json")  # the shipped one counts
    assert folder.models() == (*OF_NIH_OOF, "ours")
    overlay, shipped = Folder(home / "nih-oof"), Folder(CACHE / "nih-oof")
    for kind in ("predictions", "embeddings", "operating_points", "model", "failures"):
        assert getattr(folder, kind)("ours") == getattr(overlay, kind)("ours")
        assert getattr(folder, kind)("nih-mini") == getattr(shipped, kind)("nih-mini")


def test_an_own_cohort_has_no_overlay(home: Path) -> None:
    touched(home / "mine" / "manifest.json")
    assert layout.cohort_folder("mine").overlay is None
    assert layout.cohort_folder("mine").models() == ()
