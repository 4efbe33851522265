"""Thumbnails: made once, small, private, and only of films that are there and can be read."""

from __future__ import annotations

import io
import os
import stat
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.cohorts import film_source as module
from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import StoredFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.thumbnails import Thumbnails
from models.radiograph import Radiograph, read_radiograph


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """A wide film that is dark on the left, a small one, and a file that is none."""
    root = tmp_path / "films"
    root.mkdir()
    wide = np.repeat(np.linspace(0, 255, 640, dtype=np.uint8)[None], 320, axis=0)
    Image.fromarray(wide).save(root / "wide.png")
    Image.fromarray(wide[:64, ::10]).save(root / "small.png")
    (root / "letter.png").write_text("Dear colleague")
    return root


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were decoded."""
    seen: list[Path] = []

    def read(path: Path) -> Radiograph:
        seen.append(path)
        return read_radiograph(path)

    monkeypatch.setattr(module, "read_radiograph", read)
    return seen


@pytest.fixture
def cohort(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "cohorts" / "own")


def test_the_longest_side_is_160_pixels_and_the_greys_are_those_of_the_film(films: Path, cohort: Folder) -> None:
    webp = Thumbnails(Images({"r": films})).webp(cohort, "a", "r", "wide.png")
    assert webp is not None
    with Image.open(io.BytesIO(webp)) as image:
        assert (image.format, image.size) == ("WEBP", (160, 80))
        greys = np.asarray(image.convert("L")).mean(axis=0)
    assert np.abs(greys - np.linspace(0, 255, 160)).max() < 6
    assert stat.S_IMODE(cohort.thumbnails.stat().st_mode) == 0o700
    (path,) = cohort.thumbnails.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "a" not in path.stem.strip("0123456789abcdef"), "the name says nothing of the case"


def test_a_film_smaller_than_that_keeps_its_size(films: Path, cohort: Folder) -> None:
    webp = Thumbnails(Images({"r": films})).webp(cohort, "a", "r", "small.png")
    assert webp is not None
    with Image.open(io.BytesIO(webp)) as image:
        assert image.size == (64, 64)


def test_many_who_ask_at_once_get_one_that_was_made_once(films: Path, cohort: Folder, reads: list[Path]) -> None:
    thumbnails = Thumbnails(Images({"r": films}))
    with ThreadPoolExecutor(16) as pool:
        webps = set(pool.map(lambda _: thumbnails.webp(cohort, "a", "r", "wide.png"), range(64)))
    assert len(webps) == 1
    assert len(reads) == 1
    assert [path.suffix for path in cohort.thumbnails.iterdir()] == [".webp"]
    assert Thumbnails(Images({"r": films})).webp(cohort, "a", "r", "wide.png") in webps
    assert len(reads) == 1, "the next program takes what is there"


def test_what_cannot_be_read_has_none_and_is_tried_once(films: Path, cohort: Folder, reads: list[Path]) -> None:
    thumbnails = Thumbnails(Images({"r": films}))
    assert [thumbnails.webp(cohort, "a", "r", "letter.png") for _ in range(3)] == [None] * 3
    assert len(reads) == 1
    assert not cohort.thumbnails.exists()


def test_a_film_that_is_not_there_has_none_even_where_one_was_made(films: Path, cohort: Folder) -> None:
    assert Thumbnails(Images({"r": films})).webp(cohort, "a", "r", "wide.png") is not None
    assert Thumbnails(Images({}, list)).webp(cohort, "a", "r", "wide.png") is None


def test_a_film_that_changed_is_drawn_again(films: Path, cohort: Folder) -> None:
    thumbnails = Thumbnails(Images({"r": films}))
    thumbnails.webp(cohort, "a", "r", "letter.png")
    os.replace(films / "wide.png", films / "letter.png")
    before = thumbnails.webp(cohort, "a", "r", "letter.png")
    assert before is not None
    os.replace(films / "small.png", films / "letter.png")
    os.utime(films / "letter.png", ns=(1, 1))
    assert thumbnails.webp(cohort, "a", "r", "letter.png") not in (None, before)


def test_a_folder_that_cannot_be_written_is_said_once_and_costs_no_picture(
    films: Path, cohort: Folder, caplog: pytest.LogCaptureFixture
) -> None:
    cohort.path.mkdir(parents=True)
    cohort.thumbnails.write_text("a file in the place of the folder")
    thumbnails = Thumbnails(Images({"r": films}))
    one, other = (thumbnails.webp(cohort, "a", "r", name) for name in ("wide.png", "small.png"))
    assert one and other and one != other
    assert [record.message.split(" in ")[0] for record in caplog.records] == ["Thumbnails cannot be cached"]


def test_a_thumbnail_is_not_made_while_a_film_waits(films: Path, cohort: Folder, reads: list[Path]) -> None:
    thumbnails = Thumbnails(Images({"r": films}))
    looked, opened = threading.Event(), threading.Event()

    def film(name: str) -> None:
        with DECODERS.turn(name):
            looked.wait(10)
            opened.set()

    with ThreadPoolExecutor(4) as pool:
        for place, name in enumerate(("one", "two", "three")):
            pool.submit(film, name)
            until(name, place)
        thumbnail = pool.submit(thumbnails.webp, cohort, "a", "r", "wide.png")
        until(str(StoredFilm(films / "wide.png")), 3)
        assert reads == []
        looked.set()
        assert thumbnail.result() is not None
    assert opened.is_set() and len(reads) == 1


def test_one_that_was_made_is_there_while_films_wait(films: Path, cohort: Folder) -> None:
    thumbnails = Thumbnails(Images({"r": films}))
    name, film = opaque_id(cohort.name, "case", "a"), StoredFilm(films / "wide.png")
    assert thumbnails.kept(cohort, name, film) is None
    webp = thumbnails.webp(cohort, "a", "r", "wide.png")
    with DECODERS.turn("one"), DECODERS.turn("two"):
        assert thumbnails.kept(cohort, name, film) == thumbnails.webp(cohort, "a", "r", "wide.png") == webp
    assert thumbnails.kept(cohort, name, StoredFilm(films / "gone.png")) is None


def until(name: str, place: int) -> None:
    deadline = time.monotonic() + 10
    while DECODERS.ahead(name) != place:
        assert time.monotonic() < deadline, f"{name} never stood at {place}"
        time.sleep(0.001)
