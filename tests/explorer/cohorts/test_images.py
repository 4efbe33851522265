"""Films are found below the folder they are said to be in, and nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from explorer.cohorts.image_folder import image_folder
from explorer.cohorts.images import Images, remember_root
from explorer.cohorts.layout import Folder


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """NIH's own layout, a folder of two patients whose films have the same name, and a film beside the folder."""
    root = tmp_path / "films"
    for name in (
        "images_001/images/00000001_000.png",
        "images_012/images/00030805_000.png",
        "p1/view1.jpg",
        "p2/view1.jpg",
        "twice/x.png",
        "twice/x.jpg",
        "series/1.2.840.1",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(name.encode())
    (tmp_path / "secret.png").write_bytes(b"another patient")
    (root / "out.png").symlink_to(tmp_path / "secret.png")
    (root / "circle.png").symlink_to("circle.png")
    (root / "within.png").symlink_to("p1/view1.jpg")
    (root / "outside").symlink_to(tmp_path, target_is_directory=True)
    return root


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("p1/view1.jpg", "p1/view1.jpg"),
        ("p1/../p2/view1.jpg", "p2/view1.jpg"),
        ("00000001_000.png", "images_001/images/00000001_000.png"),
        ("images/00030805_000.png", "images_012/images/00030805_000.png"),
        ("00030805_000.jpg", "images_012/images/00030805_000.png"),  # kept in another format
        ("twice/x.png", "twice/x.png"),
        ("x.jpg", "twice/x.jpg"),
        ("1.2.840.1", "series/1.2.840.1"),
        ("within.png", "p1/view1.jpg"),
        pytest.param("view1.jpg", None, id="two films have the name"),
        pytest.param("p3/view1.jpg", None, id="a patient that is not there"),
        pytest.param("x.dcm", None, id="two formats"),
        pytest.param("1.2.840.2", None, id="a number after a dot is no ending"),
        pytest.param("00000002_000.png", None, id="no such film"),
        pytest.param("p1", None, id="a folder"),
        pytest.param("../secret.png", None, id="above"),
        pytest.param("secret.png", None, id="by name, behind a link"),
        pytest.param("p1/../../secret.png", None, id="above, from below"),
        pytest.param("outside/secret.png", None, id="through a linked folder"),
        pytest.param("out.png", None, id="a link that leads out"),
        pytest.param("circle.png", None, id="a link that leads to itself"),
        pytest.param("a\0b.png", None, id="a null byte"),
        pytest.param("x" * 5000, None, id="a name that no file can have"),
        pytest.param("", None, id="no name"),
        pytest.param("p1/..", None, id="the folder itself"),
        pytest.param("/etc/hostname", None, id="an absolute path"),
    ],
)
def test_a_film_is_found_below_its_folder_or_not_at_all(films: Path, file: str, found: str | None) -> None:
    path = Images({"nih": films}).path("nih", file)
    assert path == (None if found is None else films / found)


def test_an_unknown_folder_or_none_has_no_films(films: Path) -> None:
    images = Images({"nih": films}, cohorts=list)
    assert images.path("padchest", "p1/view1.jpg") is None
    assert images.path(None, "p1/view1.jpg") is None
    assert images.path("nih", None) is None
    assert (images.has("nih"), images.has("padchest"), images.has(None)) == (True, False, False)


def test_a_cohorts_folder_is_remembered_also_after_the_page_has_started(films: Path, tmp_path: Path) -> None:
    own = Folder(tmp_path / "cohorts" / "own")
    images = Images(cohorts=lambda: [own])
    assert images.path("own", "p1/view1.jpg") is None
    remember_root(own, "own", films)
    assert images.path("own", "p1/view1.jpg") == films / "p1" / "view1.jpg"
    remember_root(own, "own", films / "p1")
    assert images.path("own", "view1.jpg") == films / "p1" / "view1.jpg"


def test_a_folder_that_is_given_counts_before_the_remembered_one(films: Path, tmp_path: Path) -> None:
    own, moved = Folder(tmp_path / "cohorts" / "own"), tmp_path / "moved"
    (moved / "p1").mkdir(parents=True)
    (moved / "p1" / "view1.jpg").touch()
    remember_root(own, "own", films)
    assert Images({"own": moved}, lambda: [own]).path("own", "p1/view1.jpg") == moved / "p1" / "view1.jpg"


def test_remembering_adds_and_replaces(films: Path, tmp_path: Path) -> None:
    own, other = Folder(tmp_path / "own"), tmp_path / "other"
    other.mkdir()
    remember_root(own, "a", other)
    remember_root(own, "b", films)
    remember_root(own, "a", films)
    images = Images(cohorts=lambda: [own])
    assert images.path("a", "p1/view1.jpg") == images.path("b", "p1/view1.jpg") == films / "p1" / "view1.jpg"


@pytest.mark.parametrize("kept", ["", "no json", "[1, 2]", '{"own": 5}', '{"own": "/no/such/folder"}'])
def test_what_is_remembered_may_be_gone_or_damaged(tmp_path: Path, kept: str) -> None:
    (tmp_path / "roots.json").write_text(kept)
    assert Images(cohorts=lambda: [Folder(tmp_path)]).path("own", "p1/view1.jpg") is None


def test_the_names_are_listed_once(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walks = []
    walk = os.walk
    monkeypatch.setattr(os, "walk", lambda root: walks.append(root) or walk(root))
    images = Images({"nih": films})
    images.path("nih", "p1/view1.jpg")
    assert walks == []
    for _ in range(3):
        images.path("nih", "00000001_000.png")
    assert len(walks) == 1


def test_a_home_folder_may_be_abbreviated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert image_folder("nih=~") == ("nih", tmp_path)


def test_the_root_of_simulated_films_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="simulated films"):
        image_folder(f"phantom={tmp_path}")
    assert Images({}, cohorts=list).has("phantom")
