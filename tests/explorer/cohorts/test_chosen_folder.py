"""A folder of films that is named in the page: looked into, remembered, and refused in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.cohorts import chosen_folder
from explorer.cohorts.chosen_folder import FilmsFound, NoFilmFolder, choose_folder
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from tests.support.small_cohort import Film, write_small
from tests.support.wording import Wording


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    """Two films of a root `clinic`, in a shipped cohort: what is remembered goes beside it."""
    films = [Film(case, {"Mass": "present"}, {"Mass": 0.9}, root="clinic", file=f"x/{case}.png") for case in "ab"]
    write_small(tmp_path / "shipped", films, {"Mass": 0.5}, name="small")
    return Folder(tmp_path / "shipped" / "small", tmp_path / "own" / "small")


@pytest.fixture
def films(tmp_path: Path) -> Path:
    (tmp_path / "films").mkdir()
    (tmp_path / "films" / "a.png").write_bytes(b"a film")
    return tmp_path / "films"


def test_a_folder_with_a_film_of_the_cohort_is_remembered_for_the_next_start(cohort: Folder, films: Path) -> None:
    images = Images(cohorts=lambda: [cohort])
    assert not images.has("clinic")
    assert choose_folder(cohort, "clinic", f" {films} ") == FilmsFound(1, 2)
    assert images.path("clinic", "x/a.png") == films / "a.png"
    assert Images(cohorts=lambda: [cohort]).has("clinic")
    kept = Path(str(cohort.overlay)) / "roots.json"
    assert json.loads(kept.read_text(encoding="utf-8")) == {"clinic": str(films)}
    assert kept.stat().st_mode & 0o077 == 0, "paths of films may name a patient"
    assert not (cohort.path / "roots.json").exists(), "nothing is written into a shipped cohort"


@pytest.mark.parametrize("typed", ["", "  ", "films", "/no/such/folder", "x" * 5000, "/\0", "~nobody-of-this-name/x"])
def test_what_is_no_folder_is_refused_without_saying_it_back(cohort: Folder, typed: str, wording: Wording) -> None:
    with pytest.raises(NoFilmFolder) as refused:
        choose_folder(cohort, "clinic", typed)
    wording(refused.value, "/data/nih")
    assert not typed.strip() or typed not in str(refused.value)


def test_a_folder_without_a_film_of_the_cohort_is_not_remembered(
    cohort: Folder, tmp_path: Path, wording: Wording
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "c.png").write_bytes(b"another film")
    with pytest.raises(NoFilmFolder) as caught:
        choose_folder(cohort, "clinic", str(tmp_path / "other"))
    wording(caught.value, "folder")
    assert not Images(cohorts=lambda: [cohort]).has("clinic")


def test_a_folder_that_takes_too_long_to_look_through_is_refused(
    cohort: Folder, films: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chosen_folder, "MAX_FILES", 3)
    for name in "cdef":
        (films / name).write_bytes(b"")
    with pytest.raises(NoFilmFolder, match="more than 3 files"):
        choose_folder(cohort, "clinic", str(films))
