"""A film on the shelf takes half the memory and is the same film, or is kept as it is."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.reading.compact_film import compact_film
from explorer.reading.reader import DecodedFilm
from explorer.reading.samples import SAMPLES, sample_bytes
from models.films.amend import apply_remedy
from models.radiograph import Radiograph, read_radiograph


def levels(top: int, of: int | None = None) -> NDArray[np.float32]:
    """A film (64, 64 or more) with every value that a file of so many levels can have, in no order."""
    values = np.arange(top + 1, dtype=np.float64) / (of or top)
    return (
        np.random.default_rng(0).permutation(np.resize(values, (max(64, -(-values.size // 64)), 64))).astype(np.float32)
    )


@pytest.mark.parametrize("top", [1, 255, 4095, 50_001, 65_535])
@pytest.mark.parametrize("inverted", [False, True])
def test_a_film_of_a_file_of_16_bits_or_fewer_comes_back_to_the_last_bit(top: int, inverted: bool) -> None:
    film = Radiograph.from_pixels(1 - levels(top) if inverted else levels(top), view="PA", notes=("a note",))
    kept = compact_film(DecodedFilm(film, 12.5))
    assert kept is not None
    assert kept.unpacked().radiograph.pixels.tobytes() == film.pixels.tobytes()
    assert (kept.unpacked().radiograph.view, kept.unpacked().radiograph.notes, kept.decode_ms) == (
        "PA",
        ("a note",),
        12.5,
    )
    assert not kept.unpacked().radiograph.pixels.flags.writeable


@pytest.mark.parametrize("key", [sample.key for sample in SAMPLES])
def test_every_sample_is_kept_in_half_the_room(key: str) -> None:
    film = read_radiograph(sample_bytes(key))
    for each in (film, apply_remedy(film, "turn left"), apply_remedy(film, "invert")):
        kept = compact_film(DecodedFilm(each, 0))
        assert kept is not None
        assert kept.unpacked().radiograph.pixels.tobytes() == each.pixels.tobytes()
        assert kept.unpacked().radiograph.sha256 == each.sha256
        assert kept.nbytes <= each.pixels.nbytes / 2 + 2**18
        assert kept.simulated is each.simulated


@pytest.mark.parametrize(
    "pixels",
    [
        pytest.param(np.random.default_rng(0).random((2000, 64), dtype=np.float32), id="more values than levels"),
        pytest.param(np.array([[0.0, -0.0], [1, 1]], np.float32), id="two zeros"),
    ],
)
def test_another_film_is_not_bent_to_fit(pixels: NDArray[np.float32]) -> None:
    assert compact_film(DecodedFilm(Radiograph.from_pixels(pixels), 0)) is None
