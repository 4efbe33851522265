"""The packs that ship hold every simulated film of today's simulator, as this machine draws it too."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explorer.cohorts.film_pack import FilmPack, pack_key
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.packed_thumbnails import ThumbnailPacks, simulated_films, thumbnail_name
from explorer.cohorts.thumbnail_picture import THUMBNAIL_LOOK, THUMBNAIL_PIXELS
from explorer.reading.samples import FILM_NAME, SAMPLE_PACK, SAMPLES, THUMBNAIL_NAME, sample_pack_key
from explorer.simulator.film_png import simulated_png
from explorer.workshop.shipping.shipped_thumbnails import drawn, pack_cohort, pack_samples
from models.radiograph import read_radiograph
from tests.support.small_phantom import write_phantom

SHIPPED = Folder(CACHE / "phantom")
PACK = SHIPPED.thumbnail_packs()[0]
MAX_SHIPPED_MB = 8
CHECKED = slice(0, None, 250)  # eight films


def greys(picture: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(picture)) as image:
        assert image.size == (THUMBNAIL_PIXELS, THUMBNAIL_PIXELS)
        return np.asarray(image.convert("L"), dtype=float)


def test_the_shipped_pack_has_every_film_of_the_cohort() -> None:
    """If the key differs: `python -m explorer.workshop.shipping.shipped_thumbnails`."""
    addresses = simulated_films(SHIPPED)
    pack = FilmPack(PACK, pack_key(addresses, THUMBNAIL_LOOK))
    assert len(addresses) == 2000
    for name in addresses:
        picture = pack.read(thumbnail_name(name))
        assert picture is not None and picture[8:12] == b"WEBP"
    assert (PACK.stat().st_size + SAMPLE_PACK.stat().st_size) / 2**20 < MAX_SHIPPED_MB


def test_shipped_thumbnails_are_what_this_machine_draws() -> None:
    packs = ThumbnailPacks()
    for name, address in list(simulated_films(SHIPPED).items())[CHECKED]:
        shipped = packs.picture(SHIPPED, name)
        assert shipped is not None
        assert np.abs(greys(shipped) - greys(drawn(address))).mean() < 1


def test_shipped_samples_are_films_that_this_machine_draws_and_say_that_they_are_simulated() -> None:
    pack = FilmPack(SAMPLE_PACK, sample_pack_key())
    for sample in SAMPLES:
        film, thumbnail = pack.read(FILM_NAME.format(sample.key)), pack.read(THUMBNAIL_NAME.format(sample.key))
        assert (film is not None, thumbnail is not None) == (sample.simulated, sample.simulated)
        if film is not None and thumbnail is not None:
            shipped, made = read_radiograph(film), read_radiograph(simulated_png(sample.file))
            assert shipped.simulated and b"SIMULATED" in film and sample.file.encode() in film
            np.testing.assert_allclose(shipped.pixels, made.pixels, atol=1e-3)
            assert greys(thumbnail).std() > 20  # a film, not a blank


@pytest.mark.slow
def test_the_command_packs_a_cohort_and_the_samples(tmp_path: Path) -> None:
    folder = write_phantom(tmp_path)
    pack_cohort(folder, processes=1)
    packs = ThumbnailPacks()
    for name, address in simulated_films(folder).items():
        assert packs.picture(folder, name) == drawn(address)
    pack_samples(tmp_path / "samples.zip")
    assert FilmPack(tmp_path / "samples.zip", sample_pack_key()).read("phantom-normal.webp")
