"""A simulated film is read as a stored one is: it is always there, and made when it is wanted."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from explorer.cohorts import film_source
from explorer.cohorts.film_source import SimulatedFilm, StoredFilm
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder
from explorer.cohorts.thumbnail_picture import THUMBNAIL_PIXELS
from explorer.cohorts.thumbnails import Thumbnails
from explorer.simulator import film_png
from explorer.simulator.packed_film import FilmFile, make_film_file
from explorer.simulator.version import version_mtime
from models.radiograph import UnreadableRadiograph

ADDRESS = "phantom://v1/A/5?Nodule=right,0.80"


@pytest.fixture
def images() -> Images:
    return Images({}, cohorts=list)


@pytest.mark.parametrize("file", [None, "", "5.png", "phantom://v1/A/05", "phantom://v1/A/5?Gout=,0.50", "../secret"])
def test_only_an_address_is_a_film_of_the_simulator(images: Images, file: str | None) -> None:
    assert images.film(PHANTOM, file) is None


def test_it_is_there_without_any_folder_and_reads_as_simulated(images: Images) -> None:
    film = images.film(PHANTOM, ADDRESS)
    assert film == SimulatedFilm(ADDRESS)
    assert film is not None and images.has(PHANTOM)
    assert film.nbytes() == 0
    radiograph = film.radiograph(96)
    assert (radiograph.pixels.shape, radiograph.simulated) == ((96, 96), True)


def test_what_is_no_address_is_a_film_that_cannot_be_read() -> None:
    with pytest.raises(UnreadableRadiograph, match="not an address"):
        SimulatedFilm("phantom://v1/C/5").radiograph(96)


def test_other_films_are_those_of_their_folder(tmp_path: Path) -> None:
    (tmp_path / "5.png").write_bytes(b"film")
    images = Images({"r": tmp_path}, cohorts=list)
    assert images.film("r", "5.png") == StoredFilm(tmp_path / "5.png")
    assert images.film("r", "6.png") is None
    assert StoredFilm(tmp_path / "gone").changed() is None


def test_its_thumbnail_is_made_small_and_kept_until_the_simulator_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    class Counting:
        def of(self, address: str, size: int = film_png.FILM_SIZE) -> FilmFile:
            sizes.append(size)
            return make_film_file(address, size)

    images = Images({}, list, Counting())
    cohort = Folder(tmp_path / "phantom")
    webp = Thumbnails(images).webp(cohort, "A-000005", PHANTOM, ADDRESS)
    assert webp is not None
    with Image.open(io.BytesIO(webp)) as picture:
        assert picture.size == (THUMBNAIL_PIXELS, THUMBNAIL_PIXELS)
    assert Thumbnails(images).webp(cohort, "A-000005", PHANTOM, ADDRESS) == webp
    monkeypatch.setattr(film_source, "version_mtime", lambda: version_mtime() + 10**9)
    Thumbnails(images).webp(cohort, "A-000005", PHANTOM, ADDRESS)
    assert sizes == [THUMBNAIL_PIXELS, THUMBNAIL_PIXELS]
